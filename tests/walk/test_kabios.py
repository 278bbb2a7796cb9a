"""KABIOS files as users of that program have them: any ending, its listing, its prompts, its charts."""

import base64
import json
import os
import pty
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import EXAMPLES
from page_numbers import embedded

import mubo
from mubo.view import plot
from mubo.view.film import Film, FilmSettings
from mubo.view.scene import scene_of
from mubo.view.scene.data import Kind

FOUR_BAR = EXAMPLES / "kabios_four_bar.dat"


def test_a_text_file_of_any_name_is_recognised(command, tmp_path):
    for name in ("four.txt", "four.inp", "four"):
        shutil.copy(FOUR_BAR, tmp_path / name)
        done = command("check", name)
        assert done.returncode == 0
        assert done.stderr == f"note: {name}: its content was recognised as format kabios (KABIOS)\n"
        assert "N = 12" in done.stdout
    given = command("check", "four.txt", "--format", "kabios")
    assert (given.returncode, given.stderr, given.stdout) == (0, "", command("check", "four.txt").stdout)


def test_the_model_is_not_overwritten_by_its_listing(command, tmp_path):
    shutil.copy(FOUR_BAR, tmp_path / "four.txt")
    done = command("kinematics", "four.txt", "-o", "four.txt")
    assert done.returncode == 1
    assert "is the model itself" in done.stderr


def test_the_listing_on_the_screen_is_that_of_the_file(command, tmp_path):
    shown = command("kinematics", FOUR_BAR, "-o", "-")
    assert command("kinematics", FOUR_BAR, "-o", "listing.txt").returncode == 0
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout == (tmp_path / "listing.txt").read_text()
    assert command("run", FOUR_BAR, "-o", "-").stdout == shown.stdout
    assert not (tmp_path / "-").exists()
    done = command("run", FOUR_BAR, "-o", "folder")
    assert (tmp_path / "folder" / "listing.txt").read_text() == shown.stdout
    for name in ("listing.txt", "newton_violation.png", "newton_totals.png"):
        assert f"folder/{name}" in done.stdout
        assert (tmp_path / "folder" / name).stat().st_size > 1000


STREAMED = [
    (("kinematics", "four_bar.toml", "-o", "-"), "t [s],crank.x [m]"),
    (("kinematics", "four_bar.toml", "-o", "-.txt"), "TIME =     0.0000"),
    (("kinematics", "kabios_four_bar.dat", "-o", "-.csv"), "t,body1.x"),
    (("run", "four_bar.toml", "-o", "-"), "t [s],crank.x [m]"),
    (("run", "type1.deck", "-o", "-"), "  170.00     .00  -10.00  180.00\n"),
    (("inverse", "engine.toml", "-o", "-"), "t [s],"),
    (("simulate", "simple_pendulum.toml", "-o", "-"), "t [s],bob.x [m]"),
    (("verify", "four_bar.toml", "-o", "-"), "check,compared,"),
    (("linearize", "simple_pendulum.toml", "-o", "-"), '{\n "status"'),
    (("sensitivity", "parameters.toml", "-o", "-"), "measure,parameter,"),
    (("export", "four_bar.toml", "-o", "-"), "t,crank.x,"),
    (("convert", "kabios_four_bar.dat", "-o", "-"), 'name = "kabios_four_bar"'),
    (("synthesize", "swing", "60", "-o", "-"), "design,kind,"),
]


@pytest.mark.parametrize(("words", "begins"), STREAMED, ids=lambda entry: entry[0] if isinstance(entry, tuple) else "")
def test_any_table_goes_to_standard_output(command, words, begins):
    done = command(*(EXAMPLES / word if (EXAMPLES / word).is_file() else word for word in words))
    assert done.returncode == 0
    assert done.stdout.startswith(begins)
    for summary in ("status          ", "file  ", "/-."):
        assert summary not in done.stdout


def test_json_on_standard_output_is_whole(command):
    done = command("kinematics", FOUR_BAR, "-o", "-.json")
    assert len(json.loads(done.stdout)["columns"]["t"]) == 41


@pytest.mark.parametrize("more", [("--json",), ("-o", "-.csv")])
def test_standard_output_is_written_once(command, more):
    done = command("kinematics", FOUR_BAR, "-o", "-", *more)
    assert (done.returncode, done.stdout) == (2, "")
    assert "both write to standard output: give one of them" in done.stderr


def test_a_motion_that_stops_early_is_streamed_and_reported(command, tmp_path):
    """Links 2, 4, 4 with a ground of 7: 2 + 7 > 4 + 4, no link turns round (Grashof), and the crank locks."""
    (tmp_path / "four.dat").write_text(FOUR_BAR.read_text().replace("2.5000", "7.0000"))
    done = command("kinematics", "four.dat", "-o", "-")
    assert done.returncode == 3
    assert done.stdout.startswith("TIME =     0.0000\n")
    assert "locks" in done.stderr


