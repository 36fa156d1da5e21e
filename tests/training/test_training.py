"""Training end to end on a made-up task: it learns, stops, goes on from where it stopped, and ships what it learnt."""

import json
import math
import random
import re
import shutil

import numpy as np
import pytest
import torch

from policy_rag.errors import ModelError
from policy_rag.models.reader import LOWEST, Reader
from training import export
from training.encoding import Encoder, batches, padded, parts, tensors
from training.examples import Pair, PairGroup, SupportLabel, TrainingTask, read_groups, write_groups
from training.losses import loss_of
from training.network import BRANCHES, OUTPUTS, SHARED_LAYERS, SHIPPED, Branch, BranchedNetwork, make_network
from training.shipped import load_shipped
from training.train import StagePlan, Trainer, outputs_of

GOOD, BAD = "the head of unit approves travel .", "leave is paid within ten days ."


def group(task, text, *pairs):
    return PairGroup(task, "made", "one", text, pairs)


def examples():
    return [
        group(TrainingTask.RANK, "who approves travel ?", Pair(GOOD, relevant=True), Pair(BAD, relevant=False)),
        group(TrainingTask.RANK, "how many days is leave paid ?", Pair(BAD, relevant=True), Pair(GOOD, relevant=False)),
        group(
            TrainingTask.READ,
            "who approves travel ?",
            Pair(GOOD, relevant=True, answerable=True, span=(0, 16)),
            Pair(BAD, relevant=False, answerable=False),
        ),
        group(TrainingTask.SUPPORT, "the head approves travel .", Pair(GOOD, support=SupportLabel.ENTAILED)),
        group(
            TrainingTask.SUPPORT, "the head must not approve travel .", Pair(GOOD, support=SupportLabel.CONTRADICTED)
        ),
        group(TrainingTask.SUPPORT, "nobody approves leave .", Pair(GOOD, support=SupportLabel.NOT_ENTAILED)),
    ]


def rows_of(base, groups):
    return Encoder(base, 40).rows(groups, random.Random(0))


def network_of(base):
    torch.manual_seed(1)
    return make_network(base)


def plan(passes, name="joint", **more):
    return StagePlan(name, 3e-3, passes, **{"minutes": 60.0, "window": 40, "frozen": SHARED_LAYERS, **more})


def train(network, work, *plans, groups=None, probe=None, every_s=180.0):
    """Trains it by the plans, as many tokens at a time as eight short rows have."""
    trainer = Trainer(network, work, seed=1, tokens=160, every_s=every_s)
    for one in plans:
        trainer.run(one, groups, probe)


def read_by(network, read):
    return outputs_of(network, read, read["attention_mask"].sum(dim=1).tolist(), 3)


@pytest.fixture(scope="module")
def trained(base, tmp_path_factory):
    work = tmp_path_factory.mktemp("work")
    network = network_of(base)
    train(network, work, plan(60), groups=rows_of(base, examples()))
    return network.eval(), work


def test_examples_come_back_from_their_file(tmp_path):
    assert write_groups(examples(), tmp_path / "a.jsonl") == 6
    assert list(read_groups(tmp_path / "a.jsonl")) == examples()


def test_rows_hold_the_answer_wherever_it_stands(base):
    passage = f"{'staff said nothing . ' * 20}{GOOD}"
    start = passage.index("head of unit")
    asked = group(TrainingTask.READ, "who ?", Pair(passage, answerable=True, span=(start, start + 12)))
    encoder = Encoder(base, 30)
    for seed in range(20):
        row = encoder.rows([asked], random.Random(seed))[0].rows[0]
        assert len(row.ids) == 30
        wanted = encoder._tokenizer.encode("head of unit", add_special_tokens=False).ids
        assert list(row.ids[row.start : row.end + 1]) == wanted


def test_an_answer_longer_than_the_window_is_marked_inside_of_the_passage(base):
    passage = "staff said nothing . " * 20
    asked = group(TrainingTask.READ, "who ?", Pair(passage, answerable=True, span=(0, len(passage))))
    row = Encoder(base, 30).rows([asked], random.Random(0))[0].rows[0]
    assert row.first <= row.start <= row.end < len(row.ids) - 1


