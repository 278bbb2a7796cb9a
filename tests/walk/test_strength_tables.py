"""Tables of pins, sections, materials, outlines and keep-outs: read, written, refused in words; the command."""

import csv
import json
import math
import re

import pytest
from click.testing import CliRunner
from conftest import DATA, EXAMPLES

import mubo
from mubo.cli.main import cli
from mubo.errors import ModelError, ResultError
from mubo.view.scene import scene_of
from mubo.view.scene.legend import scale_notes

BASE = (DATA / "forces" / "metal.toml").read_text()
SECTION = '[section.coupler]\nshape = "rectangle"\nwidth = 0.02\nheight = 0.12\nmaterial = { yield = 250e6 }'
assert SECTION in BASE

WRONG = [
    ("diameter = 0.06\nwidth = 0.05\nshear = ", "width = 0.05\nshear = ", '"diameter" is missing: diameter of the pin'),
    ("width = 0.05\nshear = \"double\"", 'shear = "double"', '"width" is missing: width of the bearing along the pin'),
    ("diameter = 0.06", "diametre = 0.06", 'there is no key "diametre". Did you mean "diameter"?'),
    ("diameter = 0.06", "diameter = -0.06", "must be positive; found -0.06"),
    ("diameter = 0.06", 'diameter = "6 kg"', '"6 kg" is no length'),
    ("[pin.A]", "[pin.AA]", 'there is no joint "AA"'),
    ('bearing = "ball"\nrating = 150000\n[pin.B]', 'bearing = "ball"\n[pin.B]', '"rating" is missing: a ball bearing'),
    ('bearing = "ball"\nrating = 150000\n[pin.B]', 'rating = 1\n[pin.B]', '"rating" belongs to a rolling bearing'),
    ('bearing = "ball"', 'bearing = "bal"', '"bal" is not one of plain, ball, roller'),
    ('bearing = "ball"', 'bearing = "ball"\nsafety = -2', "safety: must be positive; found -2"),
    ('bearing = "ball"', 'bearing = "ball"\npv = 3', '"pv" belongs to a plain bearing'),
    ("material = { yield = 250e6 }", "", '"material" is missing'),
    ("material = { yield = 250e6 }", 'material = "steal"', 'there is no material "steal"'),
    ("material = { yield = 250e6 }", "material = { E = 1 }", '"yield" is missing: yield stress'),
    ("material = { yield = 250e6 }", "material = { yeild = 1 }", 'there is no key "yeild". Did you mean "yield"?'),
    ("material = { yield = 250e6 }", "material = 3", "expected a name, or a table"),
    ("width = 0.02\nheight = 0.12", "width = 0.02", '"height" is missing: a section of shape "rectangle" has height'),
    ("width = 0.02\nheight = 0.12", "width = 0.02\nheight = 0.12\nweb = 1", 'shape rectangle has no "web"'),
    ("height = 0.12", "height = 0.12\nsafety = 0", "safety: must be positive; found 0"),
    ("height = 0.12", 'height = 0.12\nalong = ["B", "Q"]', 'body "coupler" has no point "Q"'),
    ("height = 0.12", 'height = 0.12\nalong = ["B"]', "a beam goes through two points or more, each once"),
    ("height = 0.12", 'height = 0.12\nalong = "B"', "expected a list of names"),
    ("height = 0.12", "height = 0.12\nnotch = 0.5", "notch: must be at least 1; found 0.5"),
    ("[section.coupler]", "[section.ground]", "the ground is no beam"),
    ("[analysis]", "[keepout.wall]\nclearance = 1\n[analysis]", 'needs "polygon", or "center" with "radius"'),
    ("[analysis]", "[keepout.wall]\ncenter = [0, 0]\n[analysis]", 'needs "polygon", or "center" with "radius"'),
    ("[analysis]", "[keepout.wall]\npolygon = [[0, 0], [1, 1]]\n[analysis]", "three corners or more; found 2"),
    ("[analysis]", '[keepout.wall]\ncenter = [0, 0]\nradius = 1\nbodies = ["kr"]\n[analysis]', 'there is no body "kr"'),
    ("[analysis]", "[outline.crank]\nradius = -1\n[analysis]", "must be at least 0; found -1"),
    ("[analysis]", "[pin]\nA = 3\n[analysis]", "write [pin.A] and its keys below it"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "words"), WRONG, ids=[w[2][:40] for w in WRONG])
def test_wrong_tables_are_refused_in_words(tmp_path, old, new, words):
    text = BASE
    if "[pin]" in new:
        text = "\n\n".join(part for part in BASE.split("\n\n") if not part.startswith("[pin"))
    assert old in text
    path = tmp_path / "wrong.toml"
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(ModelError) as error:
        mubo.load(path)
    assert words in str(error.value)
    assert str(path) in str(error.value)


