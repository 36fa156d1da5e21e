"""Records of metadata: to JSON and back, and what is not theirs is refused in one line."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag_parsers.errors import MetadataError
from policy_rag_parsers.metadata.extraction_results import (
    DocumentMetadata,
    Entity,
    EntityType,
    Force,
    Kind,
    Obligation,
    SectionMetadata,
)

places = st.integers(0, 10_000)
texts = st.text(max_size=3)
entities = st.builds(Entity, st.sampled_from(EntityType), texts, places, places)
obligations = st.builds(Obligation, texts, st.sampled_from(Force), texts, texts, places, places)
sections = st.builds(
    SectionMetadata,
    texts,
    summary=st.none() | texts,
    previous_summary=st.none() | texts,
    next_summary=st.none() | texts,
    questions=st.none() | st.lists(texts, max_size=2).map(tuple),
    keywords=st.none() | st.lists(texts, max_size=2).map(tuple),
    entities=st.none() | st.lists(entities, max_size=2).map(tuple),
    obligations=st.none() | st.lists(obligations, max_size=2).map(tuple),
    shortened=st.lists(st.sampled_from(Kind), max_size=2).map(tuple),
)
documents = st.builds(
    DocumentMetadata,
    texts,
    title=st.none() | texts,
    summary=st.none() | texts,
    sections=st.lists(sections, max_size=2).map(tuple),
    shortened=st.lists(st.sampled_from(Kind), max_size=2).map(tuple),
)


@given(documents)
def test_json_and_back(document: DocumentMetadata) -> None:
    assert DocumentMetadata.from_json(json.loads(json.dumps(document.to_json()))) == document


def test_what_was_not_asked_for_is_left_out_and_what_found_nothing_stays() -> None:
    assert SectionMetadata("4.2", questions=(), summary="").to_json() == {
        "section_id": "4.2",
        "summary": "",
        "questions": [],
    }


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"section_id": 3},
        {"section_id": "1", "summary": ["no text"]},
        {"section_id": "1", "questions": "no list"},
        {"section_id": "1", "entities": [{"type": "planet", "text": "Mars", "start": 0, "end": 4}]},
        {"section_id": "1", "entities": [{"type": "role", "text": "CEO", "start": -1, "end": 3}]},
        {"section_id": "1", "entities": [{"type": "role", "text": "CEO", "start": True, "end": 3}]},
        {"section_id": "1", "obligations": [{"who": "a", "force": "must", "what": "b", "start": 0, "end": 1}]},
        {"section_id": "1", "obligations": 7},
        {"section_id": "1", "shortened": ["nothing"]},
    ],
)
def test_other_json_is_refused_in_one_line(value: dict[str, Any]) -> None:
    with pytest.raises(
        MetadataError, match=r"stored metadata cannot be read .*: run `policy-rag ingest` again"
    ) as refused:
        SectionMetadata.from_json(value)
    assert "\n" not in str(refused.value)
