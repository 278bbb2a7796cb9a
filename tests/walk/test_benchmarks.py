"""Benchmarks run: each at its smallest size, without a word about time; peers that are not installed are left out."""

import subprocess
import sys

import pytest
from conftest import ROOT

SMALLEST = ["states", "stepping"]


@pytest.mark.parametrize("name", SMALLEST)
def test_benchmark_runs_at_its_smallest_size(name):
    done = subprocess.run(
        [sys.executable, ROOT / "benchmarks" / f"{name}.py", "--smallest"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "mubo" in done.stdout
