"""What can go wrong in a measurement."""

from policy_rag.errors import PolicyRagError, UsageError


class DatasetError(UsageError):
    """A data set is not there, or what it says does not fit together. The message names the file and the line."""


class MeasureError(UsageError):
    """A measure is unknown or lacks its cut-off."""


class SweepCacheError(PolicyRagError):
    """What a sweep computed cannot be kept."""


class TrackingError(PolicyRagError):
    """MLflow's store cannot be read or written."""


class TuningError(PolicyRagError):
    """No choice of settings could be tried, or what was tried cannot be kept."""


__all__ = [
    "DatasetError",
    "MeasureError",
    "PolicyRagError",
    "SweepCacheError",
    "TrackingError",
    "TuningError",
    "UsageError",
]
