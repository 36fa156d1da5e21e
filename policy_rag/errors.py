"""Every error that policy_rag raises on purpose. Each message is one line that says what to do next."""

from policy_rag_parsers.errors import (
    DeclarationError,
    LoadError,
    MetadataError,
    ModelError,
    ProfileError,
    PromptSizeError,
    UnansweredError,
)
from policy_rag_prompts.errors import PolicyRagError, PromptError, UsageError


class MissingError(UsageError):
    """What was named is not there, or not for the caller: neither says which."""


class SettingsError(UsageError):
    """A setting is unknown or has a value that it cannot have."""


class IndexingError(PolicyRagError):
    """The index is missing, damaged, locked, or was made with other settings than those in use."""


class BudgetError(PolicyRagError):
    """A question was stopped before it exceeded what it may take."""


class TraceError(PolicyRagError):
    """A question's trace could not be kept."""


class StateError(PolicyRagError):
    """What the service keeps for itself cannot be read or written."""


class OfflineError(ModelError):
    """Something tried to leave the machine while offline."""


__all__ = [
    "BudgetError",
    "DeclarationError",
    "IndexingError",
    "LoadError",
    "MetadataError",
    "MissingError",
    "ModelError",
    "OfflineError",
    "PolicyRagError",
    "ProfileError",
    "PromptError",
    "PromptSizeError",
    "SettingsError",
    "StateError",
    "TraceError",
    "UnansweredError",
    "UsageError",
]
