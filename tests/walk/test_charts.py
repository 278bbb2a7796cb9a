"""Charts near what happens: rows are solved for drawing, events and limits are marked, nothing is invented."""

from dataclasses import replace

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.view.curves import column_curve
from mubo.view.plot import plot
from mubo.view.refinement import original_rows, refine_rows


def locking(step):
    """A four-bar whose crank cannot turn: 3 between its pins, crank 2, coupler 2.2, rocker 1.6.

    It locks where coupler and rocker lie in one line: cos φ = (2² + 3² − 3.8²) / (2·2·3), φ = 96.89°.
    """
    model = mubo.Model("locks", units={"length": "m", "angle": "deg", "time": "s"})
    model.ground.point("A", (0, 0))
    model.ground.point("D", (3, 0))
    model.body("crank", (0, 0), np.radians(60), {"A": (0, 0), "B": (2, 0)})
    model.body("coupler", (1, 1.7), 0.0, {"B": (0, 0), "C": (2.2, 0)})
    model.body("rocker", (3, 0), 1.5, {"D": (0, 0), "C": (1.6, 0)})
    for name, first, second in (("A", "ground", "crank"), ("B", "crank", "coupler"), ("C", "coupler", "rocker")):
        model.revolute(name, f"{first}.{name}", f"{second}.{name}")
    model.revolute("D", "ground.D", "rocker.D")
    model.point("P", "coupler", (1.1, 0.5))
    model.driver("motor", "crank.phi", "60 + 40*t")
    with pytest.warns(UserWarning, match="locks"):
        return model.kinematics(0, 2, step)


@pytest.fixture(scope="module")
def lock():
    return locking(0.23)


def test_it_locks_where_the_formula_says(lock):
    angle = np.degrees(np.arccos((2**2 + 3**2 - 3.8**2) / (2 * 2 * 3)))
    assert lock.events[-1].t == pytest.approx((angle - 60) / 40, abs=1e-8)


@pytest.mark.parametrize("name", ["P.y", "P.vy", "rocker.omega", "rocker.phi", "P.ay"])
def test_drawn_curves_are_the_motion(lock, name):
    """Against the motion solved at many times between the rows: within a hundredth of the range of the column."""
    drawn = refine_rows(lock)
    t, y = column_curve(drawn, name)
    truth = lock.record.between(np.linspace(lock["t"][0], lock["t"][-1], 301))
    exact = truth[name]
    assert np.max(np.abs(np.interp(truth["t"], t, y) - exact)) < 0.01 * np.ptp(exact)


def test_rows_for_drawing_are_no_rows_of_the_table(lock):
    drawn = refine_rows(lock)
    assert len(drawn) > len(lock)
    np.testing.assert_array_equal(drawn["P.vy"][original_rows(lock, drawn)], lock["P.vy"])
    assert len(lock) == len(lock.record.corrections)  # the run is as it was


def test_a_smooth_motion_needs_no_more_rows():
    for example in ("slider_crank", "planetary_gear", "hooke_joint"):
        run = mubo.load(EXAMPLES / f"{example}.toml").kinematics()
        assert len(refine_rows(run)) == len(run), example


def test_a_simulation_is_repeated_for_rows_between_its_own():
    """Its steps do not depend on its rows: those that it has already come out the same."""
    chain = mubo.load(EXAMPLES / "five_body_chain.toml").simulate(0, 1, 0.02)
    drawn = refine_rows(chain, ["shoulder.a2"])
    assert len(drawn) > len(chain)
    np.testing.assert_allclose(chain.at(chain["t"])["shoulder.a2"], chain["shoulder.a2"], rtol=1e-9)


def test_quaternion_parts_of_a_ball_joint_have_no_slope_of_its_rates():
    """A ball pendulum that spins about its axis at 30 rad/s: parts of a unit quaternion stay within one."""
    model = mubo.Model("ball", dimension=3, gravity=(0, 0, -9.81))
    model.ground.point("O", (0, 0, 0))
    model.body("bob", points={"O": (0, 0, 1)}, mass=1.0, inertia=(0.1, 0.1, 0.1))
    model.joint("ball", "spherical", "ground.O", "bob.O")
    model.initial("ball", q=(0.8, 0.6, 0, 0), v=(0, 0, 30))
    run = model.simulate(0, 2, 0.05)
    names = [f"ball.q{k}" for k in range(1, 5)]
    for name in names:
        assert run.columns.derivative(name) is None
        assert np.nanmax(np.abs(column_curve(refine_rows(run, names), name)[1])) <= 1 + 0.01 * 2  # range from −1 to 1
    alone = replace(run, record=replace(run.record, repeat=None))  # 1.5 rad from row to row: only dots are known
    assert np.mean(np.isnan(column_curve(refine_rows(alone), "ball.q1")[1])) > 0.5


def test_the_stop_is_marked_inside_every_chart(lock):
    stop = lock.events[-1].t
    for columns, kind in ((["P.y", "P.vy"], "time"), ([], "newton")):
        for axes in plot(lock, columns, kind=kind).axes:
            assert any(np.allclose(line.get_xdata(), stop) for line in axes.lines if len(line.get_xdata()) == 2)
            assert axes.get_xlim()[0] < stop < axes.get_xlim()[1]
    texts = [text.get_text() for text in plot(lock, ["P.y"], kind="time").axes[0].texts]
    assert texts == [f"stops at t = {stop:.6g} s"]


