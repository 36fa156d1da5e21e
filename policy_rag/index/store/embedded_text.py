"""What the embedder sees of a chunk."""

from policy_rag_parsers.records import Section


def section_prefix(section: Section) -> str:
    """The titles from below the document's down to the section's own, in one line.

    The document's title is left out: it makes all sections of a document alike.

    >>> section_prefix(Section("2.1", "2.1", "Hotels", 2, ("Travel", "Trips", "Hotels"), "2", None, None, 5, 9, 5, 9))
    'Trips > Hotels'
    """
    return " > ".join(part for part in section.path[1:] if part)


def no_prefix(_: Section) -> str:
    """Nothing in front."""
    return ""


def embedded_text(section: Section, context: str, text: str, *, with_path: bool, has_heading: bool) -> str:
    r"""The titles above the chunk, what it lacks when it stands alone, its text; a line each.

    A chunk that begins with its section's heading is not given that title again.

    >>> s = Section("2.1", "2.1", "Hotels", 2, ("Travel", "Trips", "Hotels"), "2", None, None, 5, 9, 5, 9)
    >>> embedded_text(s, "", "2.1 Hotels: at most 120 euros", with_path=True, has_heading=True)
    'Trips\n2.1 Hotels: at most 120 euros'
    """
    titles = section.path[1:-1] if has_heading else section.path[1:]
    path = " > ".join(part for part in titles if part) if with_path else ""
    return "\n".join(part for part in (path, context, text) if part)


def chunk_text(
    document: str, section: Section, start: int, end: int, context: str, *, with_path: bool, added: str = ""
) -> str:
    """What the embedder sees of `[start, end)` of a document's text, which lies in `section`.

    `added` is metadata. It stands last: what is too long for the model is cut from there, never from the text.
    """
    has_heading = start <= section.start
    text = embedded_text(section, context, document[start:end], with_path=with_path, has_heading=has_heading)
    return f"{text}\n{added}" if added else text
