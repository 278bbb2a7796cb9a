"""The walk of data: file → model → mechanism → form → run → page. Nothing is derived twice, nothing is left out."""

import html
import re
import sys
from collections import Counter
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.laws import Expression
from mubo.mechanism.formulations.absolute import absolute
from mubo.mechanism.formulations.loops import vector_loops
from mubo.mechanism.formulations.tree import tree_form
from mubo.model.check import check
from mubo.solvers.assembly.start_analysis import analyse_mechanism_start

# What compiles a model; `mechanism_of` checks it and keeps what it compiled.
STAGES = (check, analyse_mechanism_start, absolute, vector_loops, tree_form)
CODES = {stage.__code__: stage.__name__ for stage in STAGES}


@contextmanager
def counted():
    """How often each stage of the walk was called meanwhile, whoever called it and by whatever name."""
    calls = Counter()

    def look(frame, event, argument):
        if event == "call" and frame.f_code in CODES:
            calls[CODES[frame.f_code]] += 1

    sys.setprofile(look)
    try:
        yield calls
    finally:
        sys.setprofile(None)


def told(page):
    """What a person reads on a page: without scripts, pictures and marks of HTML, in one line."""
    text = re.sub(r"<(script|style|svg).*?</\1>", "", page.read_text(), flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())


def walked(name, tmp_path, verb="kinematics"):
    """A model file on its way to the page: how often each stage was called, and what the page tells."""
    with counted() as calls:
        run = getattr(mubo.load(EXAMPLES / name), verb)()
        run.report(tmp_path / "page.html")
    return dict(calls), told(tmp_path / "page.html"), run


def test_a_planar_loop(tmp_path):
    calls, page, run = walked("four_bar.toml", tmp_path)
    assert calls == {"check": 1, "analyse_mechanism_start": 1, "absolute": 1, "vector_loops": 1}
    assert run.record.formulation == "loops"
    assert "by vector loops" in page
    # Grübler: three moving bodies have 9 coordinates, four pins take 8; the crank is from (−1, 0) to (1, 0).
    assert "9: 8 of joints, 1 of drivers; rank 9 mobility 1 by Grübler's count" in page
    assert "z1 crank A → B 2 60 z2 coupler B → C 4" in page
    assert "4 cos φ coupler − 4 cos φ rocker + 2 cos φ crank − 2.5 = 0" in page


def test_a_spatial_loop(tmp_path):
    calls, page, run = walked("rssr.toml", tmp_path)
    # Whether it can be written as loops is asked once; it cannot.
    assert calls == {"check": 1, "analyse_mechanism_start": 1, "absolute": 1, "vector_loops": 1}
    assert run.record.formulation == "absolute"
    assert "by absolute coordinates" in page
    # Two moving bodies have 12 coordinates; two hinges take 5 each and the rod 1.
    assert "12: 11 of joints, 1 of drivers; rank 12 mobility 1 by Grübler's count" in page


def test_a_simulated_chain(tmp_path):
    calls, page, run = walked("five_body_chain.toml", tmp_path, "simulate")
    assert calls == {"check": 1, "analyse_mechanism_start": 1, "absolute": 1, "tree_form": 1}
    # Five bodies have 30 coordinates; two balls take 3 each and three hinges 5: nine DOFs, no loop.
    assert run.summary["dofs"] == 9
    assert "21: 21 of joints, 0 of drivers; rank 21 mobility 9 by Grübler's count" in page


@pytest.mark.parametrize(
    ("name", "counts"),
    [("eleven_bar.deck", "33: 32 of joints, 1 of drivers"), ("type1.deck", "9: 8 of joints, 1 of drivers")],
)
def test_a_deck(name, counts, tmp_path):
    """A deck is a mechanism like others: eleven bodies, fifteen pins and a slide; three bodies and four pins."""
    calls, page, _ = walked(name, tmp_path)
    assert calls == {"check": 1, "analyse_mechanism_start": 1, "absolute": 1, "vector_loops": 1}
    assert counts in page


def four_bar():
    return mubo.load(EXAMPLES / "four_bar.toml")


