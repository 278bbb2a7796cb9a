"""A notebook shows every result by itself: a table, a picture, or the moving page."""

import html
import re

import pytest
from conftest import EXAMPLES

import mubo
from mubo.results.presentation import REGISTERED

LINKS = [(-2.1, 0), (-2.0, 0)]
PARAMETERS = EXAMPLES / "parameters.toml"
FOUR_BAR = EXAMPLES / "four_bar.toml"
SHORT = {"step": 0.1}


def compare(tmp_path):
    for name in ("a.csv", "b.csv"):
        mubo.load(FOUR_BAR).kinematics(0, 1, **SHORT).save(tmp_path / name)
    return mubo.compare(tmp_path / "a.csv", tmp_path / "b.csv")


RESULTS = {
    "Run": lambda tmp: mubo.load(FOUR_BAR).kinematics(0, 1, **SHORT),
    "Model": lambda tmp: mubo.load(FOUR_BAR),
    "Sweep": lambda tmp: mubo.load(PARAMETERS).sweep({"a": [0.03, 0.05]}, ["range P.x"], workers=1),
    "Batch": lambda tmp: mubo.load(FOUR_BAR).batch({"coupler.B": LINKS}, 0, 1, 0.1),
    "Sensitivity": lambda tmp: mubo.load(PARAMETERS).sensitivity(["stroke"], ["a", "c"]),
    "Tolerances": lambda tmp: mubo.load(EXAMPLES / "tolerances.toml").tolerance(["stroke"], samples=0),
    "Optimum": lambda tmp: mubo.load(PARAMETERS).optimize({"c": [0.1, 0.12]}, minimize="mass", starts=1, **SHORT),
    "Synthesis": lambda tmp: mubo.synthesize.function([(0, 0), (30, 20), (60, 50)], crank_start=40, rocker_start=70),
    "Linearization": lambda tmp: mubo.load(EXAMPLES / "loaded_four_bar.toml").linearize(
        free="hold", at={"hold": "200 deg"}
    ),
    "LoopReport": lambda tmp: mubo.load(FOUR_BAR).loops(),
    "ModeReport": lambda tmp: mubo.load(FOUR_BAR).modes(),
    "CheckReport": lambda tmp: mubo.load(FOUR_BAR).check(),
    "Comparison": compare,
    "Strength": lambda tmp: mubo.load(EXAMPLES / "strong_four_bar.toml").strength(),
    "Gait": lambda tmp: mubo.load(EXAMPLES / "walker.toml").gait(),
    "Trials": lambda tmp: mubo.gait_trials(EXAMPLES / "walker.toml", [EXAMPLES / "walker.trc"]),
    "ParetoFront": lambda tmp: mubo.load(PARAMETERS).pareto(
        {"a": [0.03, 0.05]}, maximize=["stroke of D", "transmission"], designs=3, starts=1
    ),
    "CutParts": lambda tmp: mubo.load(EXAMPLES / "jansen_leg.toml").parts(hole="4 mm", width="12 mm"),
    "MotorSizing": lambda tmp: mubo.load(EXAMPLES / "feeder.toml").motor(EXAMPLES / "motors.csv"),
    "WittenburgReport": lambda tmp: mubo.load(EXAMPLES / "five_body_chain.toml").wittenburg(),
}


def test_every_result_with_a_picture_is_shown_below():
    assert set(RESULTS) == {name.partition(".")[0] for name in REGISTERED if name.endswith(".plot")}


@pytest.mark.parametrize("name", RESULTS)
def test_a_cell_shows_a_result_as_a_table_with_its_picture(name, tmp_path):
    result = RESULTS[name](tmp_path)
    page = result._repr_html_()
    assert type(result).__name__ == name
    assert "data:image/png;base64," in page
    assert ("<table>" if f"{name}.tables" in REGISTERED else "<pre>") in page
    plain = repr(result)
    assert len(plain) < 8000, "a prompt echoes a summary"
    assert "array(" not in plain
    assert f"{name}(" not in plain
    assert plain.splitlines()[0] == str(result).splitlines()[0]
    assert " object at 0x" not in plain


def test_a_model_that_cannot_be_drawn_says_why():
    model = mubo.load(FOUR_BAR).replace("coupler.B", (-20, 0))
    page = model._repr_html_()
    assert "<table>" in page
    assert "no picture" in page
    assert "data:image" not in page
    with pytest.raises(mubo.AssemblyError):
        model.plot()


def test_the_first_position_of_a_simulation_is_its_initial_state():
    """The picture of a model with initial conditions is that of the first row of its simulation."""
    from mubo.view.first_position import first_run

    model = mubo.load(EXAMPLES / "released_slider_crank.toml")
    first, run = first_run(model.build()), model.simulate(0, 0.01, 0.01)
    bodies = [f"{name}.{letter}" for name in model.bodies if name != "ground" for letter in ("x", "y")]
    assert [first[name][0] for name in bodies] == [run[name][0] for name in bodies]


def test_the_moving_page_is_one_frame_that_needs_nothing_else(tmp_path):
    run = mubo.load(FOUR_BAR).kinematics(0, 1, **SHORT)
    shown = run.show("rocker.phi")
    frame = shown._repr_html_()
    inner = html.unescape(re.fullmatch(r'<iframe [^>]*srcdoc="([^"]*)"></iframe>', frame)[1])
    assert inner == shown.text
    assert not re.search(r'(?:src|href)="(?!#|data:)', inner), "the page loads nothing from elsewhere"
    written = run.report(tmp_path / "page.html", "rocker.phi")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == written.text
    assert repr(written).startswith("page page.html, ")


CELLS = [
    "import mubo",
    f'model = mubo.load("{FOUR_BAR.as_posix()}")\nmodel.check()',
    "run = model.kinematics(0, 1, step=0.1)\nrun",
    'run.plot("P.x", "P.y")',
    "run.show()",
    "model",
]


@pytest.fixture(scope="module")
def cells():
    """All cells of both notebooks, run by one kernel."""
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    pytest.importorskip("anywidget")
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in (*CELLS, *STUDIO)])
    nbclient.NotebookClient(book, kernel_name="python3", timeout=120).execute()
    return book.cells


def test_a_kernel_shows_a_figure_a_table_and_a_moving_page(cells):
    check, run, figure, page, model = ([out.get("data", {}) for out in cell.outputs] for cell in cells[1 : len(CELLS)])
    assert [list(out) for out in figure] == [["text/plain", "image/png"]], "no pyplot, no %matplotlib"
    for shown in (check, run, model):
        (out,) = shown
        assert "<table>" in out["text/html"]
        assert "data:image/png" in out["text/html"]
    assert "<iframe" in page[0]["text/html"]


STUDIO = [
    f'import asyncio, json, mubo\nmodel = mubo.load("{FOUR_BAR.as_posix()}")\nwidget = model.studio()\nwidget',
    """
async def ask(**message):
    await widget.cell._answer(json.dumps(message))
await ask(do="open", file="model.toml")
await ask(do="set", path=["body", "crank", "points", "B", 0], literal="1.25")
print(model.bodies["crank"].points["B"][0])
await ask(do="undo")
print(model.bodies["crank"].points["B"][0])
""",
]


def test_the_studio_in_a_cell_changes_the_python_object(cells):
    shown, printed = cells[len(CELLS) :]
    assert "application/vnd.jupyter.widget-view+json" in shown.outputs[-1]["data"]
    assert printed.outputs[0]["text"].split() == ["1.25", "1.0"]  # as typed, and as in the file
