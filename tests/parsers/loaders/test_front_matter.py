"""Where front matter stands, and where a `---` is only a rule."""

import pytest

from policy_rag_parsers.loaders.front_matter import find_front_matter


@pytest.mark.parametrize(
    ("text", "yaml"),
    [
        ("---\ntitle: A\n---\nbody\n", "title: A\n"),
        ("---\ntitle: A\n...\nbody\n", "title: A\n"),
        ("--- \n# a comment\n\naccess: [hr]\n--- \nbody", "# a comment\n\naccess: [hr]\n"),
        ("---\n\naccess: hr\n---\nbody", "\naccess: hr\n"),
        ("---\nMy own key: 1\n---\nbody", "My own key: 1\n"),
        ("---\n- a\n- b\n---\nbody", "- a\n- b\n"),
        ("---\ntitle: A\n---", "title: A\n"),
    ],
)
def test_closed_front_matter(text: str, yaml: str) -> None:
    found = find_front_matter(text)
    assert found is not None
    assert found.closed
    assert text[found.start : found.end] == yaml
    assert text[found.body_start :] in {"body\n", "body", ""}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "title: A\n",
        "---",
        "---\n",
        "---\nThe body begins under a rule.\n\n---\nmore\n",
        "---\n\nNote: this policy is old.\n\n---\nmore\n",
        "---\n---\nbody\n",
        "----\ntitle: A\n----\n",
        " ---\ntitle: A\n---\n",
    ],
)
def test_plain_rules_are_body(text: str) -> None:
    assert find_front_matter(text) is None


@pytest.mark.parametrize("text", ["---\ntitle: A\n\n# Heading\n", "---\naccess: [hr]\nbody\n", "---\ntitle: A"])
def test_front_matter_that_is_not_closed(text: str) -> None:
    found = find_front_matter(text)
    assert found is not None
    assert not found.closed
    assert found.body_start == 0