def shown(run, folder):
    """Everything a run shows: its page, its picture, its file for 3D programs, its table, its model."""
    folder.mkdir()
    run.report(folder / "page.html")
    run.export(folder / "film.glb")
    run.save(folder / "table.csv")
    run.plot(path=folder / "picture.png")
    files = {name: (folder / name).read_bytes() for name in ("film.glb", "table.csv", "picture.png")}
    return files, told(folder / "page.html"), run.model


def lengthen(model):
    crank = model.bodies["crank"]
    model.bodies["crank"] = replace(crank, points={**crank.points, "B": (1.7, 0.3)})


def drive_otherwise(model):
    model.drivers["motor"] = replace(model.drivers["motor"], motion=Expression("1 + 0.1*t"))


def take_apart(model):
    del model.bodies["coupler"], model.joints["B"], model.joints["C"], model.points["P"]
    model.name = "something else"


@pytest.mark.parametrize("change", [lengthen, drive_otherwise, take_apart])
def test_a_run_is_not_changed_by_what_is_done_to_the_model(change, tmp_path):
    model = four_bar()
    run = model.kinematics()
    before = shown(run, tmp_path / "before")
    change(model)
    assert shown(run, tmp_path / "after") == before
    assert before[2] == four_bar().build() != model.build()


def test_a_changed_length_reaches_the_page(tmp_path):
    """The crank from (−1, 0) to (1.25, 0) is 2.25 long, in the table of vectors, in the equations and in the points."""
    model = four_bar()
    crank = model.bodies["crank"]
    model.bodies["crank"] = replace(crank, points={**crank.points, "B": (1.25, 0.0)})
    run = model.kinematics()
    run.report(tmp_path / "page.html")
    page = told(tmp_path / "page.html")
    assert "z1 crank A → B 2.25 60" in page
    assert "+ 2.25 cos φ crank" in page
    x = [run["crank.x"] + s * np.cos(run["crank.phi"]) for s in (-1, 1.25)]
    y = [run["crank.y"] + s * np.sin(run["crank.phi"]) for s in (-1, 1.25)]
    assert np.allclose(np.hypot(np.diff(x, axis=0), np.diff(y, axis=0)), 2.25)


def late_crank(tmp_path):
    """A crank whose measured motion is known from t = 5 to 6 only, in a file without [analysis]."""
    times = np.linspace(5, 6, 21)
    text = (EXAMPLES / "four_bar.toml").read_text().partition("[analysis]")[0]
    motion = f'motion = {{ time = {times.tolist()}, value = {np.sin(times).tolist()}, smooth = "none" }}'
    (tmp_path / "late.toml").write_text(text.replace('motion = "pi/3 + 2*pi*t"', motion))
    return mubo.load(tmp_path / "late.toml")


def test_a_run_at_any_times_can_be_shown(tmp_path):
    run = late_crank(tmp_path).kinematics(5, 6, 0.05)
    assert np.allclose(run["crank.phi"], np.sin(run["t"]), atol=1e-12)  # a table passes through its samples
    files, page, _ = shown(run, tmp_path / "shown")
    assert all(files.values())
    assert "t = 5 … 6 s" in page
    assert "kinematics(start=5, end=6, step=0.05, tolerance=1e-10, formulation=" in page


MASS = ("mass = 2.0", "[body.rocker]\n", "[body.rocker]\nmass = 2.0\n", "masses")
GRAVITY = ("gravity", "[body.ground]", "gravity = [0, -9.81]\n[body.ground]", "gravity")
FORCE = (
    "force",
    "[analysis]",
    '[force.push]\ntype = "body_torque"\nbody = "rocker"\ntorque = "1"\n[analysis]',
    "force push",
)


@pytest.mark.parametrize(("_", "old", "new", "word"), [MASS, GRAVITY, FORCE], ids=lambda p: p.split()[0])
def test_what_kinematics_does_not_use_is_said(_, old, new, word, tmp_path, command):
    path = tmp_path / "model.toml"
    path.write_text((EXAMPLES / "four_bar.toml").read_text().replace(old, new, 1))
    note = f"not used: {word}. Kinematics follows from the drivers alone; inverse dynamics takes them into account"
    assert mubo.load(path).kinematics().summary["warnings"] == [note]
    assert re.search(rf"^note +{re.escape(note)}$", command("kinematics", path, "-o", "table.csv").stdout, re.MULTILINE)
    assert four_bar().kinematics().summary["warnings"] == []
