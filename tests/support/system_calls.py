"""Whether strace can show the system calls of a process, and end one at a call of choice."""

import os
import shutil
import subprocess


def can_trace() -> bool:
    strace = shutil.which("strace")
    if strace is None:
        return False
    return subprocess.run([strace, "-qq", "-o", os.devnull, "true"], check=False, capture_output=True).returncode == 0
