"""Pictures as a person asks for them: every kind, from any result, and clear words for what cannot be drawn."""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.geometry.polygons import hull
from mubo.results import Column
from mubo.view.curves import column_curve
from mubo.view.painters.decimation import MOST_ROWS, decimate, decimate_path
from mubo.view.painters.labels import CELL, Label, Obstacles, place_labels
from mubo.view.painters.stage import draw_mechanism
from mubo.view.painters.style import figure_style
from mubo.view.scene import Kind, place, scene_of
from mubo.view.scene.colours import COLOURS, INK, contrast, readable

FOUR_BAR, CHAIN = EXAMPLES / "four_bar.toml", EXAMPLES / "five_body_chain.toml"
NOWHERE, FRAME = np.zeros((0, 2)), (-500.0, -500.0, 500.0, 500.0)  # no point; the border of a picture
HEADS = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


@pytest.fixture(scope="module")
def four_bar():
    return mubo.load(FOUR_BAR).kinematics()


@pytest.fixture(scope="module")
def chain():
    return mubo.load(CHAIN).simulate(0, 1, 0.02)


def changed(run, **columns):
    """The run with other numbers in some columns, and with columns that later studies will add."""
    known = {name: values for name, values in columns.items() if name in run.columns}
    changed = run.columns.replaced(known)
    changed.extend((Column(n, "reaction", *n.rsplit(".", 1)), v) for n, v in columns.items() if n not in known)
    return replace(run, columns=changed)


def long_run(run, rows):
    """The same mechanism with many rows: one turn after the other."""
    t = np.linspace(0.0, 50.0, rows)
    columns = {name: np.interp(t % 1.0, run["t"], run.columns.raw(name)) for name in run.columns}
    return replace(run, columns=run.columns.replaced({**columns, "t": t}))


def stage_of(run, **shown):
    with figure_style() as figure:
        axes = figure(figsize=(7.2, 6.0)).subplots()
        return draw_mechanism(axes, scene_of(run), **shown)


def colour_at(stage, place):
    """The colour of the picture at a place in ground axes."""
    canvas = stage.axes.figure.canvas
    canvas.draw()
    pixels = np.asarray(canvas.buffer_rgba())
    x, y = stage.pixels(np.atleast_2d(place))[0]
    return pixels[pixels.shape[0] - 1 - int(y), int(x), :3]


@pytest.mark.parametrize("ending", HEADS)
@pytest.mark.parametrize(
    ("columns", "kind"),
    [
        ((), "mechanism"),
        (("P.x", "P.y"), None),
        (("P",), "path"),
        (("rocker.phi", "rocker.omega"), None),
        (("rocker.phi", "rocker.omega"), "phase"),
        ((), "phase"),
        (("P",), "hodograph"),
        ((), "residuals"),
        ((), "newton"),
    ],
)
def test_every_kind_in_the_plane(four_bar, tmp_path, columns, kind, ending):
    path = tmp_path / f"picture{ending}"
    four_bar.plot(*columns, path=path, kind=kind)
    assert path.read_bytes().startswith(HEADS[ending])


@pytest.mark.parametrize(
    ("columns", "kind"),
    [
        ((), None),
        (("left.x", "left.y", "left.z"), None),
        (("elbow.q1", "elbow.q2"), "time"),
        (("spin.q", "spin.v"), "phase"),
        (("left",), "hodograph"),
        ((), "energy"),
        ((), "time"),
    ],
)
def test_every_kind_in_space(chain, tmp_path, columns, kind):
    path = tmp_path / "picture.png"
    chain.plot(*columns, path=path, kind=kind)
    assert path.stat().st_size > 5000


def test_columns_that_others_add(four_bar, tmp_path):
    """Transmission angles, reactions: drawn as soon as a result has them."""
    n = len(four_bar)
    forces = {f"A.on_crank.f{c}": np.cos(np.arange(n) + k) for k, c in enumerate("xy")}
    run = changed(four_bar, **forces)
    run.plot("A.on_crank", kind="polar", path=tmp_path / "b.png")
    for kind, words in (("transmission", "no transmission angles"), ("polar", "no forces")):
        with pytest.raises(mubo.MuboError, match=words):
            four_bar.plot(kind=kind)
    with pytest.raises(mubo.MuboError, match="no forces to draw"):
        four_bar.plot(forces=True)