def test_hollow_sections_must_have_walls(tmp_path):
    for shape, words in (
        ('shape = "tube"\ndiameter = 0.1\nthickness = 0.05', "twice the wall of a tube"),
        ('shape = "I"\nheight = 0.1\nwidth = 0.1\nweb = 0.2\nflange = 0.05', "two flanges must be less"),
        ("area = 0.1", '"modulus" is missing: a section without a "shape" has area and modulus'),
    ):
        path = tmp_path / "wrong.toml"
        path.write_text(BASE.replace('shape = "rectangle"\nwidth = 0.02\nheight = 0.12', shape))
        with pytest.raises(ModelError, match=words):
            mubo.load(path)


def test_a_slide_has_no_pin():
    model = mubo.load(EXAMPLES / "excavator.toml")
    model.pin("lower_ram", diameter=0.02, width=0.02)
    with pytest.raises(ModelError, match="only a joint about which bodies turn alone is a pin"):
        model.strength()


@pytest.mark.parametrize("name", ["strong_four_bar.toml", "excavator.toml"])
def test_tables_survive_writing(tmp_path, name):
    """Also in other units, and with a material in place."""
    model = mubo.load(EXAMPLES / name)
    model.sections.pop(next(iter(model.sections)))
    body = next(body for body in model.bodies if body not in model.sections and body != "ground")
    model.section(body, area="20 cm^2", modulus="30 cm^3", material={"yield": "3 GPa", "density": "7.85 kg/dm^3"},
                  along=list(model.bodies[body].points)[:2])  # fmt: skip
    for ending in (".toml", ".json"):
        model.save(tmp_path / f"copy{ending}")
        assert mubo.load(tmp_path / f"copy{ending}") == model


def test_units_convert(tmp_path):
    """The same machine in millimetres, newtons and seconds: the same stress, in N/mm²."""
    text = BASE.replace('units = { length = "m", angle = "rad", mass = "kg", time = "s" }', "")
    small = mubo.load(DATA / "forces" / "metal.toml")
    path = tmp_path / "plain.toml"
    path.write_text(text)
    plain = mubo.load(path).strength(0, 0.2, step=0.05)
    assert plain.check("pin A", "bearing pressure").value == pytest.approx(
        small.strength(0, 0.2, step=0.05).check("pin A", "bearing pressure").value
    )
    assert "MPa" not in str(plain)


def test_a_link_that_is_no_beam():
    """Words say what is missing."""
    model = mubo.load(EXAMPLES / "excavator.toml")
    model.sections.clear()
    model.section("boom", area=1e-3, modulus=1e-5, material="steel")
    with pytest.raises(ModelError, match="of this body O, D, A, M are joined") as error:
        model.strength()
    assert "along = [...]" in str(error.value)
    model.sections.clear()
    model.section("boom", area=1e-3, modulus=1e-5, material="steel", along=("O", "D", "A"))
    with pytest.raises(ModelError, match=r"joint M acts 0.\d+ beside the beam O–D–A"):
        model.strength()
    model.sections.clear()
    model.section("lower_rod", area=1e-3, modulus=1e-5, material="steel")
    with pytest.raises(ModelError, match="of this body M is joined"):
        model.strength()


def test_a_torque_without_a_place():
    """A torque on a coupler, which no pin joins to the frame, must be told where it enters."""
    model = mubo.load(DATA / "forces" / "metal.toml")
    model.force("twist", "body_torque", "coupler", torque=10)
    with pytest.raises(ModelError, match="force twist is a torque on the body, and its point of entry"):
        model.strength()
    model.sections.pop("coupler")
    model.section("coupler", area=1e-3, modulus=1e-5, material={"yield": 1e8}, torque_at="B")
    found = model.strength()
    assert found.worst["coupler"].m[0] == pytest.approx(-10, rel=1e-6)


def test_what_equilibrium_does_not_determine_is_not_told():
    """Three cranks share a load: their pins and links are named, and nothing is signed."""
    model = mubo.load(DATA / "forces" / "three_cranks.toml")
    joint = next(iter(model.joints))
    model.pin(joint, diameter=0.01, width=0.01)
    found = model.strength()
    assert not found.ok
    assert f"pin {joint}" in found.refused
    assert "equilibrium does not determine its load" in str(found)


def test_what_is_of_the_plane_is_refused_in_space():
    model = mubo.load(EXAMPLES / "rssr.toml")
    with pytest.raises(ModelError, match="deflection is computed for planar mechanisms only"):
        model.strength(deflection="pin")
    model.outline("crank", radius=0.1)
    with pytest.raises(ModelError, match="crank: struts, outlines and keep-outs are judged in the plane only"):
        model.strength()


