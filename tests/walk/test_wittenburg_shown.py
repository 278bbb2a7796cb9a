"""mubo check --wittenburg: tables, JSON, the graph drawn, and what is refused."""

import json

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo

CHAIN = EXAMPLES / "five_body_chain.toml"


def test_the_tables_are_read_beside_the_book(command):
    done = command("check", CHAIN, "--wittenburg")
    assert done.returncode == 0, done.stderr
    assert "  3  cross   0   0  -1  +1  +1" in done.stdout
    assert "  1  shoulder     -1  -1  -1  -1  -1" in done.stdout
    assert "  d_34  cross  right  -0.5  0    1" in done.stdout
    assert "  b_10  upper     3  0  0    1.72727" in done.stdout  # 19/11
    assert max(map(len, done.stdout.splitlines())) < 140


def test_json_has_every_digit(command):
    done = command("check", CHAIN, "--wittenburg", "--json")
    told = json.loads(done.stdout)
    model = mubo.load(CHAIN)
    report = model.wittenburg()
    assert np.array_equal(told["A"], report.A)
    assert told["T"] == report.graph.T.tolist()
    assert told["hinges"][3] == {
        "name": "right_hinge",
        "type": "revolute",
        "from": "cross",
        "to": "right",
        "coordinates": ["right_hinge.q"],
        "euler": "",
    }
    assert {"body": "cross", "hinge": "left_hinge", "vector": [-0.5, 0, 0]} in told["c"]
    assert np.allclose(np.linalg.solve(told["A"], told["B"]), told["qdd"])


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_the_graph_is_drawn(command, tmp_path, ending):
    done = command("check", CHAIN, "--wittenburg", "-o", f"graph.{ending}")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / f"graph.{ending}").stat().st_size > 2000


def test_bodies_stand_apart_in_the_graph():
    from mubo.legacy.wittenburg import System
    from mubo.view.directed_graph import RADIUS, layout

    places = layout(System(mubo.load(CHAIN).build()).graph)
    apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1)) + 9 * np.eye(6)
    assert apart.min() > 3 * RADIUS


def test_a_planar_model_is_refused(command):
    done = command("check", EXAMPLES / "four_bar.toml", "--wittenburg")
    assert done.returncode == 1
    assert "this model is planar" in done.stderr


def test_a_loop_is_refused_by_name(command, tmp_path):
    text = CHAIN.read_text()
    text += '\n[joint.clasp]\ntype = "spherical"\nbetween = ["right.end", "left.end"]\n'
    (tmp_path / "loop.toml").write_text(text)
    done = command("check", "loop.toml", "--wittenburg")
    assert done.returncode == 1
    assert "right_hinge, left_hinge, clasp close a loop" in done.stderr


def test_usage(command):
    assert command("check", CHAIN, "--at", "0.5").returncode == 2
    assert command("check", CHAIN, "--loops", "--wittenburg").returncode == 2
    wrong = command("check", CHAIN, "--wittenburg", "-o", "graph.bmp")
    assert wrong.returncode == 1
    assert "the ending must be .png, .svg, .pdf" in wrong.stderr


def test_slides_and_quaternions_have_their_own_form():
    model = mubo.Model("floater", dimension=3)
    model.ground.point("O", (0, 0, 0))
    model.body("hull", points={"a": (0, 0, 0)}, mass=2, inertia=(1, 2, 2.5))
    model.joint("sea", "free", "ground.O", "hull.a")
    text = str(model.wittenburg())
    assert "no augmented bodies, since sea can slide" in text
    assert "gravity  none is stated" in text
    assert "sea.v6" in text
    told = model.wittenburg().as_dict()
    assert np.allclose(np.diag(told["A"]), [2, 2, 2, 1, 2, 2.5])
    assert "K" not in told