@pytest.mark.parametrize("row", [0, 11, 25])
def test_the_coupler_point_is_where_the_table_says(four_bar, row):
    stage = stage_of(four_bar, at=float(four_bar["t"][row]))
    colour = colour_at(stage, [four_bar["P.x"][row], four_bar["P.y"][row]])
    np.testing.assert_allclose(colour, [int(INK[k : k + 2], 16) for k in (1, 3, 5)], atol=3)


@pytest.mark.parametrize("row", [0, 20, 50])
@pytest.mark.parametrize("view", [None, (120.0, 35.0)])
def test_bodies_in_space_are_where_the_table_says(chain, row, view):
    """The ball at the centre of mass of a body shows the body's colour: the nearest of all body colours."""
    scene = scene_of(chain)
    stage = stage_of(chain, at=float(chain["t"][row]), view=view)
    places = {b.name: np.array([chain[f"{b.name}.{c}"][row] for c in "xyz"]) for b in scene.bodies if not b.fixed}
    flat = {name: stage.pixels(place[None])[0] for name, place in places.items()}
    name = max(flat, key=lambda name: min(np.hypot(*(flat[name] - other)) for n, other in flat.items() if n != name))
    seen = colour_at(stage, places[name]).astype(float)
    tones = {b.name: np.array([int(b.colour[k : k + 2], 16) for k in (1, 3, 5)]) for b in scene.bodies if not b.fixed}

    def hue(colour):
        rest = colour - np.mean(colour)
        return rest / np.linalg.norm(rest)

    assert max(tones, key=lambda n: hue(tones[n]) @ hue(seen)) == name


def test_axes_of_mechanisms_are_equal(four_bar):
    stage = stage_of(four_bar)
    (x0, y0), (x1, _), (_, y1) = stage.axes.transData.transform([(0, 0), (1, 0), (0, 1)])
    assert x1 - x0 == pytest.approx(y1 - y0, rel=1e-9)
    (low, high), limits = np.array(scene_of(four_bar).box), (stage.axes.get_xlim(), stage.axes.get_ylim())
    for k in (0, 1):
        assert limits[k][0] < low[k] < high[k] < limits[k][1]


def test_a_stroboscope_shows_the_positions(four_bar):
    """Five positions of a turn are a fifth of it apart: its end is its start and is not shown twice."""
    stage = stage_of(four_bar, strobe=5)
    shades, ghosts = sorted((c for c in stage.axes.collections if c.get_zorder() < 3), key=lambda c: c.get_zorder())
    assert np.all(np.diff(shades.get_facecolor()[:, 3]) >= 0)  # the later the darker
    assert len(shades.get_paths()) >= 4
    assert ghosts.get_linewidth()[0] < 1  # thin
    ends = np.concatenate([path.vertices for path in ghosts.get_paths()])
    crank = scene_of(four_bar)
    for t in (0.2, 0.4, 0.6, 0.8):
        pose = stage.pose(float(t))["crank"]
        tip = pose[:2] + np.array([np.cos(pose[2]), np.sin(pose[2])])
        assert np.min(np.hypot(*(ends - tip).T)) < 1e-9 * crank.size


def test_paths_lie_over_plates(four_bar):
    """Where the path of P crosses the coupler, the picture has the colour of the path and not of the plate."""
    stage = stage_of(four_bar)
    places = np.column_stack([four_bar["P.x"], four_bar["P.y"]])
    (coupler,) = (shape for shape in stage.scene.shapes if shape.kind == Kind.PLATE)
    ring = hull(place(stage.scene.poses["coupler"][0], coupler.numbers["points"]))
    side = np.roll(ring, -1, axis=0) - ring
    gap = places[:, None] - ring
    deep = (side[:, 0] * gap[..., 1] - side[:, 1] * gap[..., 0]) / np.hypot(*side.T)
    within = np.flatnonzero(deep.min(axis=1) > 5 * stage.scene.thick)  # left of every side: well inside
    colour = np.array([int(stage.scene.body("coupler").colour[k : k + 2], 16) for k in (1, 3, 5)])
    assert len(within)
    for row in within:
        np.testing.assert_allclose(colour_at(stage, places[row]), colour, atol=60)
    (paths,) = (c for c in stage.axes.collections if c not in stage.painter.artists)
    links, pins = stage.painter.artists
    assert links.get_zorder() < paths.get_zorder() < pins.get_zorder()


