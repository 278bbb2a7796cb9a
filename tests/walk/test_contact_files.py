"""Contacts from a file to columns, events and messages, as people use them."""

import numpy as np
import pytest

import mubo

BALL = """
gravity = [0, -9.81]
[body.ball]
position = [0, {height}]
angle = 0
mass = 1
inertia = 0.004
[surface.rim]
body = "ball"
shape = "circle"
radius = 0.1
[surface.floor]
body = "ground"
shape = "plane"
normal = [0, 1]
[contact.bounce]
between = ["rim", "floor"]
restitution = {restitution}
{more}
[analysis]
type = "simulate"
end = 1
step = 0.1
"""


def _load(tmp_path, height=0.5, restitution=0.7, more=""):
    path = tmp_path / "ball.toml"
    path.write_text(BALL.format(height=height, restitution=restitution, more=more))
    return mubo.load(path)


def test_a_file_with_contact_is_read_written_and_simulated(tmp_path):
    model = _load(tmp_path)
    run = model.simulate(0, 1, step=0.1)
    assert {"bounce.gap", "bounce.normal", "bounce.fy", "bounce.x"} <= set(run.columns)
    assert [event.kind for event in run.events][:2] == ["impact", "impact"]
    assert "hits" in run.events[0].message
    again = tmp_path / "again.toml"
    model.save(again)
    assert mubo.load(again).simulate(0, 1, step=0.1)["ball.y"] == pytest.approx(run["ball.y"], abs=0)


def test_rows_do_not_depend_on_the_output_step_or_the_units(tmp_path):
    model = _load(tmp_path, restitution=0.5)
    coarse, fine = model.simulate(0, 1, step=0.5), model.simulate(0, 1, step=0.05)
    assert coarse["ball.y"][-1] == pytest.approx(fine["ball.y"][-1], abs=1e-10)
    path = tmp_path / "millimetres.toml"
    text = (
        BALL.format(height=500, restitution=0.5, more="")
        .replace("-9.81", "-9810")
        .replace("0.1\n[surface.floor", "100\n[surface.floor")
    )
    path.write_text('units = { length = "mm" }\n' + text.replace("inertia = 0.004", 'inertia = "0.004 kg*m^2"'))
    other = mubo.load(path).simulate(0, 1, step=0.5)
    assert np.asarray(other["ball.y"]) / 1000 == pytest.approx(coarse["ball.y"], abs=1e-10)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"restitution": 1.2}, "between 0"),
        ({"more": "damping = 'flores'"}, "belongs to compliant contact"),
        ({"more": "static_friction = 0.3"}, '"friction" is missing'),
        ({"more": "[surface.wall]\nbody = 'ground'\nshape = 'plane'"}, '"normal" is missing'),
        (
            {"more": "[surface.wall]\nbody = 'ground'\nshape = 'circle'\nradius = 1\nyoung = 1e9"},
            '"poisson" is missing',
        ),
        (
            {"more": "[surface.tip]\nbody = 'ball'\nshape = 'point'\n[contact.own]\nbetween = ['rim', 'tip']"},
            "both surfaces belong to body ball",
        ),
    ],
)
def test_what_makes_no_contact_is_refused(tmp_path, change, words):
    with pytest.raises(mubo.ModelError, match=words):
        _load(tmp_path, **change)


def test_static_friction_may_be_the_kinetic_one_and_not_less(tmp_path):
    """Coulomb's law with one coefficient is the usual case; a body that slips is never held better than one at rest."""
    assert _load(tmp_path, more="friction = 0.3\nstatic_friction = 0.3").check().ok
    with pytest.raises(mubo.ModelError, match="at least the kinetic one"):
        _load(tmp_path, more="friction = 0.3\nstatic_friction = 0.29")


def test_bodies_inside_each_other_are_refused_with_their_depth(tmp_path):
    with pytest.raises(mubo.ModelError, match=r"begin 0\.05 .*inside each other"):
        _load(tmp_path, height=0.05).simulate(0, 1, step=0.5)


def test_studies_without_contact_refuse_or_note_it(tmp_path):
    with pytest.raises(mubo.ModelError, match="statics does not know contacts"):
        _load(tmp_path).statics()
