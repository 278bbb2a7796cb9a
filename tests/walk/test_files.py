"""Files in and out: forms of the KABIOS text, and the round trip of the native form."""

import json
import math
import tomllib

import pytest
from conftest import DATA, EXAMPLES

import mubo
from mubo.laws import Table

PLAIN = (DATA / "kabios_four_bar.dat").read_text()
LINES = PLAIN.splitlines()


def labelled() -> str:
    """With the letters that the manual prints; its last line has (i), where the prompt list says (j)."""
    letters = "a" + "b" * 4 + "c" * 4 + "e" + "g" + "h" + "i"
    return "\n".join(f"{line} ({letter})" for line, letter in zip(LINES, letters, strict=True))


FORMS = {
    "commas": PLAIN.replace(" ", ", "),
    "labels": labelled(),
    "numbered bodies": "\n".join([LINES[0], *(f"{k} {line}" for k, line in enumerate(LINES[1:5], 1)), *LINES[5:]]),
    "one line": " ".join(LINES),
    "one number a line": "\n".join(PLAIN.split()),
    "blank lines and tabs": "\n\n".join(LINES).replace(" ", "\t"),
    "FORTRAN exponents": PLAIN.replace("0.0250", "2.5D-2"),
    "numbered, one line": " ".join([LINES[0], *(f"{k} {b}" for k, b in enumerate(LINES[1:5], 1)), *LINES[5:]]),
    "Windows line ends": PLAIN.replace("\n", "\r\n"),
}


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_the_kabios_text(tmp_path, form):
    (tmp_path / "kabios_four_bar.dat").write_bytes(FORMS[form].encode())
    assert mubo.load(tmp_path / "kabios_four_bar.dat") == mubo.load(DATA / "kabios_four_bar.dat")


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")) + sorted(EXAMPLES.glob("*.dat")), ids=lambda p: p.name)
def test_native_round_trip(tmp_path, path):
    model = mubo.load(path)
    model.save(tmp_path / "model.toml")
    assert mubo.load(tmp_path / "model.toml") == model


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda p: p.name)
def test_native_round_trip_in_json(tmp_path, path):
    model = mubo.load(path)
    model.save(tmp_path / "model.json")
    assert mubo.load(tmp_path / "model.json") == model