def test_a_stroboscope_shows_bodies_that_have_a_shape():
    """A box that falls: its ghost is as wide on the paper as its sides are across the eye, Σ aₖ |eₖ · right|."""
    model = mubo.Model("falling box", dimension=3, gravity=(0, 0, -9.81))
    shape = {"kind": "box", "a": 0.4, "b": 0.2, "c": 0.1}
    model.body("brick", mass=2.0, shape=shape, points={"O": (0, 0, 0)})
    model.ground.point("O", (0, 0, 0))
    model.joint("free", "free", "ground.O", "brick.O")
    run = model.simulate(0, 0.5, 0.1)
    stage = stage_of(run, strobe=4)
    (ghosts,) = (c for c in stage.axes.collections if c.get_zorder() == 2)
    right, up = stage.camera.flat.T
    wide, high = (float(np.abs(way) @ [0.4, 0.2, 0.1]) for way in (right, up))
    solids = [path.vertices for path in ghosts.get_paths() if len(path.vertices) > 3]
    assert len(solids) == 3  # besides the first position, which is drawn whole
    for t, line in zip(np.linspace(0, 0.5, 4)[1:], solids, strict=True):
        assert np.ptp(line, axis=0) == pytest.approx([wide, high], rel=1e-9)
        centre = stage.camera.project(np.array([0.0, 0.0, -9.81 * t**2 / 2]))
        assert (line.min(axis=0) + line.max(axis=0)) / 2 == pytest.approx(centre, abs=1e-6)


def test_names_have_contrast():
    """WCAG 2.2: grey 767676 is the lightest that has 4.5 on white; all names have as much, and keep dark colours."""
    assert contrast("#000000") == pytest.approx(21)
    assert contrast("#767676") >= 4.5 > contrast("#777777")
    assert all(contrast(readable(colour)) >= 4.5 for colour in COLOURS)
    assert readable("#0072B2").upper() == "#0072B2"


def test_too_many_names_are_left_out_and_told(tmp_path):
    """A plate with 41 points: their names are left out, those of the bodies are not, and the corner says so."""
    model = mubo.load(FOUR_BAR)
    for k in range(40):
        model.point(f"Q{k}", "coupler", (0.05 * k, 0.02 * k))
    run = model.kinematics(0, 0.1, 0.05)
    figure = run.plot(path=tmp_path / "a.png")
    assert "the names of 41 points are left out" in [text.get_text() for text in figure.texts]
    names = {text.get_text() for text in figure.axes[0].texts}
    assert {"crank", "coupler", "rocker"} <= names
    assert "Q3" not in names


def test_lines_in_a_box_are_summed_up():
    """A line of 100 pixels across a box of 40: what is inside is 40, but for a cell at each side."""
    lines = np.array([[[0.0, 0.0], [60.0, 80.0]]])
    table = Obstacles(lines, NOWHERE, (-50.0, -50.0, 150.0, 150.0))
    boxes = np.array([[-10.0, -10.0, 100.0, 100.0], [-20.0, 20.0, 90.0, 52.0], [70.0, -40.0, 140.0, 60.0]])
    assert table.covered(boxes) == pytest.approx([100, 40, 0], abs=2 * CELL)


@pytest.mark.parametrize("name", ["four_bar", "eight_body", "jansen_leg", "peaucellier", "five_body_chain"])
def test_names_do_not_collide(name):
    model = mubo.load(EXAMPLES / f"{name}.toml")
    run = model.simulate(0, 0.1, 0.1) if model.analysis.type == "simulate" else model.kinematics()
    stage = stage_of(run)
    renderer = stage.axes.figure.canvas.get_renderer()
    boxes = [text.get_window_extent(renderer) for text, _, _ in stage.painter.names]
    assert len(boxes) >= len(model.points)
    frame = stage.axes.get_window_extent(renderer)
    for k, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:k])
        assert frame.x0 <= box.x0
        assert box.x1 <= frame.x1