def test_the_command(tmp_path):
    """Table, JSON, files and exit codes."""
    model, out = str(EXAMPLES / "strong_four_bar.toml"), tmp_path / "table.csv"
    result = CliRunner().invoke(cli, ["strength", model, "-o", str(out), "-o", str(tmp_path / "room.dxf")])
    assert result.exit_code == 0, result.output
    assert "strength of strong four-bar: as safe as required" in result.output
    assert "section coupler  fatigue: amplitude" in result.output
    with out.open() as file:
        rows = list(csv.DictReader(file))
    load = next(row for row in rows if row["part"] == "pin A" and row["what"] == "largest load")
    assert float(load["value"]) == pytest.approx(95587.1033, rel=1e-8)
    assert load["unit"] == "N"
    assert (tmp_path / "room.dxf").exists()
    told = json.loads(CliRunner().invoke(cli, ["strength", model, "--json"]).output)
    assert told["ok"] is True
    assert told["governs"]["pin C"]["what"] == "bearing pressure"
    beam = told["beams"]["coupler"]
    assert len(beam["M"]) == len(beam["s"]) >= 81
    wrong = CliRunner().invoke(cli, ["strength", model, "-o", "table.xyz"])
    assert isinstance(wrong.exception, ResultError)


def test_pictures_and_page(tmp_path):
    """Diagrams on the moving links, and a section of the report."""
    found = mubo.load(EXAMPLES / "strong_four_bar.toml").strength()
    drawn = found.run.plot(kind="beams", path=tmp_path / "beams.png").axes
    check = found.check("section crank", "largest stress")
    words = [[text.get_text() for text in axes.texts] for axes in drawn]
    sigma = next(k for k, axes in enumerate(drawn) if axes.get_ylabel() == "σ [MPa]")
    assert f"{check.value / 1e6:.4g}" in words[sigma]  # the crank is the first column
    assert drawn[sigma].get_title(loc="left") == f"allowed ±{check.limit / check.asked / 1e6:.4g} MPa"
    assert {axes.get_ylabel() for axes in drawn[:3]} == {"N [kN]"}
    found.run.plot(kind="envelope", path=tmp_path / "envelope.png")
    found.run.report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert re.search('<section id="strength">.*<h2>Strength</h2>', page)
    assert "bending coupler over 3" in page
    assert "mubo strength strong_four_bar.toml" in page
    with pytest.raises(ResultError, match="this run has no strength"):
        mubo.load(EXAMPLES / "four_bar.toml").kinematics(0, 1, step=0.5).plot(kind="beams")


def test_tables_and_legends_have_four_digits_and_prefixes(command):
    """The 95 587 N of pin A are 95.59 kN; hours and the time of the largest value have their unit."""
    shown = command("strength", EXAMPLES / "strong_four_bar.toml").stdout
    assert "at t [s]" in shown
    assert "95.59 kN" in shown
    assert "1.379 × 10⁸" in shown
    assert not re.search(r"\d\.\d{4,} (MPa|kN|N|m|mm)\b", re.sub(r"\b0\.0*", "", shown))
    run = mubo.load(EXAMPLES / "strong_four_bar.toml").strength(step=0.1).run
    (words,) = [text for text in scale_notes(scene_of(run)) if "bending" in text]
    assert re.search(r"at most \d+(\.\d+)? kN m$", words)


def test_teeth_are_not_assessed_and_the_report_says_so():
    """The pin carries M/r₂ along and M/r₂ tan 20° across the line of centres; of the wheels nothing is judged."""
    model = mubo.Model("two wheels")
    for name, place, end in (("pinion", (0, 0), "A"), ("wheel", (0.1, 0), "B")):
        model.ground.point(end, place)
        model.body(name, position=place, angle=0, points={end: [0, 0]})
        model.joint(end, "revolute", f"ground.{end}", f"{name}.{end}")
    model.joint("mesh", "gears", "pinion", "wheel", radii=[0.04, 0.06], pressure_angle=math.radians(20))
    model.driver("motor", "A", {"rate": 10})
    model.force("brake", "body_torque", "wheel", torque=-5)
    model.material("steel", yield_=250e6)
    model.pin("A", diameter=0.012, width=0.02, material="steel", pressure=20e6, safety=2)
    found = model.strength(0, 0.6, step=0.1)
    assert found.check("pin A", "largest load").value == pytest.approx(5 / 0.06 / math.cos(math.radians(20)), rel=1e-9)
    assert any(note.startswith("teeth and shafts of mesh: not assessed") and "ISO 6336" in note for note in found.notes)
