"""The one-file report without a browser: what it holds, that its equations hold, and what it refuses."""

import base64
import re
import shutil
from html import unescape

import numpy as np
import pytest
from conftest import EXAMPLES, MOVED_EXAMPLES
from page_numbers import embedded

import mubo
from mubo.elements import DRIVERS, JOINTS, LOADS, SPATIAL_DRIVERS, SPATIAL_JOINTS
from mubo.elements.formula import formula_of
from mubo.view.report import page as page_module
from mubo.view.report.equations import summands
from mubo.view.report.markup import number, table
from mubo.view.report.page import page

MEGABYTE = 1_000_000
PLANAR = [path for path in MOVED_EXAMPLES if path.suffix == ".toml" and "dimension = 3" not in path.read_text()]
# Cams are no vectors; with a body that stands (by a joint, or as the ground of a part) absolute coordinates are taken.
PLANAR = [path for path in PLANAR if "_cam" not in path.stem and 'type = "ground"' not in path.read_text()]
PLANAR = [path for path in PLANAR if path.stem not in ("lanchester", "geneva")]


def numbers(packed, kind="<f8"):
    return np.frombuffer(base64.b64decode(packed), kind)


@pytest.fixture(scope="module")
def four_bar():
    return mubo.load(EXAMPLES / "four_bar.toml").kinematics()


def test_command_writes_one_file_without_an_address(command, tmp_path):
    done = command("report", EXAMPLES / "four_bar.toml", "-o", "four_bar.html")
    assert (done.returncode, done.stdout.strip()) == (0, "four_bar.html"), done.stderr
    text = (tmp_path / "four_bar.html").read_text()
    assert len(text) < 3 * MEGABYTE
    assert not re.search(r"https?:|//\w+\.\w+/|<link[^>]+href=\"(?!data:)|@import|url\(", text)
    for title in ("Proof", "Events and warnings", "Model", "Mobility and loops", "Equations", "How to reproduce"):
        assert f"<h2>{title}</h2>" in text
    assert "mubo report four_bar.toml -o four_bar.html" in text  # no folder of this computer
    assert str(tmp_path) not in text


def test_page_of_a_spatial_model_has_no_address_either(command, tmp_path):
    assert command("report", EXAMPLES / "five_body_chain.toml", "-o", "chain.html").returncode == 0
    text = (tmp_path / "chain.html").read_text()
    assert len(text) < 3 * MEGABYTE
    assert not re.search(r"https?:", text)
    shown = embedded(text, "run")["shown"]
    assert {"shoulder.q1", "spin.q", "energy.total"} <= set(shown)


def test_data_are_the_columns_of_the_run(four_bar):
    """Digit for digit at its rows; what is added between them for drawing is the motion solved there."""
    data = embedded(page(four_bar, "p.html", []), "run")
    times = numbers(data["times"])
    own = np.isin(times, four_bar["t"])
    np.testing.assert_array_equal(numbers(data["rows"]), four_bar["t"])
    np.testing.assert_array_equal(times[own], four_bar["t"])
    between = four_bar.record.between(times)
    assert 0 < np.sum(~own) < 41  # the coupler point is quick near t = 0.83
    assert [column["name"] for column in data["columns"]] == [name for name in four_bar.columns if name != "t"]
    for column in data["columns"]:
        values = numbers(column["v"])
        np.testing.assert_array_equal(values[own], four_bar[column["name"]])
        exact = between[column["name"]]
        assert values == pytest.approx(exact, abs=2**-22 * np.max(np.abs(exact)))  # 22 binary digits
    assert data["shown"] == ["D.q", "P.x", "P.y", "P.vx", "P.vy", "P.ax", "P.ay"]  # output, coupler point


