"""Documents of a small company that questions point to: two editions of one policy, versions, days, declared fields."""

import datetime as dt

from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag_parsers.records import FileFormat

TODAY = dt.date(2026, 9, 1)


def day(text):
    return dt.date.fromisoformat(text) if text else None


def info(key, title, version=None, first=None, last=None, **extra):
    return DocumentInfo(
        doc_key=key,
        doc_id=f"doc{key}",
        root="",
        file=f"doc{key}.md",
        title=title,
        format=FileFormat.TEXT,
        language="english",
        version=version,
        effective_from=day(first),
        effective_to=day(last),
        supersedes=(),
        superseded_from=None,
        access=(),
        extra=extra,
        sections=1,
    )


DOCUMENTS = (
    info(1, "Expenses and Travel Policy", "3.2", "2023-01-01", "2025-12-31", department="Finance"),
    info(2, "Expenses and Travel Policy", "4.0", "2026-01-01", department="Finance"),
    info(3, "Leave Policy", "7.0", "2026-01-01", audience=("employees", "contractors"), topics=("deadlines", "leave")),
    info(4, "Code of Conduct", "4.0", "2025-01-01", department="IT"),
    info(5, "Betriebsvereinbarung Arbeitszeit", "1.1", "2025-04-01", site="Lübeck"),
    info(6, "Acceptable Use Policy", "3.0", risk="high", owner="Head of IT"),
    info(7, "Leave, Sickness and Absence Handbook"),
)
