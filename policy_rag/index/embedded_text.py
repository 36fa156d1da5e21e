"""What the embedder sees of a chunk."""

from policy_rag_parsers.records import Section


def section_prefix(section: Section) -> str:
    """The path of titles, in one line; it stands in front of each chunk of the section.

    >>> section_prefix(Section("2", "2", "Scope", 1, ("Travel", "Scope"), None, None, None, 0, 9, 0, 9))
    'Travel > Scope'
    """
    return " > ".join(part for part in section.path if part)


def no_prefix(_: Section) -> str:
    """Nothing in front."""
    return ""


def embedded_text(section: Section, context: str, text: str, *, with_path: bool) -> str:
    r"""Its path of titles, what it lacks when it stands alone, its text; a line each.

    >>> s = Section("2", "2", "Scope", 1, ("Travel", "Scope"), None, None, None, 0, 9, 0, 9)
    >>> embedded_text(s, "", "2 Scope: all staff", with_path=True)
    'Travel > Scope\n2 Scope: all staff'
    """
    path = section_prefix(section) if with_path else ""
    return "\n".join(part for part in (path, context, text) if part)
