"""What a search can be told, and what it cannot."""

import pytest

from policy_rag.errors import SettingsError
from policy_rag.records.options import Expansion, Search
from policy_rag.retrieval.options import SearchOptions


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("search", "nonsense"), ("expand", ["all"]), ("top_k", 0), ("candidates", 0), ("mmr", 1.5), ("mmr", -0.1),
        ("gap_share", 0.0), ("merge_duplicates", 2.0), ("vector_weight", 1.1), ("pair_weight", -1.0),
    ],
)  # fmt: skip
def test_an_option_that_cannot_be_is_refused(option, value):
    with pytest.raises(SettingsError, match=f"search option {option}="):
        SearchOptions(**{option: value})


def test_names_may_be_given_as_text():
    assert SearchOptions(search="keyword") == SearchOptions(search=Search.KEYWORD)
    assert SearchOptions(expand=["parent"]).expand == (Expansion.PARENT,)