def test_poses_are_carried_once_and_columns_say_what_they_are(four_bar):
    """The scene names the columns that are its poses; a column names the one that is its derivative."""
    text = page(four_bar, "p.html", [])
    scene, data = embedded(text, "scene"), embedded(text, "run")
    columns = {column["name"]: column for column in data["columns"]}
    assert scene["poses"]["rocker"] == ["rocker.x", "rocker.y", "rocker.phi"]
    for name, slope in (
        ("P.x", "P.vx"),
        ("P.vy", "P.ay"),
        ("rocker.phi", "rocker.omega"),
        ("motor.value", "motor.rate"),
    ):
        assert columns[name]["derivative"] == slope
        t, v, rate = numbers(data["times"]), numbers(columns[name]["v"]), numbers(columns[slope]["v"])
        # trapezoidal rule over 25 ms steps of a motion at 2 pi a second: (2 pi h)^2 / 12 of the largest rate, and more
        assert np.cumsum(np.diff(t) * (rate[1:] + rate[:-1]) / 2) == pytest.approx(
            v[1:] - v[0], abs=0.02 * np.max(np.abs(rate))
        )
    assert "derivative" not in columns["P.ax"]
    assert columns["P.vx"]["group"] == columns["P.vy"]["group"] != columns["P.x"]["group"]
    assert (columns["P.vx"]["owner"], columns["P.vx"]["word"], columns["P.vx"]["order"]) == ("P", "vx", 1)


def offset_wheels():
    """Two wheels whose mesh has a phase: φ of the second is 0.6 where that of the first is zero."""
    model = mubo.Model("wheels")
    for name, x in (("A", 0.0), ("B", 3.0)):
        model.ground.point(name, (x, 0))
        model.body(name, (x, 0), 0.2 * x, {name: (0, 0)})
        model.revolute(f"shaft_{name}", f"ground.{name}", f"{name}.{name}")
    model.joint("mesh", "gears", "A", "B", radii=(2, 1))
    model.driver("motor", "A.phi", "t + t**2")
    return model


@pytest.fixture(scope="module", params=[*PLANAR, offset_wheels], ids=lambda made: getattr(made, "stem", "wheels"))
def planar(request):
    if request.param is offset_wheels:
        return offset_wheels().kinematics(0, 1, 0.1)
    return mubo.load(request.param).kinematics()


# Every unknown of these is a column of the table.
COMPLETE = {"four bar", "eight bodies, two cylinders", "slider crank", "Jansen leg", "wheels"}


def unknowns(run):
    """Angles in radians, slides and motion laws by their symbols, from the columns of a run."""
    columns, model = run.columns, run.model
    values = {f"φ_{name}": columns.raw(f"{name}.phi") for name in model.bodies if f"{name}.phi" in columns}
    values |= {f"s_{name}": columns.raw(f"{name}.q") for name in model.joints if f"{name}.q" in columns}
    return values | {f"f_{name}(t)": columns.raw(f"{name}.value") for name in model.drivers}


def test_written_loop_equations_hold_along_the_motion(planar):
    """Every summand as it is written, evaluated with columns of the run: they sum to zero in x and y."""
    assert planar.summary["formulation"] == "loops"
    loops, values = planar.record.form, unknowns(planar)
    known = 0
    for terms in loops.polygons:
        written = summands(loops, terms, list(planar.model.drivers))
        names = {plain(text) for s in written for text in (s.symbols, s.angle) if text}
        if not names <= set(values):
            continue  # angles of massless links and slides of couplings are not in the table
        known += 1
        for wave in (np.cos, np.sin):
            total = sum(
                s.factor
                * (values[plain(s.symbols)] if s.symbols else 1.0)
                * wave((values[plain(s.angle)] if s.angle else 0.0) + s.constant)
                for s in written
            )
            size = max(abs(s.factor) for s in written)
            assert np.max(np.abs(total)) < 1e-9 * max(size, 1.0)
    if planar.model.name in COMPLETE:
        assert known == len(loops.polygons)


