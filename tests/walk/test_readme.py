"""The README is true line by line: its shell lines and its Python lines run, its model file solves."""

import os
import re
import subprocess
import sys
from pathlib import Path

from conftest import ROOT

from mubo.cli.main import cli

TEXT = (ROOT / "README.md").read_text()


def block(language: str) -> str:
    return "".join(re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL))


def test_shell_and_python_lines_run(tmp_path):
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    run = {"cwd": tmp_path, "check": True, "capture_output": True, "text": True}
    place = {"PATH": path, "HOME": str(tmp_path), "PYTHONPATH": os.environ.get("PYTHONPATH", "")}
    served = "mubo studio four_bar.toml"  # it serves until it is ended
    shell = block("sh").replace(served, f"timeout 5 {served} --no-browser || [ $? = 124 ]; true")
    subprocess.run(["bash", "-ec", shell], env=place, **run)
    written = re.findall(r"-o (\S+)", shell)
    assert len(written) > 8
    for name in (*written, "four_bar.html", "eleven_bar.html", "four_bar_results/table.csv", "eleven_bar_results"):
        assert (tmp_path / name).exists(), name
    done = subprocess.run([sys.executable, "-c", block("python")], **run)
    assert "ready: the motion is determined" in done.stdout


def test_every_command_is_shown():
    shown = {words[1] for line in block("sh").splitlines() if len(words := line.split()) > 1}
    assert shown == set(cli.commands)


def test_model_file_solves(command, tmp_path):
    (tmp_path / "pendulum.toml").write_text(block("toml"))
    done = command("run", "pendulum.toml")
    assert done.returncode == 0, done.stderr
    assert "201 rows" in done.stdout


def test_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (ROOT / target).exists(), target
