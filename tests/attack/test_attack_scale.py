import pytest
from attack_scale import scaled, seeds, some


@pytest.mark.parametrize(("full", "tenth"), [(1, 1), (10, 1), (11, 2), (300, 30)])
def test_a_tenth_unless_all_are_asked_for(monkeypatch, full, tenth):
    monkeypatch.setattr("attack_scale.FULL", False)
    assert (scaled(full), len(seeds(full)), len(some(range(full)))) == (tenth, tenth, tenth)
    monkeypatch.setattr("attack_scale.FULL", True)
    assert (scaled(full), len(seeds(full)), some(range(full))) == (full, full, list(range(full)))