def test_printed_loop_equations_hold_along_the_motion(planar):
    """The page read as a person reads it, signs, numbers and names: left sides of "= 0" are zero along the motion.

    Numbers have six digits, angles five: each term may be off by 1e-5 of its size, and an angle by 5e-4 degrees.
    """
    text = page(planar, "p.html", [])
    part = text[text.index("<h3>Equations solved</h3>") : text.index("<h3>Laws</h3>")]
    printed = [plain(line) for line in re.findall(r'<span class="math">(.*?)</span>', part)]
    assert len(printed) == 2 * len(planar.record.form.polygons) + len(planar.record.form.linear)
    values, rows = unknowns(planar), len(planar)
    seen = 0
    for line in printed:
        terms = read_sum(line.removesuffix(" = 0"))
        if {name for _, *rest in terms for name in rest if name.partition("_")[0] in "φsf"} <= set(values):
            parts = np.array([read_term(term, values) * np.ones(rows) for term in terms]).reshape(-1, rows)
            np.testing.assert_allclose(parts.sum(axis=0), 0, atol=2e-5 * np.max(np.abs(parts), initial=1.0) + 1e-9)
            seen += 1
    assert seen == len(printed) or planar.model.name not in COMPLETE


def read_sum(text):
    """ "2 cos φ_a − (…)": each term as its sign and its words."""
    words = re.findall(r"\([^)]*°\)|\S+", re.sub(r"(\S+) × 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", r"\1×\2", text))
    terms, sign = [], 1.0
    for word in words:
        if word in "+−":
            sign = -1.0 if word == "−" else 1.0
            terms.append([sign])
        else:
            terms = terms or [[sign]]
            terms[-1].append(word)
    return [] if words == ["0"] else terms


def read_term(term, values):
    """A number, symbols, and at last cos or sin of an angle, in degrees beside a symbol."""
    product, wave = term[0], None
    for word in term[1:]:
        if word in ("cos", "sin"):
            wave = getattr(np, word)
        elif wave is not None:
            name, sign, degrees = re.fullmatch(r"\(?(\S+?)(?: ([+−]) ([\d.]+)°\))?", word).groups()
            shift = 0.0 if sign is None else np.radians(float(degrees)) * (1 if sign == "+" else -1)
            product = product * wave(values[name] + shift)
        else:
            size, _, power = word.partition("×")
            power = float("".join(RAISED.get(c, c) for c in power) or 0)
            product = product * (values[word] if word in values else float(size) * 10**power)
    return product


RAISED = dict(zip("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789", strict=True))


def plain(text):
    """ "<i>φ</i><sub>crank</sub>" as "φ_crank"."""
    return re.sub(r"</?i>|</sub>", "", text.replace("<sub>", "_"))


def test_every_element_has_a_formula_to_write():
    for registry in (JOINTS, DRIVERS, SPATIAL_JOINTS, SPATIAL_DRIVERS, LOADS):
        for element in registry.values():
            assert formula_of(element)
    assert formula_of(JOINTS["revolute"]) == "r_i + A_i s_i − r_j − A_j s_j = 0"
    assert formula_of(SPATIAL_JOINTS["revolute"]).startswith("P_i − P_j = 0")


def test_equations_carry_the_names_of_the_model(four_bar):
    text = page(four_bar, "p.html", [])
    assert "<i>r</i><sub>crank</sub> + <i>A</i><sub>crank</sub> <i>s</i><sub>crank.B</sub>" in text
    assert "2 cos <i>φ</i><sub>crank</sub>" in text
    assert "<i>φ</i><sub>crank</sub> − f(t) = 0" in text


