"""Documents with words that no other one has, for random groups: whoever sees such a word has seen the document."""

import itertools
import json

GROUPS = ["hr", "legal", "board", "audit"]
SYLLABLES = [a + b for a, b in itertools.product("bdfgklmnprtvz", "aeiou")]
SENTENCES = [
    "Each employee is paid {n} euros a year for {word}.",
    "A manager must report {word} within {n} days.",
    "{word} is not allowed without the consent of the {word2} office.",
    "The {word} allowance is at most {n} euros a month; see section 2 for the {word2} rules.",
    "Employees may take {n} days of {word} leave where the {word2} committee agrees.",
]


class Policy:
    """A document with words that no other one has."""

    def __init__(self, draw, number, words):
        self.words = [next(words) for _ in range(6)]
        self.groups = draw.choice([[], *([group] for group in GROUPS), draw.sample(GROUPS, 2)])
        self.file = f"policy{number}{draw.choice(['.md', '.txt', '.html'])}"
        self.title = f"The {self.words[0].title()} Policy"
        self.said = {"title": self.title, "version": str(draw.randint(1, 3)), "tags": [self.words[1]]}
        if self.groups:
            self.said["access"] = self.groups if draw.random() < 0.5 or len(self.groups) > 1 else self.groups[0]
        if number and draw.random() < 0.3:
            self.said["supersedes"] = f"policy{draw.randrange(number)}.md"
        if draw.random() < 0.3:
            self.said["effective_from"] = draw.choice(["2020-01-01", "2090-01-01"])
        self._draw = draw

    def _sentence(self):
        a, b = self._draw.sample(self.words[2:], 2)
        return self._draw.choice(SENTENCES).format(n=self._draw.randint(2, 90), word=a, word2=b)

    def write(self, folder):
        """The file; what has to be said beside it."""
        heads = [f"{number}. {word.title()} rules" for number, word in enumerate(self.words[1:4], 1)]
        bodies = [
            " ".join([self._sentence() for _ in range(3)] + [f"It is about {' '.join(self.words)}."]) for _ in heads
        ]
        if self.file.endswith(".html"):
            inner = "".join(f"<h2>{head}</h2><p>{body}</p>" for head, body in zip(heads, bodies, strict=True))
            (folder / self.file).write_text(f"<html><body><h1>{self.title}</h1>{inner}</body></html>")
            return {self.file: self.said}
        marks = ("# ", "## ") if self.file.endswith(".md") else ("", "")
        inner = "".join(f"{marks[1]}{head}\n\n{body}\n\n" for head, body in zip(heads, bodies, strict=True))
        beside = self._draw.random() < 0.3
        front = "" if beside else "---\n" + "".join(f"{k}: {json.dumps(v)}\n" for k, v in self.said.items()) + "---\n"
        (folder / self.file).write_text(f"{front}{marks[0]}{self.title}\n\n{inner}")
        return {self.file: self.said} if beside else {}

    def readable(self, caller):
        return not self.groups or bool(set(self.groups) & set(caller))


def unique_words(draw):
    given = set()
    while True:
        word = "".join(draw.choices(SYLLABLES, k=5))
        if not any(word[:-1] in other or other[:-1] in word for other in given):
            given.add(word)
            yield word


def asked(draw, policy):
    """What someone may ask who wants to find out about a document."""
    word = draw.choice(policy.words)
    at = draw.randrange(1, len(word) - 1)
    slip = word[:at] + word[at + 1 :]
    return draw.choice(
        [
            f"What is the rule on {word}?",
            f"How many days of {slip} leave?",
            f"{slip}",
            f"How much is an employee paid for {slip}?",
            f"What does the {slip} policy say, and who agrees?",
            "How much is each employee paid a year?",
            "Which policies are there, and what changed?",
            f"What about {slip} and {word} in version 2?",
        ]
    )


def stated(draw, policy):
    """What someone may have checked who wants to find out about a document: some of its words, and a guess."""
    word, other = draw.sample(policy.words, 2)
    guess = draw.choice(SENTENCES).format(n=draw.randint(2, 90), word=word, word2=other[:-1])
    return draw.choice([guess, f"{guess} {guess}", f"It is about {word}."])


def leaked(text, question, hidden):
    """Words of the hidden documents in a text that were not in the question already."""
    text, question = text.lower(), question.lower()
    return [word for policy in hidden for word in policy.words if word in text and word not in question]
