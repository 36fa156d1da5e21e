"""What an HTML page's own style sheets say of its text, written where the reader of the page looks: at the elements.

Google Docs and others export what is struck out, how lists count and which cells have borders as classes, and explain
the classes in a `style` element. Selectors of types, classes and ids are read, also of one in another (`ol ol`); rules
with other selectors, inside `@media` and the like, and style sheets elsewhere are not. That a style sheet hides
something is not believed: pages show it again at a click.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from lxml import etree

from policy_rag_parsers.loaders.html.lists import LIST_STYLES

_READ: Final = frozenset(
    {"text-decoration", "list-style-type", "vertical-align", "font-family", "font-weight", "border"}
)
_COUNTING: Final = frozenset({"counter-reset", "counter-increment"})
_SAME: Final = {"text-decoration-line": "text-decoration", "list-style": "list-style-type"}
_MOST_CHARS: Final = 1_000_000
_COMMENT: Final = re.compile(r"/\*.*?\*/|<!--|-->", re.DOTALL)
_BRACE: Final = re.compile(r"[{}]")
_DECLARATION: Final = re.compile(
    r"""\s*(-?[a-z][a-z-]{0,30})\s*:((?:"[^"]*"|'[^']*'|[^;"'])*)(?:;|\Z)""", re.IGNORECASE
)
_BORDER: Final = re.compile(r"border(?:-(?:top|right|bottom|left))?(?:-style)?")
_MOST_COMPOUNDS: Final = 8
_FARTHEST: Final = 60  # levels between an element and one that a selector has around it, at most
_COMPOUND: Final = re.compile(r"(\*|[a-z][a-z0-9]*)?((?:[.#][\w-]+)*)(::?before)?", re.IGNORECASE)
_NAME: Final = re.compile(r"([.#])([\w-]+)")

Declarations = Mapping[str, str]
"""Values by property, those of one name for the short and the long form of a property."""


@dataclass(frozen=True, slots=True)
class _Compound:
    """What one element has to be: of a type (any where it is ""), with an id, with classes."""

    tag: str
    identity: str
    classes: frozenset[str]

    def fits(self, element: etree._Element) -> bool:
        if self.tag and element.tag != self.tag:
            return False
        if self.identity and element.get("id") != self.identity:
            return False
        return not self.classes or self.classes.issubset((element.get("class") or "").split())


@dataclass(frozen=True, slots=True)
class _Rule:
    """Declarations, and what they are for: elements by `compounds`, the outermost first.

    `direct` tells of each but the first whether it is a child of the one before.
    """

    compounds: tuple[_Compound, ...]
    direct: tuple[bool, ...]
    declarations: Declarations
    weight: tuple[int, int, int]

    def fits(self, element: etree._Element) -> bool:
        return self.compounds[-1].fits(element) and self._fits_above(element, len(self.compounds) - 1)

    def _fits_above(self, element: etree._Element, at: int) -> bool:
        if at == 0:
            return True
        for above in islice(element.iterancestors(), _FARTHEST):
            if self.compounds[at - 1].fits(above):
                return self._fits_above(above, at - 1)
            if self.direct[at - 1]:
                return False
        return False


@dataclass(slots=True)
class _Rules:
    """Rules by what is quick to tell of the element that they are for: an id, a class, a type, or "*"."""

    by_key: dict[str, list[tuple[int, _Rule]]] = field(default_factory=dict)
    count: int = 0

    def add(self, rule: _Rule) -> None:
        last = rule.compounds[-1]
        key = f"#{last.identity}" if last.identity else next((f".{name}" for name in last.classes), last.tag or "*")
        self.by_key.setdefault(key, []).append((self.count, rule))
        self.count += 1

    def declared(self, element: etree._Element) -> dict[str, str]:
        """What the rules declare for an element; the closer selector, then the later rule, wins."""
        classes = (element.get("class") or "").split()
        keys = ["*", str(element.tag), f"#{element.get('id')}", *(f".{name}" for name in classes)]
        found = [
            (rule.weight, at, rule.declarations)
            for key in keys
            for at, rule in self.by_key.get(key, ())
            if rule.fits(element)
        ]
        merged: dict[str, str] = {}
        for _, _, declarations in sorted(found, key=lambda one: one[:2]):
            merged.update(declarations)
        return merged


