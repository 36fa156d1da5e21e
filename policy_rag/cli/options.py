"""Options that commands share, one by one and in groups."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, get_type_hints

import typer

from policy_rag.cli.output import notice
from policy_rag.errors import UsageError
from policy_rag.index.store.place import IndexPlace, answering_home, home_of, index_place
from policy_rag.index.store.postgres.address import PostgresAddress
from policy_rag.records.choices import Search, SelfQuery, Transform

if TYPE_CHECKING:
    from policy_rag.assistant import PolicyAssistant
    from policy_rag.settings import Settings


def _kept_beside(text: str) -> Path:
    """The folder for what is measured beside an index; it is said where that is for one in a database."""
    place = index_place(text)
    home = answering_home(place)
    if isinstance(place, PostgresAddress):
        notice(
            f"what is measured is kept in files of this machine, in {home}: a data set's documents are indexed there; "
            f"`policy-rag eval retrieval DATASET --beside NAME={place}` measures what the database holds"
        )
    return home


def _index_option(more: str = "", parser: Callable[[str], Path] | None = None) -> Any:
    said = f"Folder of the index, or postgresql://USER@HOST/DB{more}."
    return typer.Option("--index", metavar="DIR", envvar="POLICY_RAG_INDEX", parser=parser, help=said)


IndexOption: TypeAlias = Annotated[Path, _index_option("; what is measured is kept beside it", _kept_beside)]
StoreOption: TypeAlias = Annotated[
    Path, _index_option(", beside which it is kept; no database is asked", lambda text: home_of(index_place(text)))
]
OfflineOption: TypeAlias = Annotated[
    bool, typer.Option("--offline", help="Refuse to leave the machine, but for a configured LLM server.")
]
DebugOption: TypeAlias = Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")]
JsonOption: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
WhereOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--where", metavar="FILTER", help="KEY=A, KEY=A,B, KEY>=VALUE or KEY<=VALUE; all given must hold."),
]
GroupsOption: TypeAlias = Annotated[
    list[str] | None, typer.Option("--as", metavar="GROUP", help="Access group of the asker; may be repeated.")
]
AsOfOption: TypeAlias = Annotated[
    str | None, typer.Option("--as-of", metavar="DATE", help="Ask for the rules of that day, YYYY-MM-DD.")
]
FromOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--from", metavar="FILE", help="Questions, one a line, or a data set's queries.jsonl; - is standard input."
    ),
]
StateOption: TypeAlias = Annotated[
    Path | None,
    typer.Option("--state", metavar="DIR", help="Folder of the service's state; beside the index, or in its database."),
]
LLMOption: TypeAlias = Annotated[
    str | None, typer.Option("--llm", metavar="NAME", help="auto, extractive, ollama/NAME or openai/NAME.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonOptions:
    """What every command takes. `debug` is read by `run`."""

    place: Annotated[str, _index_option()] = ".policy_rag"
    offline: OfflineOption = False
    debug: DebugOption = False
    json: JsonOption = False

    @property
    def index(self) -> IndexPlace:
        """Where the index is; as text without any password."""
        return index_place(self.place)

    def settings(self, changes: Mapping[str, Any] | None = None) -> "Settings":
        """The settings in force, with those of this call on top; None stands for one that was not given."""
        from policy_rag.settings import load_settings

        return load_settings({**(changes or {}), "offline": self.offline or None})

    def open(self, changes: Mapping[str, Any] | None = None, *, create: bool = False) -> "PolicyAssistant":
        """The assistant on the index, under these settings."""
        from policy_rag.assistant import PolicyAssistant

        return PolicyAssistant.open(self.index, create=create, settings=self.settings(changes))


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchArguments:
    """How, and under what, questions are searched."""

    search: Annotated[
        Search | None, typer.Option("--search", help="How the vector and the keyword search are used together.")
    ] = None
    candidates: Annotated[int | None, typer.Option("--candidates", help="Hits that each search brings.")] = None
    top_k: Annotated[int | None, typer.Option("--top-k", help="Hits that are returned.")] = None
    reranker: Annotated[
        str | None, typer.Option("--reranker", metavar="NAME", help="none, a model's name or a folder.")
    ] = None
    where: WhereOption = None
    groups: GroupsOption = None
    as_of: AsOfOption = None
    self_query: Annotated[
        SelfQuery | None,
        typer.Option("--self-query", help="Who reads filters out of the question: nobody, rules, an LLM."),
    ] = None
    transforms: Annotated[
        list[Transform] | None,
        typer.Option("--transform", help="What is done to the question before it is searched; may be repeated."),
    ] = None

    @property
    def changes(self) -> dict[str, Any]:
        """The settings among them."""
        names = ("search", "candidates", "top_k", "reranker", "self_query")
        return {name: getattr(self, name) for name in names} | {"transforms": self.transforms or None}


@contextmanager
def service_installed() -> Iterator[None]:
    """Says what to install where an import fails that only the service needs.

    Raises:
        UsageError: likewise.
    """
    try:
        yield
    except ImportError as error:
        raise UsageError(f"{error.name} is not installed: run `pip install 'policy-rag[serve]'`") from error


def with_options(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose parameters of option groups are spread into the options themselves, behind its own."""
    hints = get_type_hints(command, include_extras=True)
    groups = {name: kind for name, kind in hints.items() if is_dataclass(kind) and isinstance(kind, type)}
    own = [p for name, p in inspect.signature(command, eval_str=True).parameters.items() if name not in groups]
    spread = [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=field.default,
            annotation=get_type_hints(kind, include_extras=True)[field.name],
        )
        for kind in groups.values()
        for field in fields(kind)
    ]
    parameters = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own] + spread

    def call(**given: Any) -> None:
        for name, kind in groups.items():
            given[name] = kind(**{field.name: given.pop(field.name) for field in fields(kind)})
        command(**given)

    call.__name__, call.__doc__ = command.__name__, command.__doc__
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return call
