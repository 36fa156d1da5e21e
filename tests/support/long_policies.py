"""Two long policies, made up by rule: the same each time, and full of what is easily taken for a heading."""

import random
from itertools import count

from policy_forms import Block, Node, Policy

WHO = (
    "Every employee", "The line manager", "The Compliance Officer", "A business unit", "The Risk Committee",
    "The owner of the process", "Internal audit", "The Data Protection Officer", "A contractor", "The managing director",
)  # fmt: skip
DOES = (
    "must report {thing} to {office} within {days} working days",
    "keeps a record of {thing} for {years} years",
    "may not decide on {thing} without the consent of {office}",
    "reviews {thing} at least every {days} months and tells {office} what was found",
    "is told of {thing} before the work begins",
    "signs off {thing} where the amount is above EUR {amount}",
    "asks {office} for advice on {thing} if there is doubt",
)  # fmt: skip
THINGS = (
    "a change of supplier", "each breach of this policy", "gifts above the limit", "the use of private devices",
    "an outside activity", "travel outside the EU", "the loss of a device", "access to personal data",
    "a conflict of interest", "the sale of used equipment", "a new cash account", "a complaint of a customer",
)  # fmt: skip
OFFICES = ("the Compliance Office", "Group Legal", "the Service Desk", "the Treasury", "Human Resources", "the Board")
TOPICS = (
    "Business travel", "Gifts and hospitality", "Outside activities", "Suppliers", "Records", "Information security",
    "Personal data", "Expenses", "Working time", "Health and safety", "Complaints", "Dealing on own account",
    "Communication", "Donations", "Use of equipment", "Training",
)  # fmt: skip
ASPECTS = (
    "Purpose and scope", "Definitions", "Approval", "Duties of the line manager", "Exceptions", "Reporting",
    "Limits for {topic}", "How to ask", "Who decides", "Monitoring", "Keeping of records", "What is not covered?",
    "Costs", "Consequences of a breach", "Review", "Contact",
)  # fmt: skip
TRAPS = (
    "{ref} above applies to contractors as well, as far as their contract says nothing else.",
    "{ref} applies to temporary staff from their first day.",
    "{ref} does not apply where {office} has agreed otherwise in writing.",
    "{ref} and {other} remain in force until the Board has decided.",
    "2.5 million euros is the most that the group pays in one year, and {office} watches over it.",
    "30 days after the report {office} closes the case, unless it asks for more.",
    "1 July 2025 is the day from which this holds. Cases from before are decided under the old rule.",
    "Section {ref} sets the limits; {office} can lower them.",
    "In urgent cases {who} acts first and reports under {ref} afterwards; for the details see section {other}.",
)  # fmt: skip


class _Words:
    """Sentences about nothing in particular, some of them traps."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.numbers: list[str] = ["1.1"]

    def sentence(self) -> str:
        text = f"{self.random.choice(WHO)} {self.random.choice(DOES)}."
        return self._filled(text)

    def trap(self) -> str:
        return self._filled(self.random.choice(TRAPS))

    def _filled(self, text: str) -> str:
        pick = self.random.choice
        return text.format(
            thing=pick(THINGS), office=pick(OFFICES), who=pick(WHO).lower(), days=pick((2, 5, 10, 14)), years=pick((3, 6, 10)),
            amount=f"{self.random.randrange(1, 90) * 1000:,}", ref=pick(self.numbers), other=pick(self.numbers),
        )  # fmt: skip

    def paragraph(self) -> str:
        return " ".join(self.sentence() for _ in range(self.random.randint(1, 4)))

    def body(self) -> tuple[Block, ...]:
        blocks: list[Block] = [self.paragraph()]
        if self.random.random() < 0.35:
            blocks.append(self.trap())
        if self.random.random() < 0.3:
            blocks += [f"({letter}) {self._filled('{thing};')}" for letter in "abc"[: self.random.randint(2, 3)]]
        if self.random.random() < 0.12:
            rows = [
                (f"{self.random.randint(1, 9)}.{n}", self._filled("{thing}"), self._filled("{amount}"))
                for n in (1, 2, 3)
            ]
            blocks.append((("No.", "Matter", "Limit in EUR"), *rows))
        if self.random.random() < 0.15:
            blocks += [f"{n}. {self.sentence()}" for n in (1, 2, 3)]
        return tuple(blocks)


def handbook(seed: int = 11) -> Policy:
    """Sixteen chapters of titled sections, sub-sections and clauses without a title, and appendices."""
    words = _Words(seed)
    nodes: list[Node] = []

    def add(number: str, title: str, level: int, blocks: tuple[Block, ...] = ()) -> None:
        nodes.append(Node(number, title, level, blocks))
        words.numbers.append(number) if "." in number else None

    for chapter, topic in enumerate(TOPICS, 1):
        add(str(chapter), topic, 1, words.body() if chapter % 3 == 0 else ())
        aspects = words.random.sample(ASPECTS, 6)
        for section, aspect in enumerate(aspects, 1):
            title = aspect.format(topic=topic.lower())
            number = f"{chapter}.{section}"
            if section % 3 == 1:
                add(number, title, 2, words.body())
                continue
            add(number, title, 2)
            for clause in range(1, words.random.randint(2, 5)):
                titled = section % 3 == 0
                add(
                    f"{number}.{clause}",
                    words.random.choice(ASPECTS[2:11]).format(topic="it") if titled else "",
                    3,
                    words.body(),
                )
    for letter in "ABC":
        add(f"Appendix {letter}", f"Form {letter} for {words.random.choice(TOPICS).lower()}", 1, words.body())
    return Policy("Group Policy Handbook", (words.paragraph(),), tuple(nodes))


def rulebook(seed: int = 12) -> Policy:
    """Parts with articles that are counted through, their paragraphs numbered 12.1, 12.2, and annexes."""
    words = _Words(seed)
    nodes: list[Node] = []
    article = count(1)
    for part, name in zip(("I", "II", "III", "IV", "V", "VI"), TOPICS, strict=False):
        nodes.append(Node(f"Part {part}", name, 1))
        for aspect in words.random.sample(ASPECTS, 7):
            number = next(article)
            nodes.append(Node(f"Article {number}", aspect.format(topic=name.lower()), 2))
            for clause in range(1, words.random.randint(3, 6)):
                nodes.append(Node(f"{number}.{clause}", "", 3, words.body()))
                words.numbers.append(f"{number}.{clause}")
    nodes += [Node(f"Annex {numeral}", f"List {numeral} of limits", 1, words.body()) for numeral in ("I", "II")]
    return Policy("Rules of Conduct for the Group", (words.paragraph(),), tuple(nodes))
