"""Small policies to make question sets from, and an LLM's part that asks about what it is given."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

LEAVE = """# Leave Policy

## 1. Definitions

"Approver" means the head of the department in which somebody works.

## 2. Requests

Requests must be answered by the approver within ten working days. Employees may not book flights before leave is granted.

## 3. Carrying over

Up to five days may be carried over into the next year. If employment ends early, open days are paid out with the last salary.

## 4. Occasions

| Occasion | Working days |
| --- | --- |
| Own wedding | 2 |
| Moving house | 1 |
"""
TRAVEL = """# Travel Policy

## 1. Hotels

Hotels are booked by the travel desk. Hotel bars are not reimbursed. See section 2 of the Leave Policy for private days.

## 2. Trains

Tickets in first class are paid only if the journey takes longer than three hours.
"""
OLD = """---
effective_to: 2025-12-31
---
# Old Travel Policy

## 1. Ships

Ships must be booked by the harbour office within four weeks.
"""
SECRET = """---
access: [board]
---
# Board Rules

## 1. Meetings

Meetings must be announced by the chair within eight days.
"""


def write_policies(folder: Path) -> Path:
    """Two open policies, one that no longer holds, and one for the board."""
    folder.mkdir()
    texts = {"leave.md": LEAVE, "travel.md": TRAVEL, "old.md": OLD, "secret.md": SECRET}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def set_rows(out: str = "set") -> list[dict[str, Any]]:
    """The questions of a set as its file has them."""
    return [json.loads(line) for line in Path(out, "queries.jsonl").read_text(encoding="utf-8").splitlines()]


def shown_sections(body: Mapping[str, Any]) -> list[str]:
    """The sections in the prompt of a chat."""
    return [
        part.strip() for part in re.findall(r"<section>\n(.*?)\n</section>", body["messages"][-1]["content"], re.DOTALL)
    ]


def asked_styles(body: Mapping[str, Any]) -> list[str]:
    """The styles that the prompt of a chat asks for."""
    return re.findall(r'^- "(\w+)":', body["messages"][-1]["content"], re.MULTILINE)


def first_words(section: str) -> str:
    """The first sentence of a section below its heading."""
    return section.partition("\n\n")[2].partition(". ")[0].strip().splitlines()[0]


def good_reply(body: Mapping[str, Any], *, change: Callable[[dict[str, Any]], None] | None = None) -> str:
    """A faultless reply: for each style a question made of a word of its own and the section's longest words."""
    sections = shown_sections(body)
    topic = " ".join(sorted(set(re.findall(r"[A-Za-z]{5,}", " ".join(sections))), key=len)[-3:])
    if len(sections) == 2:
        first, second = (first_words(section) for section in sections)
        items = [{"question": f"Both {topic}?", "first_quote": first, "second_quote": second, "answer": ""}]
    else:
        items = [
            {
                "style": style,
                "question": f"{style} zebra {i}?" if style == "unanswerable" else f"Which {style} rule, {topic}?",
                "quote": "" if style == "unanswerable" else first_words(sections[0]),
                "answer": "",
            }
            for i, style in enumerate(asked_styles(body))
        ]
    for item in items:
        if change:
            change(item)
    return json.dumps({"questions": items})
