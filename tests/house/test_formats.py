"""Every kind of model file is read, offered and documented from its one line in the registry."""

import re
from pathlib import Path

import pytest
from conftest import ROOT

import mubo
from mubo.cli.convert import convert
from mubo.formats import FORMATS, format_of, save
from mubo.formats.registry import format_of_text

MANUAL = (ROOT / "docs" / "model_file.md").read_text()
ENDINGS = [ending for kind in FORMATS for ending in kind.endings]
EXAMPLES = sorted(path for path in (ROOT / "examples").iterdir() if path.suffix in ENDINGS)
PARAMETERS = {parameter.name: parameter for parameter in convert.params}


@pytest.mark.parametrize("kind", FORMATS, ids=lambda kind: kind.name)
def test_kinds_of_model_files(kind):
    assert callable(kind.reader())
    assert kind.name in PARAMETERS["kind"].type.choices
    for ending in kind.endings:
        assert format_of(f"model{ending}") is format_of(f"MODEL{ending.upper()}") is kind
        assert f"{ending} ({kind.description})" in PARAMETERS["kind"].help
        line = next(line for line in MANUAL.splitlines() if line.startswith(f"| `{ending}` | `{kind.name}` |"))
        assert line.endswith("| yes |") == bool(kind.writes)
        assert (f"{ending} ({kind.description})" in PARAMETERS["output"].help) == bool(kind.writes)
    if kind.writes:
        assert callable(kind.writer())


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_every_example_is_recognised_by_its_content(path):
    with pytest.warns(UserWarning, match="its content was recognised as format"):
        assert format_of_text(Path("model.txt"), path.read_text()) is format_of(path)


def test_the_robot_is_recognised_by_its_content(tmp_path):
    with pytest.warns(UserWarning, match="does not hold"):
        save(mubo.load(ROOT / "examples" / "robot_arm.toml").build(), tmp_path / "robot.urdf")
    text = (tmp_path / "robot.urdf").read_text()
    with pytest.warns(UserWarning, match=re.escape("robot.xml: its content was recognised as format urdf")):
        assert format_of_text(Path("robot.xml"), text).name == "urdf"
    for before in ("", '<?xml version="1.0"?>\n', "<!-- a robot -->\n\n"):
        with pytest.warns(
            UserWarning, match=re.escape("robot.txt: its content was recognised as format urdf (robots)")
        ):
            assert format_of_text(Path("robot.txt"), before + text).name == "urdf"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "TIME =     0.0000\n-----\n BODY   X\n",  # a listing
        "t [s],crank.x [m]\n0.0,1.0\n",
        "0.0,1.0,2.0\n0.1,1.1,2.1\n",
        "4 4 0 1 0 1 1 0 0 0\n",
        "<osim>\n</osim>\n",
        "Dear reader,\n",
    ],
)
def test_other_content_is_refused(text):
    with pytest.raises(mubo.ModelError, match=r"its content is not that of a model file(?s:.*)--format toml, json"):
        format_of_text(Path("model.txt"), text)


def test_names_and_endings_are_unique():
    for words in ([kind.name for kind in FORMATS], [ending for kind in FORMATS for ending in kind.endings]):
        assert len(words) == len(set(words))


def test_what_cannot_be_read_or_written_as_a_model_is_said(tmp_path):
    with pytest.raises(mubo.ModelError, match="cannot be written as deck"):
        save(mubo.Model().build(), tmp_path / "x.deck")
    with pytest.raises(mubo.ModelError, match=r'"tomml" is not a kind of model file\. Did you mean "toml"'):
        format_of("x.toml", "tomml")
