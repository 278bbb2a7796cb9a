"""Six-bars, inverted slider-cranks and geared five-bars: known curves and functions found again, judged by the run.

Curves of known linkages come from triangles here (law of cosines), the answers from mubo's search and its runs.
"""

import numpy as np
import pytest

import mubo
from mubo.analyses.kinematics import kinematics
from mubo.design.synthesis.chain_search import ChainResiduals, function_chains
from mubo.design.synthesis.geared_five_bar import GearedFiveBars
from mubo.design.synthesis.inverted_slider import InvertedSliders
from mubo.design.synthesis.screen import built, screened
from mubo.design.synthesis.six_bar import STEPHENSON_PATHS, WATT_PATHS, StephensonThird, WattSecond
from mubo.model import Units
from mubo.quantities.output_times import OutputTimes

KINDS = (*WATT_PATHS, *STEPHENSON_PATHS, WattSecond, InvertedSliders, GearedFiveBars)
TURN = 2 * np.pi
CLEAR = 0.05  # sine of a transmission angle: no toggle position between two of the angles looked at


def apex(E, F, p, q, side):
    """The third corner of triangles over EF with sides p and q, left of E → F for side 1: law of cosines at E."""
    base = np.abs(F - E)
    angle = np.arccos((p**2 + base**2 - q**2) / (2 * p * base))
    return E + p * (F - E) / base * np.exp(1j * side * angle)


def unit(z):
    return z / np.abs(z)


def crank_rocker(phi):
    """A, B, C, D of a crank-rocker: 0.3, 1, 0.8 on a ground of 1.1."""
    B = 0.3 * np.exp(1j * phi)
    return 0j, B, apex(B, 1.1 + 0j, 1.0, 0.8, 1), 1.1 + 0j


def stephenson_third(phi):
    """Point of the rod and direction of the output: E on the coupler, G at 1.6 + 0.9i."""
    _, B, C, _ = crank_rocker(phi)
    E = B + (0.6 + 0.5j) * unit(C - B)
    H = apex(E, 1.6 + 0.9j, 1.4, 0.9, -1)
    return E + (0.5 - 0.4j) * unit(H - E), H - (1.6 + 0.9j)


def watt_first(phi):
    """E on the coupler, F on the rocker."""
    _, B, C, D = crank_rocker(phi)
    E, F = B + (0.4 + 0.7j) * unit(C - B), D + (1.1 - 0.3j) * unit(C - D)
    H = apex(E, F, 1.2, 1.3, 1)
    return E + (0.9 + 0.3j) * unit(H - E), None


def watt_second(phi):
    """Two four-bars in series."""
    _, _, C, D = crank_rocker(phi)
    E = D + (0.7 + 0.2j) * unit(C - D)
    H = apex(E, 2.3 + 0.1j, 1.2, 0.9, 1)
    return None, H - (2.3 + 0.1j)


def inverted_slider(phi):
    """The coupler passes the pin at 1 at the offset 0.15: its angle is that of BD less arcsin(e/BD)."""
    B = 0.4 * np.exp(1j * phi)
    turn = unit(1 - B) * np.exp(-1j * np.arcsin(0.15 / np.abs(1 - B)))
    return B + (0.8 + 0.4j) * turn, turn


def geared_five_bar(phi):
    """Cranks of 0.5 and 0.3, the second turns twice as far the other way round."""
    B, G = 0.5 * np.exp(1j * phi), 1.2 + 0.3 * np.exp(1j * (0.7 - 2 * phi))
    C = apex(B, G, 1.1, 1.0, 1)
    return B + (0.7 + 0.3j) * unit(C - B), None


PATHS = {"stephenson": stephenson_third, "watt": watt_first, "inverted-slider": inverted_slider,
         "geared-five-bar": geared_five_bar}  # fmt: skip
FUNCTIONS = {"stephenson": stephenson_third, "watt": watt_second, "inverted-slider": inverted_slider}


def test_the_known_linkages_turn_round():
    phi = np.linspace(0, TURN, 400)
    for make in {*PATHS.values(), *FUNCTIONS.values()}:
        assert all(np.isfinite(part).all() for part in make(phi) if part is not None)


@pytest.mark.parametrize("timed", [False, True])
@pytest.mark.parametrize("linkage", PATHS)
def test_points_of_a_known_linkage_are_met_by_runs(linkage, timed):
    """Ten points, more than a four-bar meets; at given crank angles five."""
    phi = np.linspace(0.3, 5.9, 5 if timed else 10)
    places = 30 * PATHS[linkage](phi)[0] * np.exp(0.4j) + 7
    rows = [(z.real, z.imag, *([np.degrees(p)] if timed else [])) for z, p in zip(places.tolist(), phi, strict=True)]
    found = mubo.synthesize.path(rows, linkages=[linkage], length="mm", most=2)
    assert len(found)
    for design in found.designs:
        run = design.run
        assert run.summary["status"] == "ok"
        assert design.errors["place"] < 1e-7  # of 30 mm
        if timed:  # the run is asked for at its rows: the crank has turned by the angles given
            share = np.interp(np.degrees(phi - phi[0]), *_turned(run))
            assert np.allclose(share, design.times, atol=1e-9)
        far = [np.min(np.hypot(run["P.x"] - z.real, run["P.y"] - z.imag)) for z in places]
        step = np.max(np.hypot(np.diff(run["P.x"]), np.diff(run["P.y"])))
        assert max(far) <= step / 2 * 1.01  # of a chord between rows