def test_long_results_are_thinned_and_that_is_said(four_bar):
    rows = 100_001
    long = mubo.load(EXAMPLES / "four_bar.toml").kinematics()
    t = np.linspace(0, 1, rows)
    columns = four_bar.columns
    long.columns = columns.replaced({name: np.interp(t, columns["t"], columns.raw(name)) for name in columns})
    text = page(long, "p.html", [])
    scene, data = embedded(text, "scene"), embedded(text, "run")
    assert "of 100001 rows are animated" in text
    assert "Tables hold every row" in text
    times = numbers(scene["times"])
    assert len(times) <= 20_000
    assert [times[0], times[-1]] == [0, 1]
    assert len(numbers(scene["poses"]["crank"])) == 3 * len(times)
    column = next(c for c in data["columns"] if c["name"] == "P.ay")
    v = numbers(column["v"])
    assert len(v) < 10_000
    assert (v.min(), v.max()) == (four_bar["P.ay"].min(), four_bar["P.ay"].max())  # no peak is lost


def test_a_wittenburg_run_names_its_equations_and_counts_no_steps():
    run = mubo.load(EXAMPLES / "five_body_chain.toml").simulate(0, 0.1, step=0.05, formulation="wittenburg")
    text = page(run, "p.html", [])
    assert "<dt>steps</dt><dd>not counted</dd>" in text
    assert "Wittenburg&#x27;s equations A q̈ = B" in text
    run.summary["energy"] |= {"error": None, "relative": None}  # as of a run with springs and dampers
    assert "not known: forces or drivers exchange energy" in page(run, "p.html", [])


def test_gaps_and_one_row(four_bar):
    gap = mubo.load(EXAMPLES / "four_bar.toml").kinematics()
    row = gap["t"] == gap["t"][7]
    gap.columns = gap.columns.replaced({n: np.where(row, np.nan, v) for n, v in gap.columns.items() if n != "t"})
    text = page(gap, "p.html", [])
    x, *_ = embedded(text, "scene")["poses"]["crank"]
    held = {column["name"]: numbers(column["v"]) for column in embedded(text, "run")["columns"]}
    assert list(np.flatnonzero(np.isnan(held[x]))) == [7]
    assert np.isnan(numbers(embedded(text, "run")["columns"][0]["v"])[7])
    one = mubo.load(EXAMPLES / "four_bar.toml").kinematics(0, 0, step=1)
    assert "1 row, t = 0 … 0 s" in page(one, "p.html", [])


def test_what_is_refused(command, tmp_path, four_bar, monkeypatch):
    done = command("report", EXAMPLES / "four_bar.toml", "-o", "four_bar.docx")
    assert done.returncode == 1
    assert "must be .html" in done.stderr
    done = command("report", EXAMPLES / "four_bar.toml", "P.why")
    assert done.returncode == 1
    assert 'no column "P.why"' in done.stderr
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr(page_module, "FOLDER", tmp_path / "nowhere")
    with pytest.raises(mubo.ResultError, match="make report-assets"):
        four_bar.report(tmp_path / "p.html")


def test_a_run_that_stops_is_reported_with_its_event(command, tmp_path):
    model = (EXAMPLES / "four_bar.toml").read_text()
    # lengths 2.5, 2, 6, 4: shortest + longest exceed the two others, so the crank cannot turn fully (Grashof 1883)
    model = model.replace("points = { B = [-2, 0], C = [2, 0] }", "points = { B = [-3, 0], C = [3, 0] }")
    (tmp_path / "stops.toml").write_text(model)
    done = command("report", "stops.toml")
    assert done.returncode == 3
    text = (tmp_path / "stops.html").read_text()
    assert 'data-status="stopped"' in text
    assert embedded(text, "scene")["events"][0]["kind"] == "limit"


def test_markup_is_safe_and_numbers_are_readable():
    assert number(-1.5e-12) == "−1.5 × 10⁻¹²"
    assert number(2.5) == "2.5"
    assert "<script>" not in table(("a",), [("<script>",)])
    model = mubo.Model("</script><b>")
    assert mubo.load(EXAMPLES / "eight_body.toml").drivers["lower_pump"].motion.description == "1.89737 + 0.25 sin(2 t)"
    model.body("bar", position=(0, 0), points={"A": (0, 0)})
    model.ground.point("A", (0, 0))
    model.revolute("A", "ground.A", "bar.A")
    model.driver("m", "bar.phi", "t")
    text = page(model.kinematics(0, 1, step=0.5), "p.html", [])
    assert "</script><b>" not in text
    assert embedded(text, "scene")["name"] == "</script><b>"


