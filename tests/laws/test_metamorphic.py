"""The same physics written otherwise gives the same answer: units, frames of bodies, which body comes first in a joint,
the order of bodies, joints, loads and drivers, and the output step are free.

Over every example of kinematics and forces and some of simulation, plane and space, open and closed, all with contact,
clearance, ropes, clutches and rolling, and over random machines. `make campaigns` tries more of each, equilibria among
them.
"""

import tomllib
import warnings

import numpy as np
import pytest
from conftest import EXAMPLES
from file_answers import ALLOWED as OF_FILES
from file_answers import SPANS, change_by_form
from rewriting import KINDS, Form, answers, form_of, largest_difference, world_of

import mubo

STUDIES = {
    path.stem: tomllib.loads(path.read_text()).get("analysis", {}).get("type") for path in EXAMPLES.glob("*.toml")
}
MOVED = sorted(name for name, study in STUDIES.items() if study in ("kinematics", "inverse"))
RELEASED = ["released_four_bar", "released_rssr", "five_body_chain"]


def reordered(model: mubo.Model) -> mubo.Model:
    """The model with its bodies, joints, loads and drivers written in the reverse order."""
    definition = model.build()
    tables = ("bodies", "joints", "forces", "drivers")
    return mubo.Model.from_definition(
        definition.changed(**{name: dict(reversed(list(getattr(definition, name).items()))) for name in tables})
    )


def largest_column_difference(one: mubo.Run, two: mubo.Run, kinds: tuple[str, ...]) -> float:
    """Largest difference of columns that both have, relative to the largest value of each; quaternions have a sign."""
    out = 0.0
    for column in one.columns.schema:
        name = column.name
        if column.kind in kinds and name in two.columns and column.quantity not in ("qw", "qx", "qy", "qz"):
            scale = max(float(np.max(np.abs(one[name]))), 1.0)
            out = max(out, float(np.max(np.abs(one[name] - two[name]))) / scale)
    return out


@pytest.mark.parametrize("name", MOVED)
def test_the_order_of_tables_does_not_change_a_motion(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # notes of a model are not what is asked
        model = mubo.load(EXAMPLES / f"{name}.toml")
        one, two = model.kinematics(), reordered(model).kinematics()
    assert largest_column_difference(one, two, ("body", "point")) < 1e-8


@pytest.mark.parametrize("name", RELEASED)
def test_the_order_of_tables_does_not_change_a_simulation(name):
    model = mubo.load(EXAMPLES / f"{name}.toml")
    end = model.build().output_times().end
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        one, two = (each.simulate(0, 0.2 * end, 0.05 * end) for each in (model, reordered(model)))
    assert largest_column_difference(one, two, ("body", "point")) < 1e-7


# A four-bar and a slider-crank of each study. Solved equations agree to rounding, simulations to their tolerances.
SEEDS = {"kinematics": (1, 2), "inverse": (1, 2), "simulate": (4,), "linearize": (1, 2)}
ALLOWED = {"kinematics": 1e-9, "inverse": 1e-8, "simulate": 1e-5, "linearize": 1e-6}
_PLAIN = {}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("study", "seed"), [(study, seed) for study, seeds in SEEDS.items() for seed in seeds])
def test_the_form_of_a_file_does_not_change_an_answer(study, seed, kind):
    world = world_of(seed, study in ("simulate", "linearize"))
    if (study, seed) not in _PLAIN:
        _PLAIN[study, seed] = answers(world, Form(), study)
    away, name = largest_difference(_PLAIN[study, seed], answers(world, form_of(world, kind, seed), study))
    assert away < ALLOWED[study], name


SWITCHES = ("[contact.", "clearance =", "backlash =", 'journal_film"', 'type = "rolling', 'type = "knife_edge"')


def test_every_example_that_switches_or_rolls_is_rewritten():
    simulated = [path for path in EXAMPLES.glob("*.toml") if STUDIES[path.stem] == "simulate"]
    switching = {path.stem for path in simulated if any(word in path.read_text() for word in SWITCHES)}
    assert switching <= set(SPANS)


@pytest.mark.parametrize("kind", [*KINDS, "all"])
@pytest.mark.parametrize("name", SPANS)
def test_the_form_of_a_file_does_not_change_what_touches_and_rolls(name, kind, tmp_path):
    away, where = change_by_form(EXAMPLES / f"{name}.toml", kind, 1, tmp_path)
    assert away < OF_FILES, where


def test_the_seeds_are_a_four_bar_and_a_slider_crank():
    assert {world_of(seed, False).slide is None for seed in SEEDS["inverse"]} == {True, False}
