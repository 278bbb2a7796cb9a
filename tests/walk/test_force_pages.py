"""Forces seen: pictures, films, charts and the page of an inverse run say what its columns say."""

import json
import re

import numpy as np
import pytest
from page_numbers import embedded
from test_report import numbers

import mubo
from mubo.quantities.unit_algebra import measure
from mubo.view.film import Film, FilmSettings
from mubo.view.report.markup import number
from mubo.view.report.page import page
from mubo.view.scene import scene_of
from mubo.view.vectors import first_forces

ENGINE = """
name = "engine"
units = { length = "m", angle = "rad", mass = "kg", time = "s" }
gravity = [0, -9.81]
[body.ground]
points = { O = [0, 0] }
[body.crank]
position = [0, 0]
angle = 0.7
points = { O = [0, 0], A = [0.05, 0] }
mass = 2.0
inertia = 0.002
center = [0.01, 0]
[body.rod]
position = [0.04, 0.03]
angle = -0.2
points = { A = [0, 0], B = [0.16, 0] }
mass = 0.6
inertia = 0.002
center = [0.05, 0]
[body.piston]
position = [0.2, 0]
points = { B = [0, 0] }
mass = 0.5
inertia = 0.0005
center = [0, 0]
[joint.O]
type = "revolute"
between = ["ground.O", "crank.O"]
[joint.A]
type = "revolute"
between = ["crank.A", "rod.A"]
[joint.B]
type = "revolute"
between = ["rod.B", "piston.B"]
[joint.cylinder]
type = "translational"
between = ["ground.O", "piston.B"]
axis = [1, 0]
angle = 0
[driver.motor]
of = "crank.phi"
motion = "0.7 + 157*t"
[force.gas]
type = "point_force"
at = "piston.B"
direction = [-1, 0]
force = "500 + 8000*((1 + cos(157*t + 0.7))/2)^8"
[analysis]
type = "inverse"
start = 0
end = 0.04
step = 0.001
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("forces") / "engine.toml"
    path.write_text(ENGINE)
    return path


@pytest.fixture(scope="module")
def engine(file):
    return mubo.load(file).inverse()


@pytest.fixture(scope="module")
def fine(file):
    return mubo.load(file).inverse(step=2e-5)


def cells(text, section, heading):
    """Rows of a table of the page as lists of text."""
    part = re.search(rf'<section id="{section}">(.*?)</section>', text, re.S)[1]
    block = re.search(rf"<h3>{heading}</h3>(.*?)</table>", part, re.S)[1]
    rows = re.findall(r"<tr>(.*?)</tr>", block, re.S)
    plain = [
        re.sub(r"</?(a|span)\b[^>]*>", "", row) for row in rows
    ]  # names and times are links, sizes have all digits
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in plain]


def test_the_page_tells_by_on_where_and_how_large(engine, fine):
    """Extremes lie between rows: those of the page are those of fifty times as many rows, in four digits."""
    head, *rows = cells(page(engine, "p.html", []), "reactions", "Reactions")
    assert head[:5] == ["joint", "by", "on", "at", "largest |F| [N]"]
    told = {row[0]: row for row in rows}
    assert told["A"][1:4] == ["crank", "rod", "rod.A"]
    assert told["cylinder"][1:4] == ["ground", "piston", "piston.B"]
    for joint, body in (("O", "crank"), ("A", "rod"), ("B", "piston"), ("cylinder", "piston")):
        size = fine[f"{joint}.on_{body}.f"]
        k = int(np.argmax(size))
        row = told[joint]
        assert float(row[4]) == pytest.approx(float(f"{size[k]:.4g}"), rel=1e-5)
        t = float(row[5])
        assert t == pytest.approx(fine["t"][k], abs=2e-5)
        assert float(row[6]) == pytest.approx(0.7 + 157 * t, abs=1e-3)
        assert row[-1] == "unique"


def test_the_page_tells_efforts_and_loads(engine, fine):
    """Numbers have four digits, so that they are within 5e-4, and the SI prefix that their unit states."""
    text = page(engine, "p.html", [])
    _, (name, low, _, high, _, rms, _, most, mean, unit) = cells(text, "reactions", "Drivers")
    metre, watt = (measure(word)[0] for word in unit.split("; "))
    effort, power, t = fine["motor.effort"], fine["motor.power"], fine["t"]
    assert name == "motor"
    assert metre * float(low.replace("−", "-")) == pytest.approx(effort.min(), rel=6e-4)
    assert metre * float(high) == pytest.approx(effort.max(), rel=6e-4)
    square = np.sum(np.diff(t) * (effort[1:] ** 2 + effort[:-1] ** 2) / 2) / t[-1]
    assert metre * float(rms) == pytest.approx(np.sqrt(square), rel=2e-3)
    assert watt * float(most) == pytest.approx(power.max(), rel=6e-4)
    average = np.sum(np.diff(t) * (power[1:] + power[:-1]) / 2) / t[-1]
    assert watt * float(mean.replace("−", "-")) == pytest.approx(average, abs=2e-3 * power.max())
    head, gas = cells(text, "reactions", "Loads")
    newton = measure(gas[head.index("unit")])[0]
    assert newton * float(gas[head.index("greatest")]) == pytest.approx(engine["gas.force"].max(), rel=1e-3)
    assert [row[0] for row in cells(text, "reactions", "On the frame")[1:]] == [
        f"shaking.{name}" for name in ("fx", "fy", "m", "f")
    ]
    for words in ("power balance", "Newton–Euler", "virtual work", "Inverse dynamics by"):
        assert words in text
    assert number(engine.summary["power_residual"], 2) in text


def test_the_page_has_the_arrows_and_their_scale(engine):
    text = page(engine, "p.html", [])
    held = embedded(text, "scene")
    assert held["forces"]["scales"][0]["unit"] == "N"
    per = held["forces"]["scales"][0]["per"]
    reaches = {reach["name"]: reach for reach in held["reaches"]}
    shaft, head = reaches["reaction B.on_piston"], reaches["reaction B.on_piston head"]
    assert shaft["to_scale"]
    assert shaft["on"] == "piston"
    tip = (numbers(shaft["along"], "<f4") + numbers(head["along"], "<f4")).reshape(-1, 2)
    columns = {column["name"]: numbers(column["v"]) for column in embedded(text, "run")["columns"]}
    wanted = np.column_stack([columns["B.on_piston.fx"], columns["B.on_piston.fy"]])
    np.testing.assert_allclose(per * tip, wanted, rtol=2**-13, atol=1e-3)  # 15 binary digits each
    assert embedded(text, "run")["shown"][:2] == ["motor.effort", "motor.power"]
    assert 'id="forces"' in text


def test_indeterminate_reactions_are_labelled_on_the_page(tmp_path):
    """A lever on two pins at one place: what each carries is not determined, the sum is."""
    model = mubo.Model("two pins", gravity=(0, -9.81))
    model.ground.point("A", (0, 0))
    model.body("lever", (0, 0), 0.0, {"A": (0, 0), "B": (1, 0)}, mass=2.0, inertia=0.5, center=(0.5, 0))
    model.revolute("one", "ground.A", "lever.A")
    model.revolute("other", "ground.A", "lever.A")
    model.driver("motor", "lever.phi", "t")
    run = model.inverse(0, 1, 0.1)
    text = page(run, "p.html", [])
    rows = cells(text, "reactions", "Reactions")[1:]
    assert {row[0]: row[-1] for row in rows} == dict.fromkeys(("one", "other"), "indeterminate: fx, fy")
    assert "hollow: indeterminate" in text
    assert "Not determined by equilibrium" in text
    run.plot(path=tmp_path / "p.png")
    run.plot("one.on_lever", kind="polar", path=tmp_path / "q.png")
    assert "indeterminate" in run.plot("one.on_lever", kind="polar").get_suptitle()


def test_pictures_state_their_scale(engine, tmp_path):
    figure = engine.plot(at=0.0355, path=tmp_path / "p.png")
    said = [text.get_text() for text in figure.texts]
    assert any(re.fullmatch(r"\d+ k?N", text) for text in said)
    assert any(text.endswith("N m, radius") for text in said)
    bare = engine.plot(forces=False)
    assert not any("N" in text.get_text() for text in bare.texts)


def test_a_picture_with_forces_shows_the_largest(engine):
    """Without a time it is that of the largest joint reaction; without arrows the first position, as before."""
    pins = {name: entry["max"] for name, entry in engine.extremes.items() if re.search(r"\.on_\w+\.f$", name)}
    t = max(pins.values())[1]
    assert f"t = {number(t, 4)} s" in engine.plot(forces=True).axes[0].get_title(loc="left")
    assert "t =" not in engine.plot().axes[0].get_title(loc="left")


def test_first_charts_are_efforts_and_the_largest_pins(engine):
    peaks = {place.owner: engine[f"{place.owner}.f"].max() for place in engine.record.forces.places}
    largest = sorted(peaks, key=lambda name: -peaks[name])[:3]
    assert first_forces(engine) == ["motor.effort", "motor.power", *(f"{name}.f" for name in largest)]


def test_polar_plots_are_in_ground_axes_and_in_those_of_the_body(engine):
    figure = engine.plot("A.on_rod", kind="polar")
    ground, body = figure.axes
    assert [axes.get_title(loc="left") for axes in (ground, body)] == ["ground axes", "axes of rod"]

    def size(axes):
        lines = [np.hypot(*line.get_data()) for line in axes.lines if len(line.get_data()[0]) > 200]
        return max(float(np.nanmax(line)) for line in lines)

    assert size(ground) == pytest.approx(size(body), rel=1e-3)  # a turn changes no size
    with pytest.raises(mubo.MuboError, match="there is no column"):
        engine.plot("X", kind="polar")


def test_films_move_the_arrows(engine):
    film = Film(engine, FilmSettings(fps=5, speed=0.01, size=(400, 300)))
    without = Film(engine, FilmSettings(fps=5, speed=0.01, size=(400, 300), forces=False))
    assert scene_of(engine).scale == film.scene.scale
    assert without.scene.scale is None
    pictures = [np.array(film.frame(k)) for k in (0, 8)]
    assert (pictures[0] != pictures[1]).any()
    red = [int(np.sum((p[..., 0] > 150) & (p[..., 1] < 40) & (p[..., 2] < 100))) for p in pictures]
    assert max(red) > 30  # of the gas force
    assert not np.any((np.array(without.frame(8))[..., :3] == (0xB3, 0x00, 0x3C)).all(axis=-1))


def test_commands_of_an_inverse_model(command, file, tmp_path):
    done = command("run", file, "-o", "results")
    assert done.returncode == 0, done.stderr
    made = {path.name for path in (tmp_path / "results").iterdir()}
    assert made >= {"mechanism.png", "forces.png", "largest_pin.png"}
    done = command("export", file, "-o", "engine.glb")
    assert done.returncode == 0, done.stderr
    assert "arrows of forces" in done.stderr
    done = command("plot", file, "motor.effort", "--over", "motor", "-o", "effort.png")
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "results/summary.json").read_text())["power_residual"] < 1e-9


def test_forces_of_a_model_that_asks_for_kinematics(command, file, tmp_path):
    (tmp_path / "k.toml").write_text(ENGINE.replace('"inverse"', '"kinematics"'))
    assert command("plot", "k.toml", "--forces", "-o", "k.png").returncode == 0
    done = command("report", "k.toml", "--forces", "-o", "k.html")
    assert done.returncode == 0, done.stderr
    assert "<h2>Forces</h2>" in (tmp_path / "k.html").read_text()
    bare = re.sub(r"(?m)^(mass|inertia|center) = .*", "", ENGINE.split("[force.gas]")[0])
    (tmp_path / "none.toml").write_text(bare)
    done = command("plot", "none.toml", "--forces", "--start", "0", "--end", "0.01", "--step", "0.001", "-o", "n.png")
    assert done.returncode != 0
    assert "all are zero" in done.stderr