def test_batches_hold_every_group_once_and_parts_every_row(base):
    rows = rows_of(base, examples() * 5)
    made = list(batches(rows, 200, random.Random(0)))
    assert sorted(id(one) for batch in made for one in batch) == sorted(id(one) for one in rows)
    for batch in made:
        size = sum(padded(len(row.ids)) for one in batch for row in one.rows)
        assert size <= 200 or len(batch) == 1
    lengths = [70, 60, 33, 20, 20]
    assert [n for part in parts(lengths, 3) for n in lengths[part]] == lengths


def test_reading_in_parts_gives_what_reading_at_once_does(base):
    long = group(TrainingTask.RANK, "who ?", Pair(BAD * 4, relevant=True), Pair(GOOD, relevant=False))
    read = tensors(rows_of(base, [long, *examples()]))
    network = network_of(base).eval()
    with torch.no_grad():
        whole = network(read["input_ids"], read["attention_mask"], read["token_type_ids"])
        split = read_by(network, read)
    inside = read["attention_mask"].bool()
    for one, other in zip(whole, split, strict=True):
        chosen = inside if one.shape == inside.shape else torch.ones_like(one, dtype=torch.bool)
        assert torch.allclose(one[chosen], other[chosen], atol=1e-5)
    assert torch.isclose(loss_of(whole, read), loss_of(split, read), atol=1e-5)


def test_each_of_two_rows_that_answer_stands_against_those_that_do_not():
    # Three rows of a group with logits 2, 0 and 1, of which the first two answer, and one of another group.
    logits, unknown = torch.tensor([2.0, 0.0, 1.0, 5.0]), torch.full((4,), -1)
    read = {
        "group": torch.tensor([0, 0, 0, 1]),
        "answerable": torch.tensor([1, 1, 0, -1]),
        **dict.fromkeys(("relevant", "start", "end", "support"), unknown),
        "token_type_ids": torch.ones((4, 2), dtype=torch.long),
    }
    outputs = (torch.zeros(4), logits, torch.zeros((4, 3)), torch.zeros((4, 2)), torch.zeros((4, 2)))
    against = (math.log(1 + math.exp(1 - 2)) + math.log(1 + math.exp(1 - 0))) / 2
    alone = (math.log(1 + math.exp(-2)) + math.log(1 + math.exp(-0)) + math.log(1 + math.exp(1))) / 3
    assert float(loss_of(outputs, read)) == pytest.approx(against + alone)


def test_rows_without_labels_teach_nothing(base):
    read = tensors(rows_of(base, [group(TrainingTask.RANK, "who ?", Pair(GOOD))]))
    assert float(loss_of(read_by(network_of(base), read), read).detach()) == 0.0


def test_it_learns_what_it_is_shown(base, trained):
    network, _ = trained
    read = tensors(rows_of(base, examples()))
    with torch.no_grad():
        relevance, answerable, support, start, _ = read_by(network, read)
    for place in range(read["group"].max() + 1):
        own = (read["group"] == place) & (read["relevant"] >= 0)
        if own.any():
            assert relevance[own].argmax() == read["relevant"][own].argmax()
    known = read["answerable"] >= 0
    assert ((answerable[known] > 0) == read["answerable"][known].bool()).all()
    known = (read["support"] >= 0) & (read["support"] < 3)
    assert (support[known].argmax(dim=1) == read["support"][known]).all()
    answered = read["start"] > 0
    assert (start[answered].argmax(dim=1) == read["start"][answered]).all()


def test_stopped_and_resumed_ends_where_one_run_ends(base, tmp_path):
    rows = rows_of(base, examples())
    ends = {}

    def stop(_):
        raise KeyboardInterrupt

    for name, probes in (("whole", [None]), ("stopped", [stop, stop, None])):
        (tmp_path / name).mkdir()
        for probe in probes:
            network = network_of(base)
            try:
                train(network, tmp_path / name, plan(2), groups=rows, probe=probe, every_s=0.0)
            except KeyboardInterrupt:
                assert (tmp_path / name / "joint.part.pt").is_file()
        ends[name] = network.state_dict()
        assert not (tmp_path / name / "joint.part.pt").exists()
    for one, other in zip(*(end.values() for end in ends.values()), strict=True):
        assert torch.equal(one, other)


