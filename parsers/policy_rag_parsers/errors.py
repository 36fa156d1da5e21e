"""What can go wrong between a file and its sections."""

from policy_rag_prompts.errors import PolicyRagError, UsageError


class LoadError(PolicyRagError):
    """A file cannot be read as a policy. The message names the file, the reason and what to do."""


class ProfileError(UsageError):
    """A heading profile is unknown or malformed, or one of its patterns is not safe to run."""


class DeclarationError(PolicyRagError):
    """Front matter or a `policies.yaml` says something that cannot be understood."""


class MetadataError(PolicyRagError):
    """Metadata of sections cannot be extracted at all, kept, or read back."""


class ModelError(PolicyRagError):
    """An embedding model, reranker or LLM is not there, does not answer, or answers nonsense."""


class UnansweredError(ModelError):
    """An LLM's server is not there, fell silent or failed: asking again may help."""


class PromptSizeError(ModelError):
    """A prompt does not fit an LLM's window, or the server cut it."""


__all__ = [
    "DeclarationError",
    "LoadError",
    "MetadataError",
    "ModelError",
    "PolicyRagError",
    "ProfileError",
    "PromptSizeError",
    "UnansweredError",
    "UsageError",
]
