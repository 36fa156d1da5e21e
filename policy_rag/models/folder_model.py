"""A model in a folder: described at once, loaded when it is first used; copies and pickles carry the description."""

import threading
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from policy_rag.errors import ModelError
from policy_rag.models.folders import fingerprint, quiet_loading

_Loaded = TypeVar("_Loaded")


class FolderModel(ABC, Generic[_Loaded]):
    """A model whose loaded parts `_unload` sets to what they are before the first use.

    So it can be sent to another process, which loads it for itself, and be a part of what others copy and pickle.
    """

    role: ClassVar[str]
    """As messages call it."""
    option: ClassVar[str]
    """What chooses another, for messages."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.folder = folder
        self._unload()

    def _unload(self) -> None:
        self._model: _Loaded | None = None
        self._fingerprint = ""
        self._lock = threading.RLock()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    @property
    def fingerprint(self) -> str:
        """sha256 over weights, tokenizer and configuration, 64 hexadecimal digits; of the files as they first were."""
        self._fingerprint = self._fingerprint or fingerprint(self.folder)
        return self._fingerprint

    @property
    def llama_index(self) -> _Loaded:
        """The model as LlamaIndex's class for its role, for use in other programs. Loaded on first use.

        Raises:
            ModelError: the folder does not hold a model that can be loaded.
        """
        with self._lock:
            if self._model is None:
                try:
                    with quiet_loading():
                        self._model = self._load()
                except Exception as error:  # safetensors, tokenizers and torch raise their own, with no common base
                    reason = " ".join(str(error).split())[:200]
                    raise ModelError(
                        f"{self.role} {self.name} in {self.folder} cannot be loaded ({reason}): "
                        f"fetch or save it again, or choose another with {self.option}"
                    ) from error
            return self._model

    @abstractmethod
    def _load(self) -> _Loaded:
        """The model from its folder, whatever that raises."""

    def __getstate__(self) -> dict[str, Any]:
        blank = object.__new__(type(self))
        blank._unload()
        return {name: value for name, value in vars(self).items() if name not in vars(blank)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._unload()
