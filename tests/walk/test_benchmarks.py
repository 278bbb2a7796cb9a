"""Every benchmark still runs: the smallest sizes, and no time is asserted."""

from __future__ import annotations

import runpy
import shutil
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
SCRIPTS = sorted(path for path in BENCHMARKS.glob("*.py") if 'if __name__ == "__main__"' in path.read_text())
NEEDS = {"film": "imageio_ffmpeg"}  # by script: what it cannot run without


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_benchmark_runs_through(script, monkeypatch, capsys):
    if script.stem in NEEDS:
        pytest.importorskip(NEEDS[script.stem])
    if "compile_c" in script.read_text() and not (shutil.which("gcc") or shutil.which("cc")):
        pytest.skip("there is no C compiler")
    monkeypatch.setattr(sys, "argv", [str(script), "--smallest"])
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    before = set(sys.modules)
    try:
        runpy.run_path(str(script), run_name="__main__")
    finally:
        for name in set(sys.modules) - before:
            if Path(getattr(sys.modules[name], "__file__", None) or "").parent == BENCHMARKS:
                del sys.modules[name]
    assert capsys.readouterr().out.count("\n") >= 2  # a heading and at least one line
