"""What Python prints: a few lines that say what something is, never all its arrays."""

import warnings

import pytest
from conftest import EXAMPLES

import mubo


@pytest.fixture(scope="module")
def model():
    return mubo.load(EXAMPLES / "four_bar.toml")


def test_a_run_is_a_short_summary(model):
    run = model.kinematics(0, 1, step=0.025)
    told = repr(run)
    assert str(run) == told
    lines = dict(line.split(None, 1) for line in told.splitlines())
    assert lines["model"] == "four bar"
    assert lines["status"].startswith(f"ok, 41 rows of {len(run.columns)} columns")
    assert lines["time"] == "0 to 1 s"
    assert float(lines["residual"]) < 1e-12
    assert len(told) < 600
    for words in run.lines():
        assert words[1].replace("<", "&lt;") in run._repr_html_()  # a notebook tells the same, with a picture
    assert "<img" in run._repr_html_()


def test_a_run_that_stops_says_why_and_its_events_are_sentences():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = mubo.load(EXAMPLES / "type2.deck").kinematics()
    assert "stopped" in repr(run)
    assert run.events[-1].message in repr(run)
    assert repr(run.events).startswith("[<limit at t = 1.9988")


def test_a_simulation_tells_its_energy_error():
    run = mubo.load(EXAMPLES / "five_body_chain.toml").simulate(0, 0.1, step=0.1)
    assert any(label == "energy error" and float(size) < 1e-8 for label, size in run.lines())


def test_models_say_what_they_have(model):
    assert repr(model) == repr(model.build()) == 'Model "four bar" in the plane: 3 bodies, 4 joints, 1 driver, 1 point'
    assert repr(mubo.Model("new", dimension=3)) == 'Model "new" in space: empty'
    assert repr(mubo.load(EXAMPLES / "type2.deck")).startswith('Model "type2" in the plane: 3 bodies, 4 joints')
    assert repr(model.ground) == "body ground with the points A, D"


def test_batches_reports_and_columns_are_short(model):
    batch = model.batch({"coupler.B": [(-2.1, 0), (-1.9, 0)]}, 0, 1, 0.5)
    assert repr(batch) == '2 variants of "four bar", 3 times: 2 ok'
    run = model.kinematics(0, 1, step=0.5)
    for report in (
        mubo.compare(run, run),
        model.check(),
        model.loops(),
        model.modes(),
        mubo.load(EXAMPLES / "five_body_chain.toml").wittenburg(),
    ):
        echoed = repr(report).splitlines()
        assert len(echoed) <= 41
        assert echoed[:40] == str(report).splitlines()[:40]
    assert repr(run.columns).startswith(f"<{len(run.columns)} columns: t, crank.x, ")