def test_a_stage_goes_on_from_another_and_is_not_done_twice(base, tmp_path):
    rows = rows_of(base, examples())
    network = network_of(base)
    train(network, tmp_path, plan(2), groups=rows)
    behind = {name: tensor.clone() for name, tensor in network.state_dict().items()}
    untouched = plan(2, "ranked", minutes=0.0, begins="joint")
    for stages in ([plan(2)], [untouched]):  # what is done is loaded, and so is what a stage begins from
        other = make_network(base)
        train(other, tmp_path, *stages, groups=rows)
        assert all(torch.equal(behind[name], tensor) for name, tensor in other.state_dict().items())


def test_no_time_left_ends_a_stage(base, tmp_path):
    network = network_of(base)
    before = [p.clone() for p in network.parameters()]
    train(network, tmp_path, plan(50, minutes=0.0), groups=rows_of(base, examples()))
    assert all(torch.equal(one, other) for one, other in zip(before, network.parameters(), strict=True))


@pytest.mark.parametrize(("frozen", "same"), [(0, ""), (2, r"|encoder\.layer\.[01]")])
def test_words_and_the_frozen_layers_stay_as_they_were(base, tmp_path, frozen, same):
    network = network_of(base)
    before = {name: one.clone() for name, one in network.state_dict().items()}
    train(network, tmp_path, plan(2, frozen=frozen), groups=rows_of(base, examples()))
    kept = {name for name, one in network.state_dict().items() if torch.equal(before[name], one)}
    assert kept == {name for name in before if re.match(rf"encoder\.(embeddings{same})\.", name)}


@pytest.fixture(scope="module")
def networks(base, trained, tmp_path_factory):
    """What ships, by branch: the trained network, and trained on with whole passages or statements alone."""
    made = {Branch.RANKED: trained[0]}
    for branch, task in ((Branch.READ, TrainingTask.READ), (Branch.STATED, TrainingTask.SUPPORT)):
        network = network_of(base)
        network.load_state_dict(trained[0].state_dict())
        rows = rows_of(base, [one for one in examples() if one.task is task])
        train(network, tmp_path_factory.mktemp(branch), plan(20), groups=rows)
        made[branch] = network.eval()
    return made


@pytest.fixture(scope="module")
def plain(networks, tmp_path_factory):
    """The graph before it is rounded, which takes PyTorch seconds."""
    file = tmp_path_factory.mktemp("plain") / "graph.onnx"
    export.export_graph(BranchedNetwork(*networks.values(), SHARED_LAYERS), file)
    return file


@pytest.fixture(scope="module")
def folder(base, networks, plain, tmp_path_factory):
    made = tmp_path_factory.mktemp("weights")
    description = {**export.DESCRIPTION, "window": 30, "asked": 12, "overlap": 6}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(export, "export_graph", lambda _, file: shutil.copy(plain, file))
        export.write_weights(
            BranchedNetwork(*networks.values(), SHARED_LAYERS), base / "tokenizer.json", made, description
        )
    return made


def test_what_ships_reads_as_the_network_does(base, trained, folder):
    reader = Reader.load(folder)
    relevance = reader.relevance("who approves travel ?", [GOOD, BAD, " "])
    assert relevance[0] > relevance[1] > relevance[2] == LOWEST
    row = tensors(rows_of(base, [group(TrainingTask.RANK, "who approves travel ?", Pair(GOOD))]))
    with torch.no_grad():
        outputs = read_by(trained[0], row)
    wanted = (float(outputs[0]) + float(outputs[1])) / 2  # about the question, and answering it
    assert abs(wanted - relevance[0]) < 0.3
    reading = reader.read("who approves travel ?", [GOOD])[0]
    assert GOOD[reading.spans[0].start : reading.spans[0].end] == "the head of unit"
    assert reading.answerability > 0.5
    support = reader.support([GOOD, GOOD], ["the head approves travel .", "the head must not approve travel ."])
    assert support[0].supported > 0.5
    assert support[1].contradicted > 0.5


