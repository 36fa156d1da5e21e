"""ONNX Runtime as it is imported."""

import subprocess
import sys

import pytest

IMPORT = """
import sys
from policy_rag.models.onnx.runtime import onnx_runtime

def interrupt(frame, event, arg):
    if {begun!r} in sys.modules and frame.f_code.co_filename.endswith({file!r}):
        raise KeyboardInterrupt

sys.setprofile(interrupt)
try:
    onnx_runtime()
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize(
    ("begun", "file"),
    [("sys", "/numpy/version.py"), ("onnxruntime.capi._ld_preload", "/enum.py")],  # the latter is called by its C
)
def test_ctrl_c_while_it_is_imported_is_no_missing_package(begun: str, file: str) -> None:
    program = [sys.executable, "-c", IMPORT.format(begun=begun, file=file)]
    assert subprocess.run(program, capture_output=True, text=True, check=True).stdout == "interrupted\n"
