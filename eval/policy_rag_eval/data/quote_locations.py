"""Gold that is given by its words alone is found in the text of its file."""

import re
from functools import cache
from pathlib import Path

from policy_rag_eval.data.quote_search import find_quote
from policy_rag_eval.errors import DatasetError
from policy_rag_parsers.errors import LoadError
from policy_rag_parsers.loaders import load

_SHOWN = 3


class Locator:
    """Finds passages in the files of a data set; each file is loaded once, and only if something is looked for in it.

    They are named in the folder `documents`.
    """

    def __init__(self, documents: Path) -> None:
        self._documents = documents
        self._loaded = cache(self._load)

    def find(self, file: str, passage: str, where: str) -> tuple[int, int]:
        """The one place of a passage, `0 <= start < end`, half-open, in the text that the loader makes of the file.

        Blanks and ends of lines may differ; where it stands nowhere even so, case, markup and the kinds of quotation
        marks and dashes may, too.

        A message begins with `where`.

        Raises:
            DatasetError: the file cannot be loaded, or the passage stands nowhere in it, or more than once.
        """
        places = _places(self.text(file), passage)
        if len(places) == 1:
            return places[0]
        if not places:
            raise DatasetError(
                f"{where}: its text stands nowhere in {file}: quote what `policy-rag show` prints of that file, "
                'or, if its place is not known, say so in JSON: "start": null, "end": null'
            )
        shown = ", ".join(f"{start}-{end}" for start, end in places[:_SHOWN])
        more = " and elsewhere" if len(places) > _SHOWN else ""
        raise DatasetError(
            f"{where}: its text stands more than once in {file} ({shown}{more}): "
            'say which place with "start" and "end", or quote more'
        )

    def only(self, file: str, passage: str) -> tuple[int, int] | None:
        """The place of a passage where it has just one; see `find`. A file that cannot be loaded has none."""
        text = self._loaded(file)
        places = _places(text, passage) if isinstance(text, str) else []
        return places[0] if len(places) == 1 else None

    def first(self, file: str, passage: str) -> tuple[int, int]:
        """The first place of a passage; see `find`.

        Raises:
            LookupError: it stands nowhere.
            DatasetError: the file cannot be loaded.
        """
        places = _places(self.text(file), passage)
        if not places:
            raise LookupError(passage)
        return places[0]

    def text(self, file: str) -> str:
        """The text that the loader makes of a file.

        Raises:
            DatasetError: the file cannot be loaded.
        """
        text = self._loaded(file)
        if isinstance(text, LoadError):
            raise DatasetError(f"gold is looked for in a file that cannot be read: {text}") from text
        return text

    def _load(self, file: str) -> str | LoadError:
        try:
            return load(self._documents / file).text
        except LoadError as error:
            return error


def _places(text: str, passage: str) -> list[tuple[int, int]]:
    """Where a passage stands, in order; of places that differ from it in more than blanks two at most."""
    words = re.compile(r"\s+".join(map(re.escape, passage.split())))
    found = [place.span() for place in words.finditer(text)]
    if found:
        return found
    first = find_quote(text, 0, len(text), passage)
    if first is None:
        return []
    second = find_quote(text, first[1], len(text), passage)
    return [first] if second is None else [first, second]
