"""True for every load and every joint: what acts has an arrow where it acts, as long as it is large; the scale that a
picture states is that of its arrows. A new element is tested by being in the registry."""

import numpy as np
import pytest
from conftest import EXAMPLES
from test_drawing import BETWEEN, REGISTRY, ROWS, pair, turned, with_joint, with_load

import mubo
from mubo.elements import loads_of
from mubo.model import Units
from mubo.model.column_names import effort_columns, load_columns, reaction_columns
from mubo.results import Columns
from mubo.results.record import ForceRecord, Place
from mubo.view.scene import Paint, place, poses_at, scene_of
from mubo.view.scene.arrows import MOST, frame_at, with_forces
from mubo.view.scene.legend import scale_bars, scale_notes

T = np.linspace(0, 1, ROWS)
LOADS = [(n, kind) for n in (2, 3) for kind in loads_of(n)]
JOINTS = [(n, kind) for n, kind in BETWEEN if REGISTRY[n][kind].ends == "point"]


def told(run, columns, places=()):
    """The run with forces."""
    run.columns.extend(columns)
    record = run.record
    object.__setattr__(record, "forces", ForceRecord(tuple(places), 1.0))
    return run


def tips(scene, name):
    """From where a force acts to the tip of its arrow, in ground axes; of a torque its axis times the radius."""
    reaches = {reach.name: reach for reach in scene.reaches}
    if f"{name} head" in reaches:
        return reaches[name].along + reaches[f"{name} head"].along
    if name in reaches:
        return reaches[name].along
    sides = [(1.0, reaches.get(f"{name} left")), (-1.0, reaches.get(f"{name} right"))]
    return sum(sense * reach.along[:, :1] for sense, reach in sides if reach)


@pytest.mark.parametrize(("dimension", "kind"), LOADS)
def test_every_load_has_an_arrow_as_long_as_it_is_large(dimension, kind):
    """Sizes 3 to −1: the arrow turns around where the sign does, and its length is |size| over the scale."""
    sizes = 3 - 4 * T
    run = turned(with_load(dimension, kind))
    scene = scene_of(told(run, zip(load_columns("F", "force"), (sizes, 0 * T), strict=True)))
    loads = [load for load in scene.forces if load.name.startswith("force F on ")]
    assert loads
    assert scene.scale is not None
    for load in loads:
        per = scene.scale.force if load.holds == "force" else scene.scale.torque
        drawn = tips(scene, load.name)
        np.testing.assert_allclose(per * np.linalg.norm(drawn, axis=1), np.abs(sizes), atol=1e-12)
        np.testing.assert_allclose(per * drawn, load.values, atol=1e-12)
        assert np.sum(drawn[0] * drawn[-1]) < 0 or load.holds == "force"  # a force may turn with its bodies
    pairs = {load.holds for load in loads} == {"force"} and len(loads) == 2
    if pairs:  # actio = reactio, and a load that pulls has arrows towards each other
        np.testing.assert_allclose(loads[0].values, -loads[1].values, atol=1e-12)
        ends = [place(scene.poses[load.on], load.end.at)[:, 0] for load in loads]
        towards = np.sum(loads[0].values * (ends[1] - ends[0]), axis=1)
        pulls = 1.0 if loads_of(dimension)[kind].formula.pulls else -1.0
        assert np.all(pulls * sizes * towards >= 0)
        assert np.any(towards)


def reacting(dimension, kind, unique=True):
    """A joint between two bodies whose reaction on the second grows."""
    run = turned(with_joint(dimension, kind))
    model = run.model
    body, at = model.place(model.joints["J"].between[-1])
    force = np.outer(1 + T, np.arange(1.0, dimension + 1))
    moment = np.outer(2 - T, np.ones(1 if dimension == 2 else 3))
    known = [unique] * (dimension + moment.shape[1])
    values = (*force.T, *moment.T, np.linalg.norm(force, axis=1))
    columns = zip(reaction_columns("J", body, dimension, known), values, strict=True)
    return told(run, columns, [Place("J", body, ("one",), body, at)]), force, moment


@pytest.mark.parametrize(("dimension", "kind"), JOINTS)
@pytest.mark.parametrize("unique", [True, False])
def test_every_reaction_has_an_arrow_at_its_joint(dimension, kind, unique):
    run, force, moment = reacting(dimension, kind, unique)
    scene = scene_of(run)
    name = "reaction J.on_two"
    np.testing.assert_allclose(scene.scale.force * tips(scene, name), force, atol=1e-12)
    np.testing.assert_allclose(scene.scale.torque * tips(scene, f"{name} moment"), moment, atol=1e-12)
    reach = next(reach for reach in scene.reaches if reach.name == name)
    poses = poses_at(scene, T)
    _, at = run.model.place(run.model.joints["J"].between[-1])
    np.testing.assert_allclose(poses[name][:, :dimension], place(scene.poses["two"], at)[:, 0], atol=1e-12)
    assert scene.frame_colour(name) == scene.body("two").colour
    assert reach.to_scale
    paints = {shape.paint for shape in scene.shapes if shape.name.startswith(name)}
    assert paints == {Paint.FORCE if unique else Paint.OPEN}
    words = " ".join(scale_notes(scene))
    assert ("indeterminate" in words) == (not unique)


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("longest", [0.01, 0.3, 7.0])
def test_a_bar_of_the_scale_is_as_long_as_the_arrow_of_its_value(dimension, longest):
    run, force, _ = reacting(dimension, "revolute")
    scene = scene_of(run)
    arrow = np.linalg.norm(tips(scene, "reaction J.on_two"), axis=1)[-1]
    bars = {bar.holds: bar for bar in scale_bars(scene, longest)}
    value = float(bars["force"].text)
    assert bars["force"].length <= longest * (1 + 1e-9)
    assert bars["force"].length / arrow == pytest.approx(value / np.linalg.norm(force[-1]))
    assert str(value)[0] in "125" or f"{value:e}"[0] in "125"


