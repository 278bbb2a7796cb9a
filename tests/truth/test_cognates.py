"""Cognates of four-bars: all linkages draw the coupler curve of the law of cosines to 1e-12 of its size (Roberts 1875,
Chebyshev 1878), the geared five-bar among them."""

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import mubo
from mubo.cli.main import cli

EXAMPLES = Path(__file__).parents[2] / "examples"


def curve(a, b, c, d, g, crank):
    """The coupler point B + g (C − B) of a four-bar on the x axis, its coupler above the diagonal."""
    B = a * np.exp(1j * crank)
    u = d - B
    along = (b**2 - c**2 + np.abs(u) ** 2) / (2 * np.abs(u))
    b_vector = u / np.abs(u) * (along + 1j * np.sqrt(b**2 - along**2))
    return B + g * b_vector


def four_bar(a, b, c, d, g, start, turn, unit="m", joint=False):
    """The same as a model, in a unit, driven at its crank or at the joint of it."""
    size = {"m": 1.0, "mm": 1000.0}[unit]
    B = a * np.exp(1j * start)
    C = curve(a, b, c, d, 1.0, np.array(start))
    model = mubo.Model("four bar", units={"length": unit, "angle": "rad", "time": "s"})
    model.ground.point("A", (0, 0))
    model.ground.point("D", (size * d, 0))
    model.body("crank", angle=start, points={"A": (0, 0), "B": (size * a, 0)})
    turned = float(np.angle(C - B))
    model.body("rod", position=(size * B.real, size * B.imag), angle=turned, points={"B": (0, 0), "C": (size * b, 0)})
    lever = float(np.angle(C - d))
    model.body("lever", position=(size * d, 0), angle=lever, points={"D": (0, 0), "C": (size * c, 0)})
    model.revolute("A", "ground.A", "crank.A")
    model.revolute("B", "crank.B", "rod.B")
    model.revolute("C", "lever.C", "rod.C")
    model.revolute("D", "ground.D", "lever.D")
    model.driver("motor", "A" if joint else "crank.phi", f"{start!r} + {turn!r}*t")
    model.point("tip", "rod", (size * b * g.real, size * b * g.imag))
    model.analysis = mubo.model.Analysis("kinematics", {"start": 0.0, "end": 1.0, "step": 0.1})
    return model


CASES = {
    "crank-rocker": (0.4, 1.2, 1.0, 1.1, 0.6 + 0.5j, 0.7, 2 * np.pi),
    "crank turns back": (0.4, 1.2, 1.0, 1.1, -0.4 + 0.9j, 0.2, -2 * np.pi),
    "double crank": (1.0, 0.9, 1.1, 0.4, 1.3 - 0.4j, 0.3, 2 * np.pi),
    "double rocker": (1.0, 0.4, 0.9, 1.2, 0.5 + 0.1j, 0.6, 0.3),
    "point between the pins": (0.4, 1.2, 1.0, 1.1, 0.5 + 0j, 0.7, 3.0),
}


@pytest.mark.parametrize("case", CASES)
def test_all_draw_the_same_curve(case):
    a, b, c, d, g, start, turn = CASES[case]
    found = mubo.synthesize.cognates(four_bar(*CASES[case]))
    wanted = curve(a, b, c, d, g, start + turn * np.linspace(0, 1, 121))
    assert [design.label.partition(",")[0] for design in found.designs][-1] == "geared five-bar"
    assert len(found) == 4
    for design in found.designs:
        gap = np.abs(design.run["P.x"] + 1j * design.run["P.y"] - wanted)
        assert np.max(gap) < 1e-12 * np.ptp(wanted.real)
    sizes = [sorted(design.lengths[name] for name in ("crank", "coupler", "rocker")) for design in found.designs[:3]]
    for k, factor in ((1, abs(g)), (2, abs(1 - g))):  # links of a cognate are those of the given one, all alike larger
        assert sizes[k] == pytest.approx([factor * length for length in sorted((a, b, c))])


def test_other_units_and_names():
    """In millimetres, driven at a joint: the curve is a thousand times as large."""
    a, b, c, d, g, start, turn = CASES["crank-rocker"]
    found = mubo.synthesize.cognates(four_bar(*CASES["crank-rocker"], unit="mm", joint=True), point="tip")
    wanted = 1000 * curve(a, b, c, d, g, start + turn * np.linspace(0, 1, 121))
    for design in found.designs:
        assert np.max(np.abs(design.run["P.x"] + 1j * design.run["P.y"] - wanted)) < 1e-9


def test_the_command_writes_models_that_draw_the_curve(tmp_path):
    answer = CliRunner().invoke(
        cli, ["synthesize", "cognates", str(EXAMPLES / "parameters.toml"), "-o", str(tmp_path / "out")]
    )
    assert answer.exit_code == 0, answer.output
    runs = [mubo.load(tmp_path / "out" / f"design_{k}.toml").kinematics() for k in (1, 2, 3, 4)]
    for run in runs[1:]:
        assert run["P.x"] == pytest.approx(runs[0]["P.x"], abs=1e-13)


@pytest.mark.parametrize(
    ("example", "words"),
    [
        ("slider_crank.toml", "cognates are those of a four-bar"),
        ("watt_six_bar.toml", "cognates are those of a four-bar"),
        ("simple_pendulum.toml", "cognates are those of a four-bar"),
        ("rssr.toml", "cognates are those of a four-bar"),
    ],
)
def test_what_is_no_four_bar_is_refused(example, words):
    with pytest.raises(mubo.ModelError, match=words):
        mubo.synthesize.cognates(EXAMPLES / example)


def test_points_that_have_no_cognates_are_refused():
    model = four_bar(*CASES["crank-rocker"])
    with pytest.raises(mubo.ModelError, match='no point "top"'):
        mubo.synthesize.cognates(model, point="top")
    model.point("pin", "rod", (0, 0))
    with pytest.raises(mubo.ModelError, match="several points, tip, pin: say which"):
        mubo.synthesize.cognates(model)
    with pytest.raises(mubo.ModelError, match="draws a circle"):
        mubo.synthesize.cognates(model, point="pin")
