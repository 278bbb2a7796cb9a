"""The page of the four source systems: every feature once, every test it names exists, its commands run."""

import os
import re
import shlex
import shutil

import pytest
from click.testing import CliRunner
from conftest import EXAMPLES, ROOT

from mubo.cli.main import cli

PAGE = (ROOT / "docs" / "sources.md").read_text()
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.splitlines()
    if re.match(r"\| [KTWO]\d", line)
]
COUNTS = {"K": 62, "T": 38, "W": 49, "O": 82}
COMMANDS = list(dict.fromkeys(text for row in ROWS for text in re.findall(r"`mubo ([^`]+)`", row[2])))
# Run by tests of their own, since they take seconds: test_okins_loads, test_films, test_report,
# test_five_body_chain, test_compare_points, test_four_bar.
SLOW = (
    "animate",
    "optimize",
    "report",
    "strength",
    "inverse",
    "statics",
    "sweep",
    "plot five_body",
    "export five_body",
)


def test_every_feature_has_its_line():
    numbers = {letter: [] for letter in COUNTS}
    for cell, *_ in ROWS:
        for letter, first, last in re.findall(r"([KTWO])(\d+)(?:-[KTWO](\d+))?", cell):
            numbers[letter] += range(int(first), int(last or first) + 1)
    assert {letter: sorted(found) for letter, found in numbers.items()} == {
        letter: list(range(1, count + 1)) for letter, count in COUNTS.items()
    }
    assert all(row[3].startswith(("holds", "better: ", "stated: ")) for row in ROWS)


def test_the_tests_it_names_exist():
    sources = "".join(path.read_text() for path in (ROOT / "tests").glob("*/test_*.py"))
    names = {name for row in ROWS for name in re.findall(r"`(test_\w+)`", row[2])}
    assert not [name for name in names if f"def {name}(" not in sources]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("sources")
    for path in EXAMPLES.iterdir():
        shutil.copy(path, place)
    return place


def written_by(line):
    """The commands of the page that write what a command reads, and what those read, in their order; a file that is
    shipped, or that the command writes itself, needs none."""
    words = shlex.split(line)
    outputs = [words[k + 1] for k, word in enumerate(words[:-1]) if word == "-o"]
    needed = [word for word in words if re.fullmatch(r"[\w./]+\.\w+", word) and word not in outputs]
    before = []
    for name in needed:
        if (EXAMPLES / name).exists():
            continue
        writers = [other for other in COMMANDS if other != line and f"-o {name}" in other]
        before += [command for writer in writers[:1] for command in (*written_by(writer), writer)]
    return list(dict.fromkeys(before))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("line", [line for line in COMMANDS if not line.startswith(SLOW)])
def test_its_commands_run(line, folder, monkeypatch):
    monkeypatch.chdir(folder)
    for earlier in written_by(line):
        if not all(os.path.exists(name) for name in re.findall(r"-o (\w+\.\w+)", earlier)):
            run_command(earlier, folder)
    run_command(line, folder)


def run_command(line, folder):
    words, _, answers = line.partition(" < ")
    typed = (folder / answers).read_text() if answers else None
    done = CliRunner().invoke(cli, shlex.split(words), input=typed)
    code = getattr(done.exception, "exit_code", done.exit_code)  # errors of mubo end in `main`
    assert code == (3 if "type2.deck" in line and "kinematics" in line else 0), done.output
    for name in re.findall(r"-o (\w+\.\w+)", words):
        assert os.path.getsize(folder / name) > 0