def test_wide_numbers_keep_the_columns_in_line(tmp_path):
    """Ten thousand turns a second: r ω² is 4e9 lengths per second squared, beside positions of 1."""
    path = tmp_path / "fast.dat"
    path.write_text(FOUR_BAR.read_text().replace("6.2832", "62831.8530").replace("1.0000 0.0250", "1e-4 1e-5"))
    lines = mubo.load(path).kinematics().listing.splitlines()
    assert any("E+" in line for line in lines)
    rows = [line for line in lines if len(line.split()) == 10]
    assert len(rows) == 11 * 5  # a head and four bodies at each time
    assert len({tuple(cell.end() for cell in re.finditer(r"\S+", row)) for row in rows}) == 1
    assert {len(line) for line in lines if line.startswith("---")} == {max(97, len(rows[0]))}


def test_answers_from_a_pipe_make_the_file_and_the_listing(command, tmp_path):
    for name in ("kabios_four_bar.dat", "kabios_thigh.dat"):
        done = command("kabios", "-o", f"{name}.txt", input=(EXAMPLES / name).read_text())
        assert done.returncode == 0
        assert done.stdout == command("kinematics", EXAMPLES / name, "-o", "-").stdout
        assert mubo.load(tmp_path / f"{name}.txt", "kabios").drivers == mubo.load(EXAMPLES / name).drivers
    named = command("kabios", input=FOUR_BAR.read_text() + "made.dat\n")
    assert (named.returncode, named.stderr) == (0, "file made.dat\n")
    assert "4 4 0 1 0 1 1 0 0 (a)" in (tmp_path / "made.dat").read_text()


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("4 4 0 1", "4 4 0 2", "line 1: there are more equations than coordinates: M = 15, N = 3 NB = 12"),
        ("0.5000 0.8000 1.0470", "0.5 0.8", "line 3: the answer ends early: PHI of body 2 is missing"),
        ("1 2 0.0000", "1 7 0.0000", "line 6: revolute joint 1: body number J must be 1 to 4; found 7"),
        ("2 3 1.0472", "2 4 1.0472", "line 11: driver 1: the coordinate (1 x, 2 y, 3 phi) must be 1 to 3; found 4"),
        ("3 0.5000", "3 4 0.5000", 'line 12: 1 value too many after the last number of this answer, the first is "1.5'),
        ("1.0000 0.0250", "1.0000 0", "line 13: the time step DT must be positive; found 0"),
        ("0.0000 1.0000 0.0250\n", "", "standard input ends at line 13; the program asks: ENTER STARTING TIME"),
    ],
)
def test_a_wrong_answer_in_a_pipe_ends_with_its_line(command, tmp_path, old, new, says):
    done = command("kabios", "-o", "made.dat", input=FOUR_BAR.read_text().replace(old, new, 1))
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert not (tmp_path / "made.dat").exists()


def test_on_a_terminal_a_wrong_answer_is_asked_again(tmp_path):
    """The prompts are those that section 5 of the manual prints, in its order."""
    (tmp_path / "there.dat").write_text("")
    lines = FOUR_BAR.read_text().splitlines()
    lines.insert(5, "1 1 0 0 0 0")  # a joint of a body with itself
    master, slave = pty.openpty()
    program = [Path(sys.executable).parent / "mubo", "kabios"]
    with subprocess.Popen(program, cwd=tmp_path, stdin=slave, stdout=-1, stderr=-1, text=True) as asked:
        os.write(master, "\n".join([*lines, "there.dat", "made.txt", ""]).encode())
        shown, prompted = asked.communicate(timeout=120)
    os.close(master)
    os.close(slave)
    assert asked.returncode == 0
    assert shown.startswith("TIME =     0.0000")
    joint = "FOR REVOLUTE JOINT NO. {} ENTER BODY NOS. I AND J XI-P-I, ETA-P-I, XI-P-J, ETA-P-J"
    assert prompted.splitlines() == [
        "ENTER NB, NR, NT, NG, NS, ND, NP, NGUI, NDATA",
        *(f"FOR BODY {k} ENTER INITIAL EST. ON X, Y, PHI" for k in (1, 2, 3, 4)),
        joint.format(1),
        "  revolute joint 1: it joins body 1 to itself",
        *(joint.format(k) for k in (1, 2, 3, 4)),
        "ENTER BODY NO. FOR NO. 1 GROUND BODY",
        "FOR DRIVER NO. 1 ENTER BODY NO. I 1, 2, OR 3 FOR X, Y, OR PHI INITIAL POSITION, VELOCITY, AND ACCELERATION",
        "POINT OF INTEREST NO. 1 ENTER BODY NO. XI-P-I, ETA-P-I COORDINATES",
        "ENTER STARTING TIME, FINAL TIME, AND TIME INCREMENT",
        "ENTER NAME OF THE FILE TO WRITE",
        "  there.dat exists already: give another name, or overwrite it with -o there.dat",
        "ENTER NAME OF THE FILE TO WRITE",
        "file made.txt",
    ]


