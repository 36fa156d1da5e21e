"""ONNX Runtime as it is imported."""

import subprocess
import sys

import pytest

IMPORT = """
import signal
import sys
from policy_rag.models.onnx.runtime import onnx_runtime

def while_numpy_is_imported(frame, event, arg):
    if frame.f_code.co_filename.endswith("/numpy/version.py"):
        raise KeyboardInterrupt

def while_it_is_loaded(frame, event, arg):
    if event == "c_call" and arg.__name__ == "exec_dynamic" and "onnxruntime.capi._ld_preload" in sys.modules:
        signal.setitimer(signal.ITIMER_REAL, 0.001)  # its C takes longer

signal.signal(signal.SIGALRM, signal.default_int_handler)
sys.setprofile({moment})
try:
    onnx_runtime()
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize("moment", ["while_numpy_is_imported", "while_it_is_loaded"])
def test_ctrl_c_while_it_is_imported_is_no_missing_package(moment: str) -> None:
    program = [sys.executable, "-c", IMPORT.format(moment=moment)]
    assert subprocess.run(program, capture_output=True, text=True, check=True).stdout == "interrupted\n"