@pytest.mark.parametrize("branch", Branch)
def test_training_goes_on_from_what_ships(base, networks, folder, branch):
    network = network_of(base)
    load_shipped(network, folder / "reader.onnx", branch)
    row = tensors(rows_of(base, examples()))
    with torch.no_grad():
        own, wanted = (read_by(one.eval(), row) for one in (network, networks[branch]))
    loaded, trained_state = (one.state_dict() for one in (network, networks[branch]))
    for name in (one for one in loaded if one.startswith("encoder.encoder") and one.endswith("bias")):
        assert torch.equal(loaded[name], trained_state[name])  # what is not rounded comes from its own branch
    inside = row["attention_mask"].bool()
    for name, one, other in zip(OUTPUTS, own, wanted, strict=True):
        if name in BRANCHES[branch]:
            chosen = inside if one.shape == inside.shape else torch.ones_like(one, dtype=torch.bool)
            assert (one - other)[chosen].abs().mean() < 0.1 * other[chosen].std()


def test_networks_that_differ_below_do_not_ship_as_one(base, trained):
    with pytest.raises(ValueError, match="differ below layer 3"):
        BranchedNetwork(trained[0], trained[0], network_of(base), 3)


def test_branches_ship_as_they_were_trained(base, networks):
    row = tensors(rows_of(base, examples()))
    given = [row[name] for name in ("input_ids", "attention_mask", "token_type_ids")]
    with torch.no_grad():
        shipped = dict(zip(SHIPPED, BranchedNetwork(*networks.values(), SHARED_LAYERS)(*given), strict=True))
        said = {branch: dict(zip(OUTPUTS, one(*given), strict=True)) for branch, one in networks.items()}
    inside = row["attention_mask"].bool()
    for branch, heads in BRANCHES.items():
        for head, name in heads.items():
            one, other = shipped[name], said[branch][head]
            chosen = inside if one.shape == inside.shape else torch.ones_like(one, dtype=torch.bool)
            assert torch.allclose(one[chosen], other[chosen], atol=1e-4)


def test_the_end_of_a_long_passage_is_read_too(folder):
    reader = Reader.load(folder)
    passage = f"{'staff said nothing . ' * 30}{GOOD}"
    spans = reader.read("who approves travel ?", [passage])[0].spans
    assert "head" in passage[spans[0].start : spans[0].end]
    assert all(a.end <= b.start or b.end <= a.start for a in spans for b in spans if a is not b)


def test_an_altered_graph_is_refused(folder, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    graph = copy / "reader.onnx"
    data = bytearray(graph.read_bytes())
    data[len(data) // 2] ^= 1
    graph.write_bytes(bytes(data))
    with pytest.raises(ModelError, match="not the one"):
        Reader.load(copy)


def test_a_graph_that_is_not_the_network_is_not_kept(base, plain, tmp_path, monkeypatch):
    monkeypatch.setattr(export, "export_graph", lambda _, file: shutil.copy(plain, file))  # that of another network
    network = BranchedNetwork(*(network_of(base) for _ in Branch), SHARED_LAYERS)
    with pytest.raises(ValueError, match="not the network"):
        export.write_weights(network, base / "tokenizer.json", tmp_path / "w", export.DESCRIPTION)
    assert not (tmp_path / "w").exists()


def test_free_wording_is_balanced_and_points_to_places():
    from training.measure import FREE_WORDING

    rows = [json.loads(line) for line in FREE_WORDING.read_text("utf-8").splitlines()]
    assert len(rows) == 240
    assert np.mean([row["label"] == "supported" for row in rows]) == 0.5
    assert all(0 <= row["start"] < row["end"] and row["kind"] for row in rows)
    assert len({row["statement"] for row in rows}) == 240
