"""What documents declare, and that no mistake opens access."""

import datetime as dt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag_parsers.document_metadata.declarations import Declaration, declared, declared_access, read_sidecar
from policy_rag_parsers.document_metadata.yaml_fields import read_fields
from policy_rag_parsers.errors import DeclarationError
from policy_rag_parsers.loaders.text import load_text
from policy_rag_parsers.records import FileFormat, SourceText


def of(yaml: str) -> Declaration:
    source = load_text(f"---\n{yaml}\n---\nbody\n".encode(), FileFormat.MARKDOWN)
    return declared(source, "a.md", {})


def test_all_keys() -> None:
    found = of(
        "title: Travel  Policy\nversion: 1.10\neffective_from: 2024-01-31\neffective_to: '2024-12-31'\n"
        "supersedes: [old.md, Old Policy]\naccess: [hr, legal]\nowner: Jane\nlevel: 3\nshare: 0.5\nfinal: true\n"
        "tags: [1.10, b]\nreview: 2025-06-01\ncountry: NO\ntime: 12:30\nref: 010\nnested: {a: 1}\nempty:\n"
    )
    assert found == Declaration(
        title="Travel Policy",
        version="1.10",
        effective_from=dt.date(2024, 1, 31),
        effective_to=dt.date(2024, 12, 31),
        supersedes=("old.md", "Old Policy"),
        access=("hr", "legal"),
        extra=(
            ("country", "NO"),
            ("final", True),
            ("level", 3),
            ("nested", "{a: 1}"),
            ("owner", "Jane"),
            ("ref", "010"),
            ("review", dt.date(2025, 6, 1)),
            ("share", 0.5),
            ("tags", ("1.10", "b")),
            ("time", "12:30"),
        ),
    )


def test_known_keys_in_another_spelling() -> None:
    found = of("Title: A\nEffective-From: 2024-01-02T08:00:00\nACCESS: hr")
    assert (found.title, found.effective_from, found.access) == ("A", dt.date(2024, 1, 2), ("hr",))


def test_the_title_of_the_properties_is_not_declared() -> None:
    source = SourceText("body", FileFormat.PDF, title="From the properties")
    assert declared(source, "a.pdf", {}) == Declaration()
    assert of("# only a comment\naccess: []").access == ()


@pytest.mark.parametrize(
    ("yaml", "message"),
    [
        ("access:", "a.md, line 2: access: it is empty; name the groups"),
        ("access: true", "line 2: access: 'true' names no group"),
        ("access: {hr: yes}", "line 2: access: expected a name or a list"),
        ("access: [[hr]]", "line 2: access: expected a name or a list"),
        ("access: [hr, '']", "line 2: access: a name is empty"),
        ("access: ''", "line 2: access: a name is empty"),
        ("access: [hr]\naccess: [legal]", "line 3: 'access' stands on line 2 already"),
        ("access: [hr]\nAccess: [legal]", "line 3: 'access' is given twice"),
        ("title: A\nacess: [hr]", "line 3: unknown key 'acess'; write `access`"),
        ("base: &x {access: [hr]}\n<<: *x", "line 3: `<<` is not followed"),
        ("access: [hr", "a.md, line 3: not valid YAML"),
        ("access: !!python/object:os.system [hr]\ntitle: !!python/name:os x", "is not allowed"),
        ("- access\n- hr", "line 2: expected `key: value` lines"),
        ("effective_from: soon", "line 2: effective_from: 'soon' is no date; write YYYY-MM-DD"),
        ("effective_from: 2024-02-30", "line 2: '2024-02-30' is no valid value"),
        ("effective_from: 2024-02-02\neffective_to: 2024-02-01", "line 3: effective_to: 2024-02-01 lies before"),
        ("version: [1, 2]", "line 2: version: expected a single value"),
    ],
)
def test_mistakes_name_file_and_line(yaml: str, message: str) -> None:
    with pytest.raises(DeclarationError) as caught:
        of(yaml)
    assert message in str(caught.value)
    assert str(caught.value).startswith("a.md")
    assert "\n" not in str(caught.value)


def test_front_matter_that_is_not_closed() -> None:
    source = load_text(b"---\naccess: [hr]\n\nbody\n", FileFormat.TEXT)
    assert source.body_start == 0
    with pytest.raises(DeclarationError, match=r"a.txt, line 1: front matter is begun and not closed"):
        declared(source, "a.txt", {})


def test_html_has_no_front_matter_and_is_kept_out_until_its_access_is_said_beside_it() -> None:
    source = SourceText("---\naccess: [hr]\n---\n", FileFormat.HTML)
    with pytest.raises(DeclarationError, match=r"a.html: 'access: \[hr\]' looks like a statement on who may read"):
        declared(source, "a.html", {})
    sidecar = {"a.html": read_fields("access: []", "policies.yaml")}
    assert declared(source, "a.html", sidecar) == Declaration()