def test_how_to_reproduce_gives_the_same_numbers(tmp_path, monkeypatch):
    """The Python on the page, run as it stands, with a mode and a tolerance of its own."""
    shutil.copy(EXAMPLES / "four_bar.toml", tmp_path)
    monkeypatch.chdir(tmp_path)
    run = mubo.load("four_bar.toml").kinematics(0, 0.4, 0.1, mode=2, tolerance=1e-7, formulation="absolute")
    text = page(run, "page.html", [])
    code = re.findall(r"<pre><code>(.*?)</code></pre>", text, re.S)
    assert "--tolerance 1e-07 --formulation absolute --mode 2" in unescape(code[0])
    names = {}
    exec(unescape(code[1]), names)
    for name in run.columns:
        np.testing.assert_array_equal(names["run"][name], run[name])
    assert (tmp_path / "page.html").exists()


def test_rounding_is_zero_and_quantities_have_units():
    model = mubo.Model("arm", dimension=3, gravity=(0, 0, -9.81), units={"length": "m", "mass": "kg", "time": "s"})
    model.ground.point("O", (0, 0, 0))
    model.body("arm", points={"O": (0, 0, 0), "end": (np.cos(np.pi / 2), 1, 0)}, mass=2.0, inertia=(0.1, 0.1, 0.1))
    model.joint("O", "revolute", "ground.O", "arm.O", axis=(1, 0, 0))
    model.force("spring", "spring", "ground.O", "arm.end", stiffness=40.0, length=0.5, damping=0.3)
    text = unescape(re.sub(r"<(script|pre).*?</\1>", "", page(model.simulate(0, 0.1, 0.05), "p.html", []), flags=re.S))
    assert np.cos(np.pi / 2) != 0
    assert "10⁻¹⁷" not in text
    assert "end (0, 1, 0)" in text
    for words in ("mass [kg]", "inertia [kg m²]", "points, in its axes [m]", "(0, 0, −9.81) m/s²"):
        assert words in text, words
    assert "stiffness = 40 N/m, length = 0.5 m, damping = 0.3 N s/m" in text


@pytest.mark.parametrize("name", ["whitworth", "jansen_leg", "stewart_platform"])
def test_names_of_the_still_drawing_keep_apart(name):
    """Lines of text 19 units high: of names whose boxes meet along x, the feet stand at least that far apart."""
    text = page(mubo.load(EXAMPLES / f"{name}.toml").kinematics(), "page.html", [])
    still = text[text.index('<svg class="still"') : text.index("</svg>", text.index('<svg class="still"'))]
    found = re.findall(r'<text x="(-?\d+)" y="(-?\d+)" font-size="19"[^>]*>([^<]+)<', still)
    assert found
    boxes = [(int(x), int(x) + 9 * len(word), int(y)) for x, y, word in found]
    for k, (left, right, foot) in enumerate(boxes):
        for other in boxes[:k]:
            assert right < other[0] or other[1] < left or abs(foot - other[2]) >= 19, (found[k], other)


def test_starting_values_of_bodies_have_units():
    text = page(mubo.load(EXAMPLES / "space_arm.toml").simulate(0, 0.1, step=0.1), "page.html", [])
    heads = text[text.index("Starting values") :][:600]
    assert all(head in heads for head in ("position [m]", "velocity [m/s]", "ω [deg/s]"))


def test_what_is_constant_is_drawn_constant(four_bar):
    """The crank turns at 2π rad/s: rows that are added for drawing have no rounding that a curve would show."""
    data = embedded(page(four_bar, "p.html", []), "run")
    (rate,) = (numbers(column["v"]) for column in data["columns"] if column["name"] == "crank.omega")
    assert len(rate) > 41
    assert np.ptp(rate) < 1e-12 * np.max(rate)