def test_a_name_keeps_clear_of_a_line():
    wall = np.array([[[5.0, -100.0], [5.0, 100.0]]])  # right of the anchor: the name goes to the left
    ((_, dx, _),) = place_labels([Label([(0.0, 0.0)], 40.0, 10.0, 4.0)], Obstacles(wall, NOWHERE, FRAME))
    assert dx + 20 <= 5


def test_a_name_keeps_clear_of_points_and_of_other_names():
    """Points stand in all eight places but the one below; a second name there has no room and is left out."""
    around = 12.0 * np.array([(np.cos(a), np.sin(a)) for a in np.radians([0, 45, 90, 135, 180, 225, 315])])
    name = Label([(0.0, 0.0)], 10.0, 10.0, 4.0)
    ((_, dx, dy),) = place_labels([name], Obstacles(np.zeros((0, 2, 2)), around, FRAME))
    assert dx == pytest.approx(0, abs=1e-9)
    assert dy < 0
    wide = [Label([(0.0, 0.0)], 900.0, 900.0, 4.0)] * 9  # each fills a quarter of the picture and more
    assert place_labels(wide, Obstacles(np.zeros((0, 2, 2)), NOWHERE, FRAME)).count(None) > 0


def test_thinning_keeps_extremes_and_gaps():
    rng = np.random.default_rng(1)
    t, y = np.arange(100_000.0), rng.normal(size=100_000)
    y[43_210], y[77_777] = 50.0, -60.0
    y[20_000:30_000] = np.nan
    drawn_t, drawn = decimate(t, y)
    assert len(drawn) <= MOST_ROWS + 2
    assert (np.nanmin(drawn), np.nanmax(drawn)) == (-60.0, 50.0)
    assert drawn_t[np.nanargmax(drawn)] == 43_210
    assert np.isnan(drawn[(drawn_t >= 20_100) & (drawn_t <= 29_900)]).all()
    assert np.isnan(drawn[(drawn_t >= 20_100) & (drawn_t <= 29_900)]).any()
    flat = decimate(t, np.zeros(100_000))[1]
    assert len(flat) <= 2 * MOST_ROWS
    circle = np.column_stack([np.cos(t / 1e4), np.sin(t / 1e4)])  # 1.6 turns: a length of 10
    path = decimate_path(circle)
    assert len(path) <= 10 / 2 * 2000 + 2  # a point for each 1/2000 of its size
    np.testing.assert_array_equal(path[[0, -1]], circle[[0, -1]])


def test_a_long_run_is_thinned_for_drawing_only_and_says_so(four_bar, tmp_path):
    run = long_run(four_bar, 100_000)
    figure = run.plot("rocker.phi", path=tmp_path / "a.png")
    assert any("100\u202f000 rows" in text.get_text() for text in figure.texts)
    assert len(column_curve(run, "rocker.phi")[0]) <= MOST_ROWS + 2
    assert len(run.table()) == 100_000
    assert not four_bar.plot("rocker.phi").texts
    run.plot(path=tmp_path / "b.png")
    run.plot("P.x", "P.y", path=tmp_path / "c.png")


def test_gaps_are_drawn_as_gaps(four_bar, tmp_path):
    y = four_bar["rocker.phi"].copy()
    y[5:8] = y[10] = np.nan
    run = changed(four_bar, **{"rocker.phi": y, "P.x": np.where(np.isnan(y), np.nan, four_bar["P.x"])})
    axes = run.plot("rocker.phi", path=tmp_path / "a.png").axes[0]
    t, drawn = axes.lines[0].get_data()
    for hole in (6, 10):
        assert np.isnan(drawn[np.argmin(np.abs(t - four_bar["t"][hole]))])
    run.plot(path=tmp_path / "b.png")
    run.plot("P.x", "P.y", path=tmp_path / "c.png")
    empty = changed(four_bar, **{"rocker.phi": np.full(len(y), np.nan)})
    empty.plot("rocker.phi", path=tmp_path / "d.png")