class StyleSheets:
    """The style sheets of one page."""

    def __init__(self, root: etree._Element) -> None:
        text = "\n".join("".join(map(str, style.itertext())) for style in root.iter("style"))[:_MOST_CHARS]
        self._rules, self._before = _Rules(), _Rules()
        for selectors, body in _rule_texts(_COMMENT.sub(" ", text)):
            if declarations := declarations_of(body):
                for selector in selectors.split(","):
                    self._add(selector, declarations)

    def _add(self, selector: str, declarations: Declarations) -> None:
        parsed = _parsed(selector)
        if parsed is not None:
            rule = _Rule(*parsed[:2], declarations, parsed[2])
            (self._before if parsed[3] else self._rules).add(rule)

    @property
    def write_before(self) -> bool:
        """Whether something is written before an element."""
        return bool(self._before.count)

    def before(self, element: etree._Element) -> str:
        """The `content` that is written before an element; "" where there is none."""
        return self._before.declared(element).get("content", "") if self._before.count else ""

    def counting(self, element: etree._Element) -> Declarations:
        """What an element does to counters."""
        own = declarations_of(element.get("style") or "")
        return {**self._rules.declared(element), **own}

    def write(self, root: etree._Element) -> None:
        """Write what is declared for elements into their `style`, where they do not say otherwise themselves."""
        if not self._rules.count:
            return
        for element in root.iter(etree.Element):
            found = self._rules.declared(element)
            if element.tag == "ul":  # the bullet is then drawn in another way
                found.pop("list-style-type", None)
            if found:
                written = element.get("style") or ""
                own = declarations_of(written)
                added = "".join(f"{name}:{found[name]};" for name in found if name in _READ and name not in own)
                if added:
                    element.set("style", added + written)


def declarations_of(body: str) -> dict[str, str]:
    """The declarations in a text that are of use here."""
    found: dict[str, str] = {}
    for match in _DECLARATION.finditer(body):
        name = match[1].lower()
        name = "border" if _BORDER.fullmatch(name) else _SAME.get(name, name)
        written = match[2].replace("!important", "").strip()
        if name == "list-style-type":
            written = next((word for word in written.lower().split() if word in LIST_STYLES), "")
        if written and (name in _READ or name in _COUNTING or name == "content"):
            found[name] = f"{found[name]} {written}" if name == "border" and name in found else written
    return found


def _rule_texts(text: str) -> Iterator[tuple[str, str]]:
    """The selectors and declarations of each rule, those inside `@media` and the like left out."""
    depth, at, prelude = 0, 0, ""
    for brace in _BRACE.finditer(text):
        if brace[0] == "{":
            depth += 1
            if depth == 1:
                prelude = text[at : brace.start()].rpartition(";")[2].strip()
                at = brace.end()
        elif depth:
            depth -= 1
            if depth == 0:
                if not prelude.startswith("@"):
                    yield prelude, text[at : brace.start()]
                at = brace.end()


def _parsed(selector: str) -> tuple[tuple[_Compound, ...], tuple[bool, ...], tuple[int, int, int], bool] | None:
    """A selector's compounds, which of them are children, its weight, and whether it is of what is written before."""
    compounds: list[_Compound] = []
    direct: list[bool] = []
    child = before = False
    weight = (0, 0, 0)
    for word in selector.replace(">", " > ").split():
        if word == ">":
            child = True
            continue
        match = _COMPOUND.fullmatch(word)
        if match is None or before or len(compounds) == _MOST_COMPOUNDS:
            return None
        names: Sequence[tuple[str, str]] = _NAME.findall(match[2])
        ids = [name for sign, name in names if sign == "#"]
        classes = frozenset(name for sign, name in names if sign == ".")
        tag = (match[1] or "").lower().replace("*", "")
        before = match[3] is not None
        if compounds:
            direct.append(child)
        compounds.append(_Compound(tag, ids[0] if ids else "", classes))
        weight = (weight[0] + len(ids), weight[1] + len(classes), weight[2] + bool(tag))
        child = False
    return (tuple(compounds), tuple(direct), weight, before) if compounds and not child else None
