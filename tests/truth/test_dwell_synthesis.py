"""Six-bars with a dwell, judged by the law of cosines alone: over the dwell the coupler point stays on an arc or line,
so that the output stands, and over the turn it swings as asked. Fits against places that are known."""

import numpy as np
import pytest

import mubo
from mubo.design.synthesis.dwell_task import fitted_circle, fitted_line


def test_fits_find_the_arc_and_the_line_again():
    angles = np.linspace(0.3, 1.1, 9)
    centre, radius = fitted_circle((2 - 1j) + 3 * np.exp(1j * angles))
    assert centre == pytest.approx(2 - 1j)
    assert radius == pytest.approx(3)
    middle, along = fitted_line((1 + 1j) + np.linspace(-1, 1, 7) * np.exp(0.4j))
    assert middle == pytest.approx(1 + 1j)
    assert np.angle(along) == pytest.approx(0.4)


def coupler_point(lengths, crank):
    """P of a four-bar with its ground on the x axis, the coupler above the diagonal."""
    a, b, c, d = (lengths[name] for name in ("crank", "coupler", "rocker", "ground"))
    B = a * np.exp(1j * crank)
    u = d - B
    along = (b**2 - c**2 + np.abs(u) ** 2) / (2 * np.abs(u))
    return B + (lengths["P along"] + 1j * lengths["P across"]) / b * (u / np.abs(u)) * (
        along - 1j * np.sqrt(b**2 - along**2)
    )


@pytest.fixture(scope="module", params=[("arc", 60, 20), ("line", 60, 20)], ids=lambda case: case[0])
def found(request):
    by, dwell, swing = request.param
    return by, dwell, swing, mubo.synthesize.dwell(dwell, swing, by=by, ground=100, length="mm", most=1)


def test_the_output_stands_and_swings(found, tmp_path):
    by, dwell, swing, result = found
    design = result[1]
    result.save(tmp_path / "out")
    run = mubo.load(tmp_path / "out" / "design_1.toml").kinematics()
    assert run.summary["status"] == "ok"
    turned = run["crank.phi"] - run["crank.phi"][0]
    assert turned[-1] == pytest.approx(360)
    stands = turned <= dwell * (1 + 1e-9)
    assert np.ptp(run["output.phi"][stands]) <= 0.01 * swing
    assert np.ptp(run["output.phi"]) == pytest.approx(swing, abs=0.05)
    assert design.errors["dwell"] == pytest.approx(np.ptp(run["output.phi"][stands]), abs=1e-9)

    crank = np.radians(run["crank.phi"])
    candidates = [coupler_point(design.lengths, crank)]
    candidates += [np.conj(coupler_point(design.lengths | {"P across": -design.lengths["P across"]}, -crank))]
    P = min(candidates, key=lambda places: np.abs(places - run["P.x"] - 1j * run["P.y"]).max())
    assert np.abs(P - run["P.x"] - 1j * run["P.y"]).max() < 1e-9
    pivot = design.lengths["G.x"] + 1j * design.lengths["G.y"]
    if by == "line":  # the slot points to P
        turn = np.unwrap(np.angle(P - pivot))
    else:  # law of cosines of rod, output and the distance of P
        far, rod, link = np.abs(P - pivot), design.lengths["rod"], design.lengths["output"]
        inside = np.arccos((far**2 + link**2 - rod**2) / (2 * far * link))
        turn = min(
            (np.unwrap(np.angle(P - pivot) + sign * inside) for sign in (1, -1)), key=lambda t: np.ptp(t[stands])
        )
    assert np.degrees(turn - turn[0]) == pytest.approx(run["output.phi"] - run["output.phi"][0], abs=1e-6)


@pytest.mark.parametrize(
    ("dwell", "swing", "options", "words"),
    [
        (2, 20, {}, "5 to 200 deg in the dwell; found 2 deg"),
        (90, 170, {}, "swings by 1 to 120 deg; found 170 deg"),
        (90, 20, {"by": "point"}, '"arc" or a "line"; found "point"'),
        (90, 20, {"ground": -1}, "longer than zero; found -1"),
    ],
)
def test_what_is_no_dwell_is_refused(dwell, swing, options, words):
    with pytest.raises(mubo.ModelError, match=words):
        mubo.synthesize.dwell(dwell, swing, **options)
