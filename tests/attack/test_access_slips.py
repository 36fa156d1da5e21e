"""Slips in saying who may read a document: whatever is meant to restrict it is read so, or keeps the file out."""

import itertools
import random

import pytest
from attack_scale import seeds, some

from policy_rag_parsers.document_metadata.declarations import declared, read_sidecar
from policy_rag_parsers.errors import PolicyRagError
from policy_rag_parsers.loaders import load

BODY = "# Severance\n\n## 1. Scope\n\nEach employee is paid two weeks a year.\n"

BEFORE = {
    "nothing": "",
    "a blank line": "\n",
    "blanks": " \t \n\n",
    "a zero-width space": "\u200b",
    "a second mark": "\ufeff",
    "a word joiner": "\u2060\n",
    "a comment": "# of the HR department\n",
    "an HTML comment": "<!-- draft -->\n",
    "a directive": "%YAML 1.2\n",
    "a soft hyphen": "\u00ad",
}
FENCES = {
    "three": ("---", "---"),
    "four": ("----", "----"),
    "two and three": ("--", "---"),
    "indented": ("  ---", "  ---"),
    "apart": ("- - -", "- - -"),
    "TOML": ("+++", "+++"),
    "em dashes": ("———", "———"),
    "minus signs": ("−−−", "−−−"),
    "stars": ("***", "***"),
    "equals": ("===", "==="),
    "tildes": ("~~~", "~~~"),
    "code": ("```yaml", "```"),
    "named": ("---yaml", "---"),
    "no opening": ("", "---"),
    "none": ("", ""),
    "never closed": ("---", ""),
    "closed by dots": ("---", "..."),
    "a second block": ("---\ntitle: Severance\n---\n---", "---"),
    "a block with rules": ("---\n---\n---", "---"),
}
ENTRIES = {
    "plain": "access: hr",
    "a list": "access: [hr]",
    "lines": "access:\n  - hr\n  - legal",
    "indented": "  access: hr",
    "by a tab": "\taccess: hr",
    "no blank": "access:hr",
    "wide colon": "access：hr",
    "equals": 'access = "hr"',
    "flow": "{access: [hr]}",
    "flow of two": "{title: Severance, access: hr}",
    "quoted": '"access": hr',
    "upper case": "ACCESS: hr",
    "bold": "**access**: hr",
    "of a list": "- access: hr",
    "wrapped": "meta:\n  access: hr",
    "in a text": "note: |\n  Severance\n  access: hr",
    "commented": "#access: hr",
    "misspelt": "acess: hr",
    "exchanged": "accses: hr",
    "one less": "ccess: hr",
    "plural": "accesses: hr",
    "groups": "access_groups: hr",
    "by hyphen": "access-groups: [hr]",
    "to whom": "accessible_to: hr",
    "acl": "acl: hr",
    "Cyrillic a": "\u0430ccess: hr",
    "all Cyrillic": "\u0430\u0441\u0441\u0435\u0455\u0455: hr",
    "Greek": "acc\u03b5ss: hr",
    "wide": "ａｃｃｅｓｓ: hr",
    "accented": "accéss: hr",
    "a zero width within": "ac\u200bcess: hr",
    "under a title": "title: Severance\naccess_groups: hr",
    "groups alone": "title: Severance\ngroups: [hr]",
    "readers": "title: Severance\nreaders: hr",
    "private": "title: Severance\nprivate: true",
    "confidential": "title: Severance\nconfidential_to: hr",
    "users": "authorized_users: hr",
    "roles": "allowedRoles: hr",
    "shared": "shared_with: [hr]",
    "of a department": "department_access: hr",
    "who": "who_may_read: hr",
    "an attribute": ":access: hr",
    "of a template": "{% access: hr %}",
}
SUFFIXES = (".md", ".txt", ".html")

HEADS = [
    pytest.param(before + "\n".join([opens, entry, closes, ""]), suffix, id=f"{name_b}-{name_f}-{name_e}{suffix}")
    for (name_e, entry), (name_f, (opens, closes)), (name_b, before) in itertools.product(
        ENTRIES.items(), FENCES.items(), BEFORE.items()
    )
    for suffix in SUFFIXES
    # Each cause with each neighbour; the rest of the combinations are drawn below.
    if (name_b == "nothing") + (name_f == "three") + (name_e == "plain") >= 2
    or (name_b == "nothing" and suffix == ".md")
]


def groups_of(folder, name):
    """Who may read a file, as it would be taken in; None where it is kept out."""
    try:
        return declared(load(folder / name), name, read_sidecar(folder)).access
    except PolicyRagError as error:
        return None if "\n" not in str(error) and len(str(error)) < 1000 else ()


@pytest.mark.parametrize(("head", "suffix"), some(HEADS))
def test_a_slip_in_the_file(tmp_path, head, suffix):
    (tmp_path / f"severance{suffix}").write_text(
        head + (f"<p>{BODY}</p>" if suffix == ".html" else BODY), encoding="utf-8"
    )
    assert groups_of(tmp_path, f"severance{suffix}") != ()