def _turned(run):
    turned = np.abs(run["crank.phi"] - run["crank.phi"][0])
    return turned, run["t"]


@pytest.mark.parametrize("linkage", FUNCTIONS)
def test_a_known_function_is_met_by_runs(linkage):
    """Pairs of a known linkage, read from a run's columns at the crank angles."""
    phi = np.linspace(0.5, 2.3, 4 if linkage == "inverted-slider" else 7)
    out = np.unwrap(np.angle(FUNCTIONS[linkage](phi)[1]))
    pairs = np.degrees(np.column_stack([phi - phi[0], out - out[0]]))
    found = mubo.synthesize.function(pairs.tolist(), linkage=linkage, most=3)
    assert found[1].errors["angle"] < 1e-7
    for design in found.designs:
        run = kinematics(design.model, OutputTimes(0.0, 1.0, float(1 / 6 if len(phi) == 7 else 1 / 3)))
        assert np.allclose(run["crank.phi"] - run["crank.phi"][0], pairs[:, 0], atol=1e-9)
        assert np.allclose(run["output.phi"] - run["output.phi"][0], pairs[:, 1], atol=1e-6)


def test_a_six_bar_beats_the_best_four_bar():
    """Twelve points of a geared five-bar's curve: a four-bar's is of order 6, Watt's of order up to 14."""
    places = geared_five_bar(np.arange(12) * (TURN / 12) + 0.1)[0]
    rows = [(z.real, z.imag) for z in places.tolist()]
    size = np.max(np.abs(places - places.mean()))
    four = mubo.synthesize.path(rows, rounds=1, most=1)
    six = mubo.synthesize.path(rows, linkages=["watt"], rounds=1, most=1)
    assert six[1].errors["place"] < 1e-9 * size
    assert six[1].run.summary["status"] == "ok"
    assert not len(four) or four[1].errors["place"] > 1e-2 * size


@pytest.mark.parametrize("kind", KINDS)
def test_residuals_have_exact_derivatives(kind):
    """Central differences of 1e-6, right to about 1e-9 of what is as large as a size or as a curvature."""
    random = np.random.default_rng(5)
    drawn = kind.draw_random(40, random)
    drawn = drawn.take(np.argsort(-np.nan_to_num(drawn.sines(drawn.phi)).min(axis=1))[:3])
    phi = drawn.phi[:, :6]
    places, angles = random.normal(size=6) + 1j * random.normal(size=6), np.linspace(0, 1, 6)
    for target in ((places, None, None), (places, angles, None), (None, angles, angles)):
        extra = [phi[:, :1]] * (target[1] is not None) + [np.zeros((3, 1))] * (target[2] is not None)
        x = np.column_stack([drawn.x, *extra])
        residuals = ChainResiduals(kind, drawn.sides, *target, np.ones(x.shape[1], bool))
        numbers = np.arange(3)
        look = residuals(x, phi, numbers, True)
        scale = 1 + np.abs(look.by_x).max()
        for k in range(x.shape[1]):
            step = np.zeros_like(x)
            step[:, k] = 1e-6
            ends = [residuals(x + s * step, phi, numbers, False).r for s in (1, -1)]
            assert np.allclose((ends[0] - ends[1]) / 2e-6, look.by_x[..., k], atol=1e-7 * scale)
        ends = [residuals(x, phi + s * 1e-6, numbers, False).r for s in (1, -1)]
        assert np.allclose((ends[0] - ends[1]) / 2e-6, look.by_angle, atol=1e-7 * scale)


@pytest.mark.parametrize("kind", [StephensonThird, WattSecond, InvertedSliders])
def test_a_sampled_defect_is_that_of_the_run(kind):
    """Linkages that pass a screen run through their positions, and those with a branch defect do not."""
    pairs = np.radians([(0, 0), (40, 30), (80, 45), (120, 50)])
    found, _ = function_chains(kind, pairs, (None, None), np.random.default_rng(3), count=300)
    found = found.take(built(found))
    seen = screened(found)
    checked = {True: 0, False: 0}
    for k in np.flatnonzero(seen.order & (~seen.branch | (seen.sine > CLEAR))).tolist():
        crank = seen.crank[k]
        model = found.model(k, "one", Units(), (float(crank[0]), float(crank[-1])))
        run = kinematics(model, OutputTimes(0.0, 1.0, 0.01))
        assert (run.summary["status"] == "ok") == bool(seen.branch[k])
        checked[bool(seen.branch[k])] += 1
    assert checked[True] >= 3


def test_no_linkage_is_refused_by_name():
    with pytest.raises(mubo.ModelError, match='there is no linkage "wat" here'):
        mubo.synthesize.path([(0, 0), (1, 0), (1, 1)], linkages=["wat"])
    with pytest.raises(mubo.ModelError, match='there is no linkage "geared-five-bar" here'):
        mubo.synthesize.function([(0, 0), (30, 20), (60, 50)], linkage="geared-five-bar")
    with pytest.raises(mubo.ModelError, match='there is no linkage "watt" here'):
        mubo.synthesize.motion([(0, 0, 0), (1, 0, 20), (2, 0, 50)], linkages=["watt"])
    with pytest.raises(mubo.ModelError, match="a watt takes 3 to 9 precision points; found 10"):
        mubo.synthesize.formula("x^2", (1, 2), crank=60, output=40, points=10, linkage="watt")
