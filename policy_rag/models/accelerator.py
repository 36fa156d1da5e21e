"""Whether PyTorch would find a GPU here, without loading it where there can be none."""

import sys
from functools import lru_cache
from pathlib import Path

_LINUX = ("/dev/nvidiactl", "/dev/kfd", "/dev/dxg")  # CUDA, ROCm, either of them under Windows


@lru_cache(maxsize=1)
def has_accelerator() -> bool:
    """Whether there is one that PyTorch runs models on; False where PyTorch is not installed."""
    if sys.platform == "linux" and not any(Path(device).exists() for device in _LINUX):
        return False
    try:
        import torch
    except ImportError:
        return False
    return bool(torch.accelerator.is_available())
