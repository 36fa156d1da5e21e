"""What is to be asked: one task for each distinct text and kind, with every place that its answer is for."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from policy_rag_parsers.llm.tokens import estimate_tokens
from policy_rag_parsers.metadata.extraction_results import DOCUMENT_KINDS, EntityType, Force, Kind
from policy_rag_parsers.metadata.section_texts import SectionedDocument, SectionText
from policy_rag_parsers.text.sentences import sentence_spans
from policy_rag_prompts.data import as_attribute, as_data
from policy_rag_prompts.loader import Prompt, Template, load_template

# What the chat template of a model adds around the two messages.
_ROLE_TOKENS = 32
# The title stands at the beginning.
_TITLE_CHARS = 2000
_FEWEST_TEXT_TOKENS = 64
FEWEST_WORDS = 3

# Neighbours are the summaries of other sections, and are never asked for.
TEMPLATES: Mapping[Kind, str] = {
    kind: f"metadata_{kind.replace('-', '_')}" for kind in Kind if kind is not Kind.NEIGHBOURS
}


def _object(**properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(item: Mapping[str, Any], most: int) -> dict[str, Any]:
    return {"type": "array", "items": dict(item), "maxItems": most}


_TEXT = {"type": "string"}

SCHEMAS: Mapping[Kind, Mapping[str, Any]] = {
    Kind.TITLE: _object(title=_TEXT),
    Kind.DOCUMENT_SUMMARY: _object(summary=_TEXT),
    Kind.SUMMARY: _object(summary=_TEXT),
    Kind.QUESTIONS: _object(questions=_list(_TEXT, 5)),
    Kind.KEYWORDS: _object(keywords=_list(_TEXT, 8)),
    Kind.ENTITIES: _object(
        entities=_list(_object(type={"type": "string", "enum": [t.value for t in EntityType]}, text=_TEXT), 40)
    ),
    Kind.OBLIGATIONS: _object(
        obligations=_list(
            _object(who=_TEXT, force={"type": "string", "enum": [f.value for f in Force]}, what=_TEXT, when=_TEXT), 30
        )
    ),
}


def field_of(kind: Kind) -> str:
    """The one property of a kind's object.

    >>> field_of(Kind.DOCUMENT_SUMMARY)
    'summary'
    """
    return str(next(iter(SCHEMAS[kind]["properties"])))


Target = tuple[int, int | None]
"""Place of a document, and of a section in it (None: the document itself)."""


@dataclass(slots=True)
class MetadataTask:
    """One thing to ask, and where the answer goes.

    Attributes:
        kind: what is asked for.
        prompt: of the first attempt.
        text: that is asked about, as far as the LLM sees it; ranges in the answer count its characters.
        language: of the text.
        shortened: whether the text is only a part.
        targets: documents and sections that have this text.
    """

    kind: Kind
    prompt: Prompt
    text: str
    language: str
    shortened: bool
    targets: list[Target] = field(default_factory=list)

    def attempt(self, number: int, again: Template) -> Prompt:
        """The prompt of the `number`-th attempt, from 1."""
        if number == 1:
            return self.prompt
        more = again.render(request=self.prompt.user, attempt=str(number))
        return Prompt(f"{self.prompt.system}\n\n{more.system}", more.user)


def asked_kinds(kinds: Collection[Kind]) -> list[Kind]:
    """The kinds that calls are made for, in order: neighbours need the summaries of sections.

    >>> asked_kinds([Kind.NEIGHBOURS])
    [<Kind.SUMMARY: 'summary'>]
    """
    wanted = set(kinds)
    if Kind.NEIGHBOURS in wanted:
        wanted = wanted - {Kind.NEIGHBOURS} | {Kind.SUMMARY}
    return [kind for kind in Kind if kind in wanted]


def make_tasks(
    documents: Sequence[SectionedDocument],
    kinds: Collection[Kind],
    *,
    context_window: int,
    reply_tokens: int,
) -> tuple[list[MetadataTask], dict[Kind, set[Target]]]:
    """One task for each distinct text and kind, in order, and the places with too little text to ask about, by kind.

    `context_window` holds prompt and reply, of which `reply_tokens` are kept free.
    """
    tasks: dict[tuple[Kind, Prompt], MetadataTask] = {}
    skipped: dict[Kind, set[Target]] = {}
    for kind in asked_kinds(kinds):
        template = load_template(TEMPLATES[kind])
        fixed = estimate_tokens(template.system) + estimate_tokens(template.user) + _ROLE_TOKENS + reply_tokens
        for target, document, section in _places(documents, kind):
            text, variables = _text(kind, document, section)
            if len(text.split()) < FEWEST_WORDS:
                skipped.setdefault(kind, set()).add(target)
                continue
            room = max(context_window - fixed - sum(map(estimate_tokens, variables.values())), _FEWEST_TEXT_TOKENS)
            whole = estimate_tokens(text) <= room
            if not whole:
                text = _spread(document, room) if section is None else beginning(text, room)
            prompt = template.render(**variables, text=as_data(text))
            new = MetadataTask(kind, prompt, text, document.language, shortened=not whole)
            task = tasks.setdefault((kind, prompt), new)
            task.targets.append(target)
    return list(tasks.values()), skipped


def _places(
    documents: Sequence[SectionedDocument], kind: Kind
) -> Iterator[tuple[Target, SectionedDocument, SectionText | None]]:
    for at, document in enumerate(documents):
        if kind in DOCUMENT_KINDS:
            yield (at, None), document, None
            continue
        for place, section in enumerate(document.sections):
            yield (at, place), document, section


def _text(kind: Kind, document: SectionedDocument, section: SectionText | None) -> tuple[str, dict[str, str]]:
    """The text that is asked about, "" where there is too little, and the other variables of its template."""
    if section is None:
        text = "\n\n".join(part.text for part in document.sections)
        if kind is Kind.TITLE:
            return text[:_TITLE_CHARS], {}
        return text, {"title": as_attribute(document.title)}
    # The document's title is left out: a section that another document has too is asked about once.
    path = " > ".join(title for title in section.path[1:] if title)
    return (section.text if section.text[section.body :].strip() else ""), {"path": as_attribute(path)}


def beginning(text: str, room: int) -> str:
    """The whole sentences with which a text begins, of at most `room` tokens; of a longer first one its beginning.

    >>> beginning("First one. Second one.", 4)
    'First one.'
    """
    end = 0
    left = room
    for start, stop in sentence_spans(text, 0, len(text)):
        left -= estimate_tokens(text[start:stop])
        if left < 0:
            break
        end = stop
    return text[:end] if end else text[:room]


def _spread(document: SectionedDocument, room: int) -> str:
    """A long document by the first sentence of every section, then the second, as far as `room` tokens go, in order."""
    sentences = [
        [
            (section.text[a:b], estimate_tokens(section.text[a:b]))
            for a, b in sentence_spans(section.text, 0, len(section.text))
        ]
        for section in document.sections
    ]
    taken = [0] * len(sentences)
    left = room
    for turn in range(max(map(len, sentences), default=0)):
        for place, ours in enumerate(sentences):
            if turn < len(ours) and taken[place] == turn and ours[turn][1] <= left:
                left -= ours[turn][1]
                taken[place] += 1
    return "\n".join(text for ours, count in zip(sentences, taken, strict=True) for text, _ in ours[:count])