@pytest.mark.parametrize("seed", seeds(400))
def test_several_slips_in_one_file(tmp_path, seed):
    draw = random.Random(seed)
    befores = "".join(draw.choices(list(BEFORE.values()), k=draw.randint(0, 2)))
    opens, closes = draw.choice(list(FENCES.values()))
    others = draw.sample(
        ["title: Severance", "version: 2", "", "# of 2026", "owner: Jane", "tags: [a, b]"], draw.randint(0, 3)
    )
    lines = [*others, draw.choice(list(ENTRIES.values()))]
    draw.shuffle(lines)
    ends = draw.choice(["\n", "\r\n"])
    suffix = draw.choice(SUFFIXES)
    text = befores + "\n".join([opens, *lines, closes, BODY])
    (tmp_path / f"severance{suffix}").write_bytes(
        text.replace("\n", ends).encode(draw.choice(["utf-8", "utf-8-sig", "utf-16"]))
    )
    assert groups_of(tmp_path, f"severance{suffix}") != ()


HTML = [
    '<html><head><meta name="access" content="hr"></head><body>{}</body></html>',
    '<html><head><meta property="access_groups" content="hr"></head><body>{}</body></html>',
    '<html><head><meta name="groups" content="hr"></head><body>{}</body></html>',
    '<html><head><meta itemprop="access" content="hr"></head><body>{}</body></html>',
    '<html><head><meta name="DCTERMS.accessRights" content="hr"></head><body>{}</body></html>',
    "<!-- access: hr -->\n<html><body>{}</body></html>",
    "<html><!--\ntitle: Severance\naccess: [hr]\n--><body>{}</body></html>",
    "<html><body><p>---</p><p>access: hr</p><p>---</p>{}</body></html>",
    "<html><body><pre>---\naccess: hr\n---</pre>{}</body></html>",
    "<html><body><table><tr><th>Version</th><td>2</td></tr><tr><th>Access</th><td>HR</td></tr></table>{}</body></html>",
]


@pytest.mark.parametrize("page", some(HTML))
def test_a_slip_in_a_page(tmp_path, page):
    (tmp_path / "severance.html").write_text(page.format("<h1>Severance</h1><p>Two weeks a year.</p>"))
    assert groups_of(tmp_path, "severance.html") is None
    (tmp_path / "policies.yaml").write_text("severance.html: {access: [hr]}\n")
    assert groups_of(tmp_path, "severance.html") == ("hr",)


WRAPPED = [
    "documents:\n  severance.md:\n    access: hr\n",
    "files: {severance.md: {access: [hr]}}\n",
    "- severance.md:\n    access: hr\n",
    "- file: severance.md\n  access: hr\n",
    "documents:\n  - file: severance.md\n    access: hr\n",
    "policies:\n  hr:\n    severance.md:\n      access: hr\n",
    "severance.md:\n  meta:\n    access: hr\n",
    "severance.md:\n  access_groups: hr\n",
    "severance.md:\n  acl: [hr]\n",
    "severance.md:\n  groups: [hr]\n",
    "severance.md:\n  \u0430ccess: hr\n",
    "severance.md: access hr\n",
    "severance.md:\n- access: hr\n",
    "severance.md: {access: hr\n",
    "---\ntitle: x\n---\nseverance.md:\n  access: hr\n",
    "severance.md:\n  note: |\n    access: hr\n",
    "access:\n  severance.md: hr\n",
    "groups: {hr: [severance.md]}\n",
    "roles:\n  hr:\n    - severance.md\n",
]


@pytest.mark.parametrize("text", WRAPPED)
def test_entries_in_another_form(tmp_path, text):
    (tmp_path / "severance.md").write_text(BODY)
    (tmp_path / "policies.yaml").write_text(text)
    assert groups_of(tmp_path, "severance.md") != ()


NAMES = [
    "Policies.yaml", "POLICIES.YAML", "policies.yml", "policies.YML", "policy.yaml", "polices.yaml", "policys.yaml",
    "policies.json", "policies.toml", "policies", "policies.yaml.txt", ".policies.yaml", "_policies.yaml",
    "policies .yaml", "policies.yaml ", "policies.ymal", "poiicies.yaml", "po\u200blicies.yaml", "policies.yaml.bak",
    "policies (1).yaml", "policies.yaml~", "severance.yaml", "severance.md.yaml", "access.yaml", "metadata.json",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_file_beside_it_with_another_name(tmp_path, name):
    (tmp_path / "severance.md").write_text(BODY)
    (tmp_path / name).write_text('{"severance.md": {"access": ["hr"]}}\n')
    assert groups_of(tmp_path, "severance.md") is None


ORDINARY = [
    "# Access control\n\nAccess: the right to enter is given by the officer in charge of the building.\n",
    "# Leave\n\nAccess to records is restricted to the HR department.\n",
    "---\ntitle: Leave\nowner: Jane\naudience: all staff\n---\n# Leave\n",
    "---\naccess: []\ngroups: [a]\n---\n# Leave\n",
    "# Leave\n\n---\n\n**Note:** this policy replaces the old one.\n\n---\n\nBody.\n",
    "Title: Leave\nVersion: 2\n\n1. Scope\n\nAccess: HR\n",
    "# Accessibility\n\nAccessibility: WCAG 2.2 AA\n",
    "# Groups\n\nGroups: two or more employees.\n",
    "| Role | Access |\n| --- | --- |\n| Clerk | read |\n",
    "# Leave: access: days\n\nTime: 12:30\n",
    "---\ntitle: Leave\nclassification: internal\n---\n# Leave\n",
]


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_documents_are_taken_in(tmp_path, text):
    (tmp_path / "leave.md").write_text(text)
    (tmp_path / "config.yaml").write_text("server: {access: all}\n")
    (tmp_path / "policies").mkdir()
    assert groups_of(tmp_path, "leave.md") == ()
