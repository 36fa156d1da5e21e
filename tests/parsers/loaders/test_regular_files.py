"""Reading regular files: as many bytes as there are, up to what is allowed."""

import os
from types import SimpleNamespace

import pytest

from policy_rag_parsers.errors import LoadError
from policy_rag_parsers.loaders.regular_files import read_regular


@pytest.mark.parametrize("most", [None, 3, 4, 1 << 60, 2])  # no room is made for 2^60 bytes
def test_a_file_is_read_whole_up_to_the_limit(tmp_path, most):
    (tmp_path / "a.md").write_bytes(b"abc")
    if most == 2:
        with pytest.raises(LoadError, match="has 3 bytes, and at most 2 are read"):
            read_regular(tmp_path / "a.md", most=most)
    else:
        assert read_regular(tmp_path / "a.md", most=most) == b"abc"


@pytest.mark.parametrize("most", [None, 3, 2])
def test_a_file_that_grows_while_it_is_read(tmp_path, monkeypatch, most):
    (tmp_path / "a.md").write_bytes(b"abc")
    with monkeypatch.context() as patch:  # what removes the folder looks at files, too
        patch.setattr(os, "fstat", lambda _: SimpleNamespace(st_mode=0o100644, st_size=1))
        if most == 2:
            with pytest.raises(LoadError, match="has more than 2 bytes"):
                read_regular(tmp_path / "a.md", most=most)
        else:
            assert read_regular(tmp_path / "a.md", most=most) == b"abc"