def test_transmission_has_its_limits_and_its_poorest_place():
    """40° and 140° (Alt 1932), 0.1 rad = 5.73° from 0 and 180°, and the least angle of the summary."""
    run = mubo.load(EXAMPLES / "four_bar.toml").kinematics(transmission=True)
    axes = plot(run, [], kind="transmission").axes[0]
    lines = [
        line.get_ydata()[0] for line in axes.lines if len(set(line.get_ydata())) == 1 and len(line.get_ydata()) == 2
    ]
    assert lines == pytest.approx([5.73, 180 - 5.73], abs=0.01)
    dot = next(line for line in axes.lines if line.get_marker() == "o")
    told = run.summary["transmission"]
    assert (dot.get_xdata()[0], dot.get_ydata()[0]) == pytest.approx((told["t"], np.degrees(told["minimum"])))
    # crank and ground of 2 and 2.5 in one line leave 0.5 between the pins of two links of 4: 2 arcsin(0.25 / 4)
    assert dot.get_ydata()[0] == pytest.approx(2 * np.degrees(np.arcsin(0.25 / 4)), abs=1e-4)
    assert any("worst" in text.get_text() for text in axes.texts)


def test_the_poorest_transmission_lies_on_its_curve():
    """A slider-crank with r/l = 1/2 is poorest at 60° and at 120°, one after the other: the dot is on the curve."""
    m = mubo.Model("obtuse", units={"length": "m", "angle": "deg"})
    m.ground.point("O", (0, 0))
    m.body("crank", lengths={"OA": 1})
    m.body("rod", lengths={"AB": 2})
    m.body("slider", points={"B": (0, 0)})
    m.revolute("O", "ground.O", "crank.O")
    m.revolute("A", "crank.A", "rod.A")
    m.revolute("B", "rod.B", "slider.B")
    m.joint("guide", "translational", "ground.O", "slider.B", axis=(1, 0), angle=0)
    m.driver("motor", "crank.phi", {"rate": "60 rpm"})
    for end in (0.5, 1.0):
        axes = plot(m.kinematics(0, end, step=0.01, transmission=True), [], kind="transmission").axes[0]
        dot = next(line for line in axes.lines if line.get_marker() == "o")
        curves = [line for line in axes.lines if len(line.get_xdata()) > 2]
        at = float(dot.get_xdata()[0])
        drawn = [np.interp(at, line.get_xdata(), line.get_ydata()) for line in curves]
        assert dot.get_ydata()[0] == pytest.approx(drawn[0], abs=0.1)
        assert min(drawn[0], 180 - drawn[0]) == pytest.approx(60, abs=0.1)


def test_newton_corrections_of_rows_that_lie_close_are_seen():
    """A deck has two rows at one time: bars as wide as the shortest step would be as thin as nothing."""
    run = mubo.load(EXAMPLES / "eleven_bar.deck").kinematics()
    bars = plot(run, [], kind="newton").axes[0].collections[0]
    assert len(bars.get_segments()) == len(run)
    assert min(bars.get_linewidths()) > 1  # points of the paper
    assert [segment[1][1] for segment in bars.get_segments()] == list(run.record.corrections)


def test_what_is_rounding_is_drawn_as_zero(lock):
    noise = 1e-16 * np.cos(np.arange(len(lock)))
    run = replace(lock, columns=lock.columns.replaced({"crank.alpha": noise}))
    assert plot(run, ["crank.alpha"], kind="time").axes[0].get_ylim() == (-1, 1)


def test_a_motion_is_drawn_up_to_its_lock(lock, tmp_path):
    """The last row of the table is 0.92; the last pose that is drawn is within 1e-5 of the lock, and can be shown."""
    stop = lock.events[-1].t
    drawn = refine_rows(lock)
    assert 0 < stop - drawn["t"][-1] < 1e-5
    assert np.isfinite(drawn["rocker.phi"]).all()
    last = drawn["t"][-1]
    lock.plot(at=float(last), path=tmp_path / "last.png")
    # coupler and rocker lie in one line there
    turned = (drawn["coupler.phi"][-1] - drawn["rocker.phi"][-1]) % 180
    assert min(turned, 180 - turned) < 0.5


def test_peaks_of_efforts_and_stresses_between_rows_are_drawn():
    """The largest drawn value is the extreme that the summary searched between the rows."""
    press = mubo.load(EXAMPLES / "toggle_press.toml").inverse()
    name = max((n for n in press.extremes if n.endswith(".f")), key=lambda n: press.extremes[n]["max"][0])
    peak = press.extremes[name]["max"][0]
    assert np.nanmax(column_curve(refine_rows(press, [name]), name)[1]) == pytest.approx(peak, rel=0.01)
    strong = mubo.load(EXAMPLES / "strong_four_bar.toml").strength()
    stress = strong.check("section crank", "largest stress").value
    assert np.nanmax(column_curve(refine_rows(strong.run, ["crank.stress"]), "crank.stress")[1]) == pytest.approx(
        stress, rel=0.01
    )