def test_units_that_are_no_newtons_are_told_in_newtons_too():
    """1 kg mm/s² is a thousandth of a newton."""
    run, _, _ = reacting(2, "revolute")
    units = Units(length="mm", mass="kg", time="s")
    run.columns = Columns(units, [(column, run.columns.raw(column.name)) for column in run.columns.schema])
    text = scale_bars(scene_of(run), 0.3)[0].text
    newtons, _, own = text.partition("N = ")
    number, prefix = newtons.split(" ")
    assert 1000 * float(number) * {"": 1.0, "m": 1e-3}[prefix] == pytest.approx(float(own.split()[0]))
    assert own.endswith("kg mm/s²")


def test_a_spike_is_cut_and_said():
    """One row a thousand times as large as the others does not make them vanish."""
    run, _, _ = reacting(2, "revolute")
    rows = 60
    sizes = np.ones(rows)
    sizes[30] = 1000.0
    values = {name: np.repeat(run.columns.raw(name)[:1], rows, axis=0) for name in run.columns}
    values |= {"t": np.linspace(0, 1, rows), "J.on_two.fx": sizes, "J.on_two.fy": 0 * sizes, "J.on_two.m": 0 * sizes}
    run.columns = run.columns.replaced(values)
    scene = scene_of(run)
    lengths = np.linalg.norm(tips(scene, "reaction J.on_two"), axis=1)
    assert lengths[30] == pytest.approx(1.5 * lengths[0])
    assert any("beyond 1.5 cut off" in words for words in scale_notes(scene))


def test_of_very_many_forces_the_largest_are_drawn_and_the_rest_counted():
    run, _, _ = reacting(2, "revolute")
    columns, places = [], []
    for k in range(MOST + 50):
        name = f"K{k}"
        values = ((1.0 + k) + 0 * T, 0 * T, 0 * T, (1.0 + k) + 0 * T)
        columns += zip(reaction_columns(name, "two", 2), values, strict=True)
        places.append(Place(name, "two", ("one",), "two", (0.0, 0.0)))
    scene = scene_of(told(run, columns, places))
    drawn = {reach.name for reach in scene.reaches if reach.to_scale}
    assert "reaction K49.on_two" not in drawn
    assert "reaction K50.on_two" in drawn
    assert any(f"the {MOST} largest of {MOST + 50}" in words for words in scale_notes(scene))


@pytest.mark.parametrize("dimension", [2, 3])
def test_arrows_are_in_the_frame_and_can_be_left_out(dimension):
    run, _, _ = reacting(dimension, "revolute")
    scene = scene_of(run)
    low, high = scene.framed
    poses = poses_at(scene, T)
    start = place(scene.poses["two"], run.model.place(run.model.joints["J"].between[-1])[1])[:, 0]
    ends = start + tips(scene, "reaction J.on_two")
    assert np.all(ends >= low - 1e-9)
    assert np.all(ends <= high + 1e-9)
    assert poses
    still = frame_at(scene, 0.0)
    assert np.all(ends[0] >= still.framed[0] - 1e-9)
    assert np.all(ends[0] <= still.framed[1] + 1e-9)
    bare = with_forces(scene, False)
    assert bare.scale is None
    assert not any(reach.to_scale for reach in bare.reaches)
    assert {shape.frame for shape in bare.shapes} <= {b.name for b in bare.bodies} | {r.name for r in bare.reaches}


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_driver_of_a_joint_turns_its_second_body(dimension):
    model = pair(dimension)
    model.driver("motor", "pin_two", "t")
    run = turned(model)
    columns = zip(effort_columns("motor", "angle"), (T - 0.5, 0 * T), strict=True)
    scene = scene_of(told(run, columns))
    (load,) = scene.forces
    assert (load.holds, load.on) == ("torque", "two")
    drawn = scene.scale.torque * tips(scene, load.name)
    np.testing.assert_allclose(drawn[:, -1], T - 0.5, atol=1e-12)  # about z, right-handed


@pytest.mark.parametrize("example", ["toggle_press", "excavator", "punch_press", "robot_arm"])
def test_charts_of_reactions_have_the_colour_of_their_arrows(example):
    """The colour of the body that the reaction acts on; two reactions of one joint differ."""
    run = mubo.load(EXAMPLES / f"{example}.toml").inverse()
    scene = scene_of(run)
    owners = list(dict.fromkeys(column.owner for column in run.columns.of_kind("reaction")))
    assert owners
    colours = {owner: scene.colour(f"{owner}.fx") for owner in owners}
    for owner, colour in colours.items():
        assert colour == scene.body(owner.partition(".on_")[2]).colour
        others = [own for own in owners if own != owner and own.partition(".")[0] == owner.partition(".")[0]]
        assert all(colours[other] != colour for other in others)