@pytest.mark.parametrize("kind", ["mechanism", "time", "path", "hodograph", "newton", "residuals"])
def test_one_time_point(tmp_path, kind):
    run = mubo.load(FOUR_BAR).kinematics(0, 0, 0.1)
    assert len(run) == 1
    run.plot(kind=kind, path=tmp_path / "a.png")


def test_an_empty_result_is_refused(four_bar):
    empty = replace(four_bar, columns=four_bar.columns.replaced({name: v[:0] for name, v in four_bar.columns.items()}))
    with pytest.raises(mubo.MuboError, match="no rows"):
        empty.plot()
    with pytest.raises(mubo.MuboError, match="no rows"):
        empty.plot("rocker.phi")
    assert "0 rows" in empty._repr_html_()


@pytest.mark.parametrize(
    ("columns", "options", "words"),
    [
        (("rocker.fi",), {}, 'Did you mean "rocker.phi"'),
        (("Q",), {"kind": "hodograph"}, "Q.vx"),
        (("rocker.phi",), {"kind": "phase"}, "two columns"),
        ((), {"kind": "fase"}, 'Did you mean "phase"'),
        ((), {"at": 7.0}, "goes from 0 to 1"),
        ((), {"strobe": 1}, "2 to 200"),
        (("P.x", "P.y"), {"at": 0.5}, "mechanism"),
        ((), {"kind": "energy"}, "simulation"),
        ((), {"path": "a.jpg"}, "ending"),
    ],
)
def test_what_cannot_be_drawn_is_told(four_bar, columns, options, words):
    with pytest.raises(mubo.MuboError, match=words):
        four_bar.plot(*columns, **options)


def test_command_line(command, tmp_path):
    done = command("plot", FOUR_BAR, "--strobe", "6", "-o", "a.pdf")
    assert (done.returncode, done.stdout) == (0, "a.pdf\n"), done.stderr
    assert command("plot", CHAIN, "--end", "0.2", "--at", "0.1", "--view", "30,10", "-o", "b.svg").returncode == 0
    assert command("plot", CHAIN, "--view", "30", "-o", "c.svg").returncode == 2
    refused = command("plot", FOUR_BAR, "-o", "nowhere/a.png")
    assert refused.returncode == 1
    assert "cannot write nowhere/a.png" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.pdf", "b.svg"]


def test_no_display_is_needed(command):
    """A backend with windows, and no screen to open them on."""
    held = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = command("plot", FOUR_BAR, "-o", "a.png", env={**held, "MPLBACKEND": "TkAgg"})
    assert done.returncode == 0, done.stderr


def test_a_run_shows_itself_in_a_notebook(four_bar, chain):
    for run in (four_bar, chain):
        page = run._repr_html_()
        assert run.model.name in page
        assert "data:image/png;base64," in page
        assert "://" not in page  # of base64 no colon is part


def test_simulated_models_get_a_picture_of_the_mechanism(command, tmp_path):
    assert command("run", CHAIN, "--end", "0.1", "-o", "out").returncode == 0
    assert (tmp_path / "out" / "mechanism.png").is_file()
    header = Path(tmp_path / "out" / "table.csv").read_text().splitlines()[0]
    for cell in ("shoulder.q1 [rad]", "shoulder.v1 [rad/s]", "left.vz [m/s]", "left.wx [rad/s]", "energy.total [J]"):
        assert cell in header
    assert "left.qw," in header


@pytest.mark.parametrize(
    ("model", "column"),
    [("released_four_bar", "B.on_coupler.f"), ("slider_crank", "motor.effort"), ("slider_crank", "motor.power [kW]")],
)
def test_a_force_that_is_asked_for_is_solved_for(command, model, column):
    """A simulation and a prescribed motion are solved with their forces where a chart asks for one, unless refused."""
    found = command("plot", EXAMPLES / f"{model}.toml", column, "-o", "force.png")
    assert (found.returncode, found.stdout.strip()) == (0, "force.png"), found.stderr
    refused = command("plot", EXAMPLES / f"{model}.toml", column, "--no-forces")
    assert refused.returncode == 1
    assert "there are no columns" in refused.stderr or "there is no column" in refused.stderr
