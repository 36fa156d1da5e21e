"""The simulation of verdicts: what it draws, and that it tells errors and power apart."""

import json

import numpy as np
import pytest

from benchmarks.verdicts import ahead, drawn, junk, main, uneven
from policy_rag_eval.statistics.multiple import skewed


def test_what_is_drawn_is_as_it_is_said_to_be() -> None:
    rng = np.random.default_rng(1)
    table = drawn(rng, 3, 20_000)
    assert np.ptp(table.mean(axis=1)) < 0.02
    assert ahead(rng, table, 0.06).mean(axis=1)[0] - table.mean(axis=1)[0] == pytest.approx(0.06, abs=0.005)
    assert junk(rng, 1, 20_000).mean() == pytest.approx(table.mean() / 2, abs=0.01)
    assert np.corrcoef(table)[0, 1] > 0.3
    steady, rare = uneven(rng, 2, 20_000)
    assert steady.mean() == pytest.approx(rare.mean(), abs=0.005)
    assert skewed((rare - steady)[:400].tolist())


def test_errors_are_few_and_power_grows_with_the_lead(capsys: pytest.CaptureFixture[str]) -> None:
    main(["power", "--sweeps", "8", "--questions", "60", "--ahead", "0.01"])
    small = json.loads(capsys.readouterr().out)
    main(["power", "--sweeps", "8", "--questions", "60", "--ahead", "0.25"])
    large = json.loads(capsys.readouterr().out)
    for beside in small:
        assert large[beside]["verdicts"] > small[beside]["verdicts"]
        assert large[beside]["verdicts"] >= large[beside]["Holm"]
        assert large[beside]["signs alone"] >= large[beside]["verdicts"]
