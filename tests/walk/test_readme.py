"""The README is true line by line: its shell lines and its Python lines run, its model file solves."""

import re
import subprocess
import sys
from pathlib import Path

from conftest import ROOT

TEXT = (ROOT / "README.md").read_text()


def block(language: str) -> str:
    return re.search(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)[1]


def test_shell_and_python_lines_run(tmp_path):
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    run = {"cwd": tmp_path, "check": True, "capture_output": True, "text": True}
    subprocess.run(["bash", "-ec", block("sh")], env={"PATH": path, "HOME": str(tmp_path)}, **run)
    assert {"four_bar.csv", "four_bar.txt", "path.png", "rocker.png", "four_bar.dat"} <= {
        p.name for p in tmp_path.iterdir()
    }
    done = subprocess.run([sys.executable, "-c", block("python")], **run)
    assert "ready: the motion is determined" in done.stdout


def test_model_file_solves(command, tmp_path):
    (tmp_path / "pendulum.toml").write_text(block("toml"))
    done = command("run", "pendulum.toml")
    assert done.returncode == 0, done.stderr
    assert "201 rows" in done.stdout


def test_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (ROOT / target).exists(), target