def test_json_holds_the_tables_of_the_native_file(tmp_path):
    """A file written by hand as JSON: what TOML says in tables."""
    text = (EXAMPLES / "four_bar.toml").read_text()
    (tmp_path / "four_bar.txt").write_text(json.dumps(tomllib.loads(text)))
    assert mubo.load(tmp_path / "four_bar.txt", "json") == mubo.load(EXAMPLES / "four_bar.toml")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"body": ', "x.json, line 1: this is not JSON"),
        ("[1, 2]", "x.json: a model is an object such as"),
        ('{"body": {"bar": {}, "bar": {}}}', 'x.json: "bar" stands twice in one object'),
        ('{"body": {"bar": {"angle": null}}}', 'x.json: "angle" is null: leave it out'),
        ('{"body": {"bar": {"angle": NaN}}}', "x.json: NaN is no number of JSON"),
        ('{"body": {"bar": {"angel": 1}}}', 'x.json: body bar: there is no key "angel". Did you mean "angle"?'),
        ('{"joint": {"A": {"type": "revolut"}}}', 'x.json: joint A: there is no joint type "revolut"'),
        ('{"columns": {"t": [0, 1]}}', "x.json is a result table, not a model"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_bad_json_models(tmp_path, text, says):
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(mubo.ModelError) as caught:
        mubo.load(tmp_path / "x.json")
    assert says in str(caught.value)


def test_infinity_is_not_written_as_json(tmp_path):
    model = mubo.load(EXAMPLES / "four_bar.toml").replace("motor", Table((0.0, 1.0, 2.0), (0.0, 1.0, 4.0), math.inf))
    model.save(tmp_path / "model.toml")
    with pytest.raises(mubo.ModelError, match="infinite number, which JSON cannot hold"):
        model.save(tmp_path / "model.json")


def test_a_table_does_not_replace_its_model(tmp_path):
    model = mubo.load(EXAMPLES / "four_bar.toml")
    model.save(tmp_path / "four_bar.json")
    run = mubo.load(tmp_path / "four_bar.json").kinematics()
    with pytest.raises(mubo.ResultError, match="is the model itself"):
        run.save(tmp_path / "four_bar.json")
    run.save(tmp_path / "table.json")
    with pytest.raises(mubo.ModelError, match=r"table\.json is a result table, not a model"):
        mubo.load(tmp_path / "table.json")
    with pytest.raises(mubo.ResultError, match=r"four_bar\.json is a model, not a result table"):
        mubo.compare(tmp_path / "four_bar.json", tmp_path / "table.json")


def test_kabios_translational_and_simple_constraints(tmp_path):
    """A slider-crank in KABIOS words (Nikravesh 1988, section 5.2), against the closed form at one angle."""
    text = """4 3 1 1 0 1 0 0 0
    0 0 0
    0.5 0.5 0.78
    2.0 0.5 -0.35
    3.0 0.0 0.0
    1 2 0 0 0 0
    2 3 1 0 -1 0
    3 4 1 0 0 0
    1 4 0 0 1 0 0 0
    1
    2 3 0.7853981633974483 1.0 0.0
    0 0.1 0.1"""
    (tmp_path / "slider.dat").write_text(text)
    model = mubo.load(tmp_path / "slider.dat")
    run = model.kinematics()
    assert run["body4.x"][0] == pytest.approx(0.5**0.5 + (4 - 0.5) ** 0.5, abs=1e-12)
    assert "joint T1: angle = 0, taken from the estimates" in run.summary["warnings"]
    model.save(tmp_path / "again.dat")
    again = mubo.load(tmp_path / "again.dat").kinematics()
    assert list(again["body4.x"]) == list(run["body4.x"])


def test_native_four_bar_as_kabios_text(tmp_path):
    """The ground of a native model becomes body 1 with a ground constraint."""
    model = mubo.load(EXAMPLES / "four_bar.toml")
    model.save(tmp_path / "four_bar.dat")
    assert (tmp_path / "four_bar.dat").read_text().startswith("4 4 0 1 0 1 1 0 0 (a)")
    old = mubo.load(tmp_path / "four_bar.dat").kinematics()
    assert old["P1.x"] == pytest.approx(model.kinematics()["P.x"], abs=1e-12)


def test_what_kabios_cannot_hold_is_named(tmp_path):
    model = mubo.load(EXAMPLES / "four_bar.toml").replace("motor", "sin(t)")
    with pytest.raises(mubo.ModelError, match="driver motor: KABIOS drivers are"):
        model.save(tmp_path / "four_bar.dat")
    assert not (tmp_path / "four_bar.dat").exists()


def test_a_python_function_cannot_be_written(tmp_path):
    model = mubo.load(EXAMPLES / "four_bar.toml").replace("motor", lambda t: t)
    with pytest.raises(mubo.ModelError, match="driver motor: a Python function cannot be written"):
        model.save(tmp_path / "four_bar.toml")


def test_measured_motion_from_a_csv_table(tmp_path):
    rows = ["time,angle [rad],other", *(f"{0.1 * k},{1.0 + 0.2 * k * 0.1},{k}" for k in range(21))]
    (tmp_path / "motor.csv").write_text("\n".join(rows))
    text = (EXAMPLES / "four_bar.toml").read_text()
    text = text.replace('"pi/3 + 2*pi*t"', '{ table = "motor.csv", column = "angle", smooth = "gcv" }')
    (tmp_path / "model.toml").write_text(text)
    run = mubo.load(tmp_path / "model.toml").kinematics()
    assert run["crank.phi"] == pytest.approx(1.0 + 0.2 * run["t"], abs=1e-9)
