"""What a loader has found, as one can read it: the text with its marks."""

from policy_rag_parsers.records import SourceText


def headings(source: SourceText) -> list[str]:
    """The headings that are marked, each with its level: "1 Leave"."""
    return [f"{mark.level} {source.text[mark.start : mark.end]}" for mark in source.headings]


def shown(source: SourceText) -> list[str]:
    """The lines that are not blank: headings behind a # a level, rows of tables behind |, of their headers behind ||.

    A title comes before them, behind `=`; `--` stands between two tables.
    """
    levels = {(mark.start, mark.end): mark.level for mark in source.headings}
    lines = [f"= {source.title}"] if source.title else []
    at, before = 0, None
    for line in source.text.split("\n"):
        lead = "#" * levels.pop((at, at + len(line)), 0)
        table = next((one for one in source.tables if line and one.start <= at < one.end), None)
        if table:
            lead = "||" if at < table.header_end else "|"
            lines += ["--"] if before not in (None, table) else []
        if line:
            lines.append(f"{lead} {line}".strip())
            before = table
        at += len(line) + 1
    assert not levels, "a heading is no whole line"
    return lines
