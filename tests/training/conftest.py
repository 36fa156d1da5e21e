"""A network of a few thousand weights, with a vocabulary of its own."""

from string import ascii_lowercase

import numpy as np
import pytest

WORDS = [
    "who", "what", "how", "many", "days", "may", "must", "not", "the", "a", "an", "is", "are", "of", "to", "by",
    "within", "leave", "travel", "head", "unit", "approves", "approve", "paid", "ten", "five", "staff", "hotel",
    "before", "after", "trip", "month", "year", "each", "rule", "policy", "asks", "needs", "writing", "nobody",
    "nothing", "else", "said",
]  # fmt: skip


@pytest.fixture(scope="session")
def base(tmp_path_factory):
    """A folder with a BERT of three layers and its tokenizer, weights drawn by a seed."""
    import torch
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from transformers import BertConfig, BertModel

    folder = tmp_path_factory.mktemp("base")
    vocabulary = {word: i for i, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", ".", "?", *WORDS])}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))  # noqa: S106 - a token of text
    tokenizer.normalizer = BertNormalizer()
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.save(str(folder / "tokenizer.json"))
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=3,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    BertModel(config, add_pooling_layer=False).save_pretrained(str(folder))
    return folder


@pytest.fixture(scope="session")
def by_letters():
    """Texts to vectors of norm 1, by how often each letter stands in them."""

    def embed(texts):
        counts = np.array([[text.lower().count(letter) + 1e-6 for letter in ascii_lowercase] for text in texts])
        return (counts / np.linalg.norm(counts, axis=1, keepdims=True)).astype(np.float32)

    return embed
