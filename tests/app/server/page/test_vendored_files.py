"""What is not ours is as its publisher made it, with its licence beside it, and nothing else is there."""

import hashlib
import json

from policy_rag.server.page.rendering import STATIC

VENDOR = STATIC / "vendor"
MANIFEST = json.loads((VENDOR / "manifest.json").read_text())


def test_every_file_is_the_one_that_was_pinned():
    listed = {name: file["sha256"] for package in MANIFEST for name, file in package["files"].items()}
    there = {
        str(path.relative_to(VENDOR)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in VENDOR.rglob("*")
        if path.is_file() and path.name != "manifest.json"
    }
    assert there == listed


def test_every_package_names_its_version_and_keeps_its_licence():
    for package in MANIFEST:
        assert package["version"]
        assert package["licence"]
        assert package["integrity"].startswith("sha512-")
        folder = next(iter(package["files"])).split("/")[0]
        assert f"{folder}/LICENSE" in package["files"]


def test_all_of_it_is_small():
    assert sum(path.stat().st_size for path in VENDOR.rglob("*") if path.is_file()) < 3_000_000
