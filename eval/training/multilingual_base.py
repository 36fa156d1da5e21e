"""multilingual-e5-small as a base for the reader: its word pieces cut down to those of a few languages.

    python -m training.multilingual_base FOLDER [--pieces N]

Of 250,002 pieces two thirds are in scripts that no policy of ours has, and they are four fifths of the model. The
unigram tokenizer still reads any word with what is left, in more and shorter pieces.
"""

import argparse
import json
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from policy_rag.models.packed_e5 import packed_e5_folder

LETTERS = frozenset("äöüßàâæçéèêëîïôœùûÿáíñóúãõìò")
"""What English, German, French, Spanish, Portuguese and Italian have beside a to z."""
PIECES = 40_000
_MARKS = {"<s>": "[CLS]", "</s>": "[SEP]", "<pad>": "[PAD]", "<unk>": "[UNK]"}


def is_latin(piece: str) -> bool:
    """Whether a piece is made of letters of those languages, digits and signs.

    >>> [is_latin(piece) for piece in ("▁Straße", "ção", "▁§", "при", "ệ", "▁10")]
    [True, True, True, False, False, True]
    """
    return all(
        char == "▁"
        or char.isascii()
        or char.lower() in LETTERS
        or (unicodedata.category(char)[0] in "PS" and ord(char) < 0x2600)
        for char in piece
    )


def chosen_pieces(vocabulary: Sequence[tuple[str, float]], count: int) -> list[int]:
    """The places of the pieces that stay, in their order: the marks, then the likeliest by the unigram model."""
    marks = [place for place, (piece, _) in enumerate(vocabulary) if piece in _MARKS]
    rest = [place for place, (piece, _) in enumerate(vocabulary) if piece not in _MARKS and is_latin(piece)]
    likeliest = sorted(rest, key=lambda place: (-vocabulary[place][1], place))[: count - len(marks)]
    return sorted([*marks, *likeliest])


def cut_down(whole: Path, folder: Path, count: int = PIECES) -> None:
    """Writes the model in `whole` with `count` pieces into `folder`; its marks are called as BERT's are."""
    import numpy as np
    from safetensors.numpy import load_file, save_file

    tokenizer: dict[str, Any] = json.loads((whole / "tokenizer.json").read_text(encoding="utf-8"))
    vocabulary = [(piece, score) for piece, score in tokenizer["model"]["vocab"]]
    places = chosen_pieces(vocabulary, count)
    named = [_MARKS.get(vocabulary[place][0], vocabulary[place][0]) for place in places]
    tokenizer["model"]["vocab"] = [[piece, vocabulary[place][1]] for piece, place in zip(named, places, strict=True)]
    tokenizer["model"]["unk_id"] = named.index("[UNK]")
    tokenizer["post_processor"] = None
    for token in tokenizer["added_tokens"]:
        token["content"] = _MARKS[token["content"]]
        token["id"] = named.index(token["content"])
    tensors = load_file(whole / "model.safetensors")
    table = "embeddings.word_embeddings.weight"
    tensors[table] = np.ascontiguousarray(tensors[table][places])
    configuration = json.loads((whole / "config.json").read_text(encoding="utf-8"))
    configuration |= {"vocab_size": len(places), "pad_token_id": named.index("[PAD]")}
    folder.mkdir(parents=True, exist_ok=True)
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "config.json").write_text(json.dumps(configuration, indent=2), encoding="utf-8")
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False), encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    """Makes the base."""
    parser = argparse.ArgumentParser(description="Cut multilingual-e5-small down to a base for the reader.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pieces", type=int, default=PIECES)
    parser.add_argument("--cache", type=Path, default=Path(".reader") / "models", help="where the whole model is kept")
    chosen = parser.parse_args(arguments)
    cut_down(packed_e5_folder(chosen.cache), chosen.folder, chosen.pieces)


if __name__ == "__main__":
    main()