def test_sidecar_by_path_then_by_name_and_front_matter_wins(tmp_path: Path) -> None:
    (tmp_path / "policies.yaml").write_text(
        "a.md: {title: By name, access: hr}\n"
        "sub/a.md: {title: By path, version: 2.10, owner: Jo}\nnone.md: {title: x}\n"
    )
    sidecar = read_sidecar(tmp_path)
    plain = SourceText("body", FileFormat.MARKDOWN)
    matter = load_text(b"---\ntitle: Own\n---\nbody", FileFormat.MARKDOWN)
    assert declared(plain, "a.md", sidecar) == Declaration(title="By name", access=("hr",))
    assert declared(plain, "else/a.md", sidecar).title == "By name"
    assert declared(matter, "sub/a.md", sidecar) == Declaration(title="Own", version="2.10", extra=(("owner", "Jo"),))
    assert declared(plain, "b.md", sidecar) == Declaration()


def test_sidecar_names_are_compared_composed(tmp_path: Path) -> None:
    (tmp_path / "policies.yaml").write_text("Ge\u0308halt.md: {access: hr}\n", encoding="utf-8")
    found = declared(SourceText("body", FileFormat.MARKDOWN), "G\u00e4halt.md", read_sidecar(tmp_path))
    assert found.access == ()
    found = declared(SourceText("body", FileFormat.MARKDOWN), "G\u00ebhalt.md", read_sidecar(tmp_path))
    assert found.access == ("hr",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a.md: hr\n", "policies.yaml, line 1: 'a.md' needs keys under it"),
        ("- a\n", "policies.yaml, line 1: expected `key: value`"),
        ("a.md: {access: [hr}\n", "policies.yaml, line 1: not valid YAML"),
        ("a.md: {title: x}\na.md: {access: hr}\n", "line 2: 'a.md' stands on line 1 already"),
        ("a.md: {title: x}\n./a.md: {access: hr}\n", "has two entries"),
        ("a\x00b", "NUL"),
    ],
)
def test_broken_sidecars(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "policies.yaml").write_text(text)
    with pytest.raises(DeclarationError) as caught:
        read_sidecar(tmp_path)
    assert message in str(caught.value)


def test_no_sidecar_and_a_misnamed_one(tmp_path: Path) -> None:
    assert read_sidecar(tmp_path) == {}
    (tmp_path / "policies.yml").write_text("a.md: {access: hr}\n")
    with pytest.raises(DeclarationError, match=r"rename it to policies\.yaml"):
        read_sidecar(tmp_path)


def test_a_mistake_in_a_sidecar_names_both_files(tmp_path: Path) -> None:
    (tmp_path / "policies.yaml").write_text("a.md:\n  access:\n")
    with pytest.raises(DeclarationError, match=r"^a\.md: policies\.yaml \(a\.md\), line 2: access: it is empty"):
        declared(SourceText("body", FileFormat.MARKDOWN), "a.md", read_sidecar(tmp_path))


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=60))
def test_an_access_line_never_opens_by_mistake(value: str) -> None:
    """Whatever follows `access:`, the document is restricted, in error, or the list was written as empty."""
    source = load_text(f"---\naccess: {value}\n---\nbody\n".encode(), FileFormat.MARKDOWN)
    try:
        found = declared(source, "a.md", {})
    except DeclarationError:
        return
    assert found.access or "[" in value


@pytest.mark.parametrize(
    ("matter", "entry", "groups"),
    [
        ("effective_from: never\naccess: hr", "", ("hr",)),
        ("access: []", "access: hr", ()),
        ("title: A", "access: [hr, board]", ("hr", "board")),
        ("title: A", "title: B", None),
    ],
)
def test_access_alone_is_understood_where_the_rest_is_not(
    matter: str, entry: str, groups: object, tmp_path: Path
) -> None:
    (tmp_path / "policies.yaml").write_text(f"a.md: {{{entry}}}\n")
    source = load_text(f"---\n{matter}\n---\nbody\n".encode(), FileFormat.MARKDOWN)
    assert declared_access(source, "a.md", read_sidecar(tmp_path)) == groups


@pytest.mark.parametrize("matter", ["access:", "acces: hr", "access: [hr\n", "access: hr\naccess: board"])
def test_access_that_is_not_understood_is_an_error(matter: str) -> None:
    source = load_text(f"---\n{matter}\n---\nbody\n".encode(), FileFormat.MARKDOWN)
    with pytest.raises(DeclarationError):
        declared_access(source, "a.md", {})
