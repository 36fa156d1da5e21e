"""Which code gave a result: after a change to it the result is computed again."""

import hashlib
from functools import cache
from pathlib import Path

from policy_rag_eval.data.dataset import digest_of


@cache
def code_digest(*roots: Path) -> str:
    """sha256 over Python sources, as 64 hexadecimal digits; read once in a process.

    Args:
        roots: files, or folders with all that is under them.
    """
    digests = (
        digest_of([path], path.parent)
        for root in roots
        for path in ([root] if root.is_file() else sorted(root.rglob("*.py")))
    )
    return hashlib.sha256("".join(digests).encode()).hexdigest()


def indexing_code() -> str:
    """The code that reads, cuts, embeds and stores."""
    import policy_rag
    import policy_rag_parsers

    application, here = Path(policy_rag.__file__).parent, Path(__file__).parents[1]
    parsers = Path(policy_rag_parsers.__file__).parent
    return code_digest(parsers, application / "index", application / "models", here / "data" / "corpora.py")


def searching_code() -> str:
    """The code that searches an index, and that counts what was found."""
    import policy_rag

    application, here = Path(policy_rag.__file__).parent, Path(__file__).parents[1]
    counting = ("sweep/retrieval.py", "measures/gold_matching.py", "sweep/stages.py")
    return code_digest(
        application / "index",
        application / "retrieval",
        application / "models",
        application / "assistant.py",
        *(here / name for name in counting),
    )


def model_code() -> str:
    """The code that runs models."""
    import policy_rag

    return code_digest(Path(policy_rag.__file__).parent / "models")
