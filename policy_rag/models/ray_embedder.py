"""An embedding model on all machines of a Ray cluster: for embedding a whole library anew."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from policy_rag.errors import ModelError
from policy_rag_parsers.telemetry import silence_telemetry

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from policy_rag.models.embedder import Embedder

LOCAL: Final = "local"
"""The address that means this machine alone."""

_PIECE = 64  # texts that a machine is given at once
_AHEAD = 8  # pieces a machine between two of the index's writes: what a break costs at most
_AGAIN = 3  # how often a model is loaded again, and a piece embedded again, where a machine went away


class RayEmbedder:
    """Gives texts to the machines of a Ray cluster, each of which loads the model once; all else is `model`'s own.

    It is reached when the first text is embedded. Each machine needs this version of policy-rag and the same model.

    Args:
        model: the same embedding model here.
        load: makes it on another machine: a function of a module, which is found there by its name.
        options: what `load` takes.
        address: `HOST:PORT` or `ray://HOST:PORT` of the cluster, `auto`, or `local`.

    Attributes:
        texts_at_once: how many texts it is best given, once the cluster is reached.

    Raises:
        ModelError: Ray is not installed.
    """

    def __init__(
        self, model: "Embedder", load: Callable[..., "Embedder"], options: dict[str, Any], address: str
    ) -> None:
        if find_spec("ray") is None:
            raise ModelError("ray is not installed: run `pip install 'policy-rag[ray]'`, or leave --ray out")
        self._model, self._load, self._options, self._address = model, load, options, address
        self._machines: list[Any] = []
        self._joined = False  # by us; a program may have joined a cluster before, which it then goes on using
        self.name, self.fingerprint = model.name, model.fingerprint
        self.dimension, self.max_tokens = model.dimension, model.max_tokens
        self.embed_queries, self.count_tokens = model.embed_queries, model.count_tokens

    @property
    def texts_at_once(self) -> int:
        """Texts that keep all machines busy, whatever one of them is slower than another."""
        self._reach()
        return _PIECE * _AHEAD * len(self._machines)

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """See `Embedder.embed`.

        Raises:
            ModelError: the cluster does not answer, or a machine of it has no or another model.
        """
        import numpy as np

        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        self._reach()
        from ray.util import ActorPool

        pieces = [list(texts[i : i + _PIECE]) for i in range(0, len(texts), _PIECE)]
        with self._failures():
            pool = ActorPool(self._machines)
            return np.concatenate([*pool.map(lambda machine, piece: machine.embed.remote(piece), pieces)])

    def close(self) -> None:
        """Lets the cluster go; it is reached again where more is to be embedded."""
        if self._machines:
            self._leave()

    def _leave(self) -> None:
        import ray

        self._machines = []
        if self._joined:
            ray.shutdown()
            self._joined = False

    def _reach(self) -> None:
        if self._machines:
            return
        silence_telemetry()
        import ray
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        with self._failures():
            how: dict[str, Any] = {"log_to_driver": False, "logging_level": "critical"}
            if self._address == LOCAL:
                how |= {"include_dashboard": False, "_node_ip_address": "127.0.0.1"}
            else:
                how["address"] = self._address
            if not ray.is_initialized():
                self._joined = True
                ray.init(**how)
            actor: Any = ray.remote(_Machine)
            listed: Any = ray.nodes  # which has no types
            nodes = [node["NodeID"] for node in listed() if node["Alive"] and node["Resources"].get("CPU")]
            machines = [
                actor.options(
                    num_cpus=1,
                    max_restarts=_AGAIN,
                    max_task_retries=_AGAIN,
                    scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=True),
                ).remote(self._load, self._options)
                for node in nodes
            ]
            others = set(ray.get([machine.fingerprint.remote() for machine in machines])) - {self.fingerprint}
        if others or not machines:
            self._leave()
            what = f"has other weights of {self.name}" if others else "has no processor to give"
            raise ModelError(f"a machine of Ray at {self._address} {what}: see to it, or leave --ray out")
        self._machines = machines

    @contextmanager
    def _failures(self) -> Iterator[None]:
        """What Ray cannot do, in one line."""
        from ray.exceptions import RayError

        try:
            yield
        except (RayError, ConnectionError, RuntimeError, ValueError) as error:
            self._leave()
            cause = getattr(error, "cause", None) or error
            reason = str(cause).strip().splitlines() or [type(cause).__name__]
            raise ModelError(
                f"Ray at {self._address} cannot embed ({reason[0]}): see that `ray status` shows its machines and that "
                "each has this version of policy-rag, or leave --ray out"
            ) from error


class _Machine:
    """What runs on another machine."""

    def __init__(self, load: Callable[..., "Embedder"], options: dict[str, Any]) -> None:
        silence_telemetry()
        self._model = load(**options)

    def fingerprint(self) -> str:
        return self._model.fingerprint

    def embed(self, texts: list[str]) -> "NDArray[np.float32]":
        return self._model.embed(texts)
