"""The help of commands in sections, one word for one thing, pictures by -o, and what is installed."""

import json
import tomllib

import click
import pytest
from conftest import EXAMPLES, ROOT

from mubo.cli import doctor
from mubo.cli.main import COMMANDS, GROUPS

NAMES = [name for names in GROUPS.values() for name in names]


def options_of(name):
    """The flags of a command and of its tasks."""
    found = COMMANDS[name]
    tasks = [*found.commands.values()] if isinstance(found, click.Group) else [found]
    return {flag: one for task in tasks for one in task.params for flag in one.opts if isinstance(one, click.Option)}


@pytest.mark.parametrize("name", ["kinematics", "simulate", "plot", "gait"])
def test_solver_and_older_formats_come_last(name):
    with click.Context(COMMANDS[name]) as context:
        text = COMMANDS[name].get_help(context)
    headings = [text.index(f"\n{heading}:\n") for heading in ("Options", "Solver", "Measured motion and older formats")]
    assert headings == sorted(headings)
    assert headings[0] < text.index("  --end ") < headings[1] < text.index("  --formulation") < headings[2]
    assert text.index("--format [") > headings[2]


@pytest.mark.parametrize(
    ("flag", "means"),
    [
        ("--tolerance", "constraint violation"),
        ("--mode", "Assembly mode"),
        ("--measure", "Measure"),
        ("--input", "nput"),
    ],
)
def test_an_option_means_one_thing(flag, means):
    found = {name: options_of(name)[flag].help for name in NAMES if flag in options_of(name)}
    assert found
    assert all(means in text for text in found.values()), found


def test_pictures_are_outputs():
    for name in NAMES:
        flags = options_of(name)
        assert not {"--plot", "--film", "--inputs"} & set(flags), name


@pytest.mark.parametrize(
    "asked", [("kinematics", "four_bar.toml"), ("check", "four_bar.toml"), ("inverse", "engine.toml")]
)
def test_an_ending_asks_for_a_picture(command, tmp_path, asked):
    done = command(asked[0], EXAMPLES / asked[1], "-o", "picture.png")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


def test_the_doctor_lists_versions_and_what_is_missing(command, monkeypatch):
    done = command("doctor", "--json")
    found = json.loads(done.stdout)["parts"]
    assert done.returncode == 0
    assert {"python", "core", "numpy", "report", "video", "parquet"} <= set(found)
    monkeypatch.setattr(doctor, "_version_of", lambda package: "" if package == "imageio-ffmpeg" else "1")
    video = next(part for part in doctor.parts() if part.name == "video")
    assert video.version == ""
    assert "pip install 'mubo[video]'" in video.cure


def test_every_extra_of_the_package_is_known_to_the_doctor(monkeypatch):
    """As pyproject.toml declares them: the metadata of an installation may be older than the sources."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    lines = [f'{package}; extra == "{extra}"' for extra, packages in declared.items() for package in packages]
    monkeypatch.setattr(doctor, "requires", lambda package: lines)
    assert set(doctor.EXTRAS) == {name for name in declared if declared[name]} - {"all", "benchmarks", "dev", "docs"}
    for extra in doctor.EXTRAS:
        assert doctor._packages_of(extra), extra


def test_the_version_names_what_it_stands_on(command):
    shown = command("--version").stdout
    assert shown.startswith("mubo ")
    assert all(name in shown for name in ("python", "numpy", "scipy", "click", "matplotlib"))
