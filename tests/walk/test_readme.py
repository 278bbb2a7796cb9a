"""README and the tour of commands are true line by line: shell lines and Python lines run, the model file solves."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

from mubo.cli.main import cli

MUBO = [str(Path(sys.executable).parent / "mubo")]
TEXT = (ROOT / "README.md").read_text()
TOUR = (ROOT / "docs" / "learn" / "commands.md").read_text()


def block(language: str, text: str = TEXT) -> str:
    return "".join(re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL))


@pytest.mark.parametrize("text", [TEXT, TOUR], ids=["README", "tour"])
def test_shell_and_python_lines_run(text, tmp_path, command):
    """Every line in its order in one folder: the first by the installed script, the others forked."""
    lines = [shlex.split(line, comments=True) for line in block("sh", text).splitlines()]
    first, *others = [line[1:] for line in lines if line and line[0] == "mubo"]
    run = {"cwd": tmp_path, "capture_output": True, "text": True}
    subprocess.run([*MUBO, *first], check=True, **run)
    for words in others:
        if words[0] == "studio":  # it serves until it is ended
            serve = [*MUBO, *words, "--no-browser"]
            with subprocess.Popen(serve, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as server:
                assert "http://127.0.0.1" in server.stdout.readline()
                server.terminate()
        else:
            done = command(*words)
            assert done.returncode == 0, (words, done.stderr)
    for name in re.findall(r"-o (\S+)", block("sh", text)):
        assert (tmp_path / name).exists(), name
    if program := block("python", text):
        done = subprocess.run([sys.executable, "-c", program], check=True, **run)
        assert "ready: the motion is determined" in done.stdout


def test_every_command_is_shown():
    shown = {words[1] for line in block("sh", TOUR).splitlines() if len(words := line.split()) > 1}
    assert shown == set(cli.commands)


def test_model_file_solves(command, tmp_path):
    (tmp_path / "pendulum.toml").write_text(block("toml"))
    done = command("run", "pendulum.toml")
    assert done.returncode == 0, done.stderr
    assert "201 rows" in done.stdout


def test_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (ROOT / target).exists(), target