def test_a_coarse_step_is_noted(tmp_path):
    """A turn a second: 0.25 is a quarter turn per step, 0.5 is more."""
    for step, notes in ((0.25, 0), (0.5, 1)):
        path = tmp_path / "coarse.dat"
        path.write_text(FOUR_BAR.read_text().replace("6.2832", "6.283185307179586").replace("0.0250", str(step)))
        warnings = mubo.load(path).kinematics().summary["warnings"]
        assert len([text for text in warnings if "180 degrees per step DT; the manual advises 10" in text]) == notes


def test_measured_samples_are_dots_behind_the_smoothed_curve():
    run = mubo.load(EXAMPLES / "kabios_thigh.dat").kinematics()
    guided, rate = run.plot("body1.y", "body1.vy").axes
    dots = next(line for line in guided.lines if line.get_label() == "measured")
    samples = run.model.drivers["guide2"].motion.samples
    shown = [(t, y) for t, y in zip(samples.time, samples.value, strict=True) if t <= run["t"][-1]]
    assert list(zip(*dots.get_data(), strict=True)) == shown
    assert dots.get_zorder() < 2  # of the curve
    assert "measured" not in [line.get_label() for line in rate.lines]


def test_a_reference_table_is_drawn_into_charts(command, tmp_path):
    (tmp_path / "winter.csv").write_text("t,body1.y\n0,0.652077\n0.2,0.707748\n0.4,0.669464\n")
    run = mubo.load(EXAMPLES / "kabios_thigh.dat").kinematics()
    chart, other = plot(run, ["body1.y", "body1.vy"], reference=tmp_path / "winter.csv").axes
    line = next(line for line in chart.lines if line.get_label() == "winter")
    assert [y for y in line.get_ydata() if np.isfinite(y)] == [0.652077, 0.707748, 0.669464]
    dots = next(line for line in chart.lines if line.get_marker() == "o" and line.get_label() != "measured")
    assert dots.get_ydata().tolist() == [0.652077, 0.707748, 0.669464]  # three rows determine no curve
    assert "winter" not in [line.get_label() for line in other.lines]
    words = ("plot", EXAMPLES / "kabios_thigh.dat", "--reference", "winter.csv", "-o", "y.png")
    assert command(*words, "body1.y").returncode == 0
    assert "winter.csv has none of the columns body1.x" in command(*words, "body1.x").stderr


def test_samples_and_reference_are_on_the_page_and_in_films(tmp_path):
    """The page has the measured samples and the reference table digit for digit; a film draws both into its charts."""
    (tmp_path / "winter.csv").write_text("t,body1.y\n0,0.652077\n0.2,0.707748\n0.4,0.669464\n")
    run = mubo.load(EXAMPLES / "kabios_thigh.dat").kinematics()
    text = run.report(tmp_path / "page.html", "body1.y", reference=tmp_path / "winter.csv").text
    data = embedded(text, "run")
    column = next(column for column in data["columns"] if column["name"] == "body1.y")

    def numbers(packed):
        return np.frombuffer(base64.b64decode(packed), "<f8").tolist()

    found = zip(*(numbers(column["reference"][word]) for word in "tv"), strict=True)
    assert [row for row in found if np.isfinite(row[1])] == [(0, 0.652077), (0.2, 0.707748), (0.4, 0.669464)]
    samples = run.model.drivers["guide2"].motion.samples
    inside = [t <= run["t"][-1] for t in samples.time]
    assert numbers(column["samples"]["v"]) == [y for y, seen in zip(samples.value, inside, strict=True) if seen]
    assert not any("samples" in other for other in data["columns"] if other["name"] == "body1.vy")
    settings = FilmSettings(fps=2, size=(320, 240), charts=("body1.y",), reference=tmp_path / "winter.csv")
    film = Film(run, settings)
    labels = {line.get_label() for axes in film.figure.axes for line in axes.lines}
    assert {"measured", "winter"} <= labels
    with pytest.raises(mubo.ResultError, match="drawn into charts: name their columns"):
        Film(run, FilmSettings(reference=tmp_path / "winter.csv"))


def test_a_body_without_points_is_a_limb():
    """About its origin along its x axis, with a pin at both ends; thicker at the end of the positive axis."""
    scene = scene_of(mubo.load(EXAMPLES / "kabios_thigh.dat").kinematics())
    disc, *pins = scene.shapes
    assert [shape.kind for shape in scene.shapes] == [Kind.DISC, Kind.PIN, Kind.PIN]
    upper, lower = (pin.numbers["at"] for pin in pins)
    assert upper[0] == -lower[0] > 0
    assert upper[1] == lower[1] == 0
    outline = disc.numbers["outline"]
    assert np.ptp(outline[outline[:, 0] > 0][:, 1]) > np.ptp(outline[outline[:, 0] < lower[0]][:, 1])
