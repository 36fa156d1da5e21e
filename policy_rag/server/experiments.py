"""Two or more configurations served by share of users, so that what becomes of their questions can be compared."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from policy_rag.errors import UsageError
from policy_rag.settings import AnswerChanges, Settings


@dataclass(frozen=True, slots=True)
class Variant:
    """One configuration.

    Attributes:
        experiment: that it belongs to.
        name: unique in it.
        share: of the users, in parts of the sum of all shares.
        changes: settings instead of the service's.
    """

    experiment: str
    name: str
    share: float
    changes: AnswerChanges


@dataclass(frozen=True, slots=True)
class Experiment:
    """Configurations that are served side by side.

    Attributes:
        name: another one draws the users anew.
        variants: at least two.
    """

    name: str
    variants: tuple[Variant, ...]

    def variant_of(self, caller: str) -> Variant:
        """The one that serves somebody, by unique name: always the same, whichever process is asked."""
        digest = hashlib.sha256(f"{self.name}\0{caller}".encode("utf-8", "surrogatepass")).digest()
        drawn = int.from_bytes(digest[:8], "big") / 2**64 * sum(variant.share for variant in self.variants)
        for variant in self.variants:
            drawn -= variant.share
            if drawn < 0:
                return variant
        return self.variants[-1]


class _Variant(BaseModel):
    model_config = ConfigDict(extra="forbid")

    share: float = Field(1.0, gt=0)
    settings: dict[str, Any] = {}


class _Experiment(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str = Field(min_length=1, max_length=100)
    variants: dict[str, _Variant] = Field(min_length=2)


def read_experiment(path: Path, settings: Settings) -> Experiment:
    """Reads an experiment from a YAML file: `name`, and `variants` by name, each with `share` and `settings`.

    The settings of a variant must fit those of the service.

    Raises:
        UsageError: it cannot be read, or is none; a setting is unknown or does not shape an answer.
    """
    try:
        found = _Experiment.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, yaml.YAMLError, ValidationError) as error:
        first = error.errors()[0] if isinstance(error, ValidationError) else None
        said = f"{'.'.join(map(str, first['loc']))}: {first['msg']}" if first else str(error)
        raise UsageError(
            f"{path} is no experiment ({' '.join(said.split())}): give `name`, "
            "and under `variants` two names, each with `share` and `settings`"
        ) from error
    for name, variant in found.variants.items():
        settings.changed(variant.settings)
        others = sorted(variant.settings.keys() - AnswerChanges.__optional_keys__)
        if others:
            raise UsageError(f"variant {name}: {others[0]} shapes no search and no answer: leave it out")
    return Experiment(
        found.name,
        tuple(
            Variant(found.name, name, variant.share, cast("AnswerChanges", variant.settings))
            for name, variant in found.variants.items()
        ),
    )
