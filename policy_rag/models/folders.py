"""Models on disk: which folder a name means, what identifies its content, and how to load it without noise."""

import contextlib
import hashlib
import json
import logging
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from policy_rag.errors import ModelError

# Other frameworks' copies of the same weights, which we never read.
_FOREIGN_WEIGHTS = ["onnx/*", "openvino/*", "coreml/*", "*.onnx", "*.h5", "*.msgpack", "*.ot", "*.tflite", "*.gguf"]
_PATIENCE = 15.0  # seconds for the first answer of the hub
_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*\Z")


def default_cache() -> Path:
    """Where models that were made ready to run are kept, unless the setting `model_cache` says otherwise."""
    return Path.home() / ".cache" / "policy_rag" / "onnx"


def model_folder(name: str, *, offline: bool, role: str) -> Path:
    """The folder that holds the model `name`: itself a folder, or a Hugging Face name `OWNER/MODEL`.

    A Hugging Face model is taken from the local cache (`HF_HOME`), and fetched into it when it is missing and we are
    not offline.

    Args:
        name: a folder, or `OWNER/MODEL`.
        offline: never fetch.
        role: what the model is for, as it stands in messages ("embedding model").

    Raises:
        ModelError: no such folder, or not a model, or not on disk while offline, or it cannot be fetched.
    """
    folder = Path(name).expanduser()
    if folder.is_dir():
        if not (folder / "config.json").is_file():
            raise ModelError(
                f"{role} {name}: this folder holds no config.json; name a folder that a model was saved to"
            )
        return folder
    if not _HUB_NAME.match(name):
        raise ModelError(f"{role} {name}: no such folder; name a folder, or a Hugging Face model as OWNER/MODEL")
    return _hub_folder(name, offline=offline, role=role)


def _hub_folder(name: str, *, offline: bool, role: str) -> Path:
    import huggingface_hub as hub

    cached = _cached(name)
    if cached is not None:
        return cached
    if offline:
        raise ModelError(f"{role} {name} is not on disk and we are offline: while online, run `hf download {name}`")
    try:
        with quiet_loggers("huggingface_hub"):  # what fails in the end is raised
            # Not list_repo_files, which tries six times over half a minute where there is no network.
            files = hub.HfApi().model_info(name, timeout=_PATIENCE).siblings or []
            ignored = list(_FOREIGN_WEIGHTS)
            if any(file.rfilename.endswith(".safetensors") for file in files):
                ignored.append("*.bin")
            return Path(hub.snapshot_download(name, ignore_patterns=ignored))
    except Exception as error:  # the hub's client raises its own, httpx's and the system's errors
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise ModelError(
            f"{role} {name} cannot be fetched ({reason}): check the name and the network, then run `hf download {name}`"
        ) from error


def require_on_disk(name: str) -> None:
    """Whether a Hugging Face model is in the local cache; nothing is said of any other name.

    Raises:
        ModelError: it is not.
    """
    if _HUB_NAME.match(name) and not Path(name).expanduser().is_dir() and _cached(name) is None:
        raise ModelError(f"not on disk: while online, run `hf download {name}`")


def _cached(name: str) -> Path | None:
    """The folder of a Hugging Face model in the local cache, where all of it is there."""
    import huggingface_hub as hub

    try:
        folder = Path(hub.snapshot_download(name, local_files_only=True))
    except (OSError, ValueError):
        return None
    return folder if has_weights(folder) else None


def has_weights(folder: Path) -> bool:
    """Whether the folder holds a configuration and weights that PyTorch reads."""
    return (folder / "config.json").is_file() and bool(_weights(folder))


def fingerprint(folder: Path) -> str:
    """What identifies a model: sha256 over the names and the content of its weights, tokenizer and configuration.

    Files that do not change what the model computes (README, copies of the weights for other frameworks) do not
    count, so that a full download and a minimal one agree. Hashes of files are kept for the process, by path, size
    and time of change.

    Returns:
        64 hexadecimal digits.
    """
    total = hashlib.sha256()
    for file in _identifying_files(folder):
        total.update(f"{file.relative_to(folder).as_posix()}\0{sha256_of(file)}\n".encode())
    return total.hexdigest()


def sha256_of(file: Path) -> str:
    """The sha256 of a file's bytes, as 64 hexadecimal digits."""
    stat = file.stat()
    return _sha256(str(file.resolve()), stat.st_size, stat.st_mtime_ns)


@lru_cache(maxsize=256)
def _sha256(path: str, size: int, mtime_ns: int) -> str:  # noqa: ARG001 - size and time are the cache's key
    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def modules(folder: Path) -> list[dict[str, str]]:
    """The parts of a sentence-transformers model (`type`, `path`), in order; empty for a bare transformer."""
    listing = folder / "modules.json"
    return list(json.loads(listing.read_text("utf-8"))) if listing.is_file() else []


def _weights(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.safetensors")) or sorted(folder.glob("*.bin"))


def _identifying_files(folder: Path) -> list[Path]:
    names = ["config.json", "modules.json", "sentence_bert_config.json", "tokenizer_config.json", "tokenizer.json"]
    if not (folder / "tokenizer.json").is_file():
        names += ["vocab.txt", "vocab.json", "merges.txt", "sentencepiece.bpe.model", "spiece.model"]
    files = {folder / name for name in names} | set(_weights(folder))
    for part in modules(folder):
        if part.get("path"):
            files |= {folder / part["path"] / "config.json", *_weights(folder / part["path"])}
    return sorted(file for file in files if file.is_file())


@contextlib.contextmanager
def quiet_loggers(*names: str) -> Iterator[None]:
    """Inside, these loggers tell of errors only."""
    loggers = [logging.getLogger(name) for name in names]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


@contextlib.contextmanager
def quiet_loading() -> Iterator[None]:
    """Load a model without progress bars, load reports and advice on standard error; errors still raise."""
    from transformers.utils import logging as chatter

    bars = chatter.is_progress_bar_enabled()
    chatter.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        with quiet_loggers("sentence_transformers", "transformers", "huggingface_hub"):
            yield
    finally:
        if bars:
            chatter.enable_progress_bar()  # type: ignore[no-untyped-call]
