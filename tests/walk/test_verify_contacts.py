"""Verification of simulations with contact: it holds, and altered columns and impacts are caught."""

import copy
from pathlib import Path

import pytest

import mubo
from mubo.analyses.verify.contacts import complementarity, impacts
from mubo.analyses.verify.target import Subject

EXAMPLES = Path(__file__).parents[2] / "examples"


def _checks(run):
    subject = Subject(run)
    return {check.name: check.verdict for judge in (complementarity, impacts) for check in judge(subject)}


@pytest.mark.parametrize("name", ["bouncing_ball", "rocking_block", "newtons_cradle", "jumping_tappet"])
def test_verification_of_contacts_holds(name):
    """Complementarity, impulse balance, energy and the equations of motion with the forces of contact."""
    proof = mubo.load(EXAMPLES / f"{name}.toml").verify(analysis="simulate")
    found = {check.name: check.verdict for check in proof.checks}
    assert set(found.values()) <= {"holds", "not judged"}
    assert {found[check] for check in ("complementarity", "energy of impacts", "restitution")} == {"holds"}


@pytest.mark.parametrize("formulation", ["tree", "absolute"])
def test_a_driven_body_does_not_lessen_restitution(formulation):
    """Newton's law for a tappet on a driven cam, whose motor does work at the impact."""
    run = mubo.load(EXAMPLES / "jumping_tappet.toml").simulate(formulation=formulation)
    first = next(one for one in run.summary["contacts"] if one["event"] == "impact")
    assert first["speed_after"] == pytest.approx(-0.2 * first["speed_before"], rel=1e-12)
    assert first["energy_lost"] > 0


@pytest.mark.parametrize(
    ("key", "factor", "check"),
    [
        ("energy_lost", 1.01, "impulse balance"),
        ("impulse", 1.01, "impulse balance"),
        ("speed_after", 1.01, "restitution"),
        ("speed_after", 0.0, "restitution"),
        ("energy_lost", -1.0, "energy of impacts"),
    ],
)
def test_altered_impacts_are_caught(key, factor, check):
    run = mubo.load(EXAMPLES / "bouncing_ball.toml").simulate(0, 1.5, step=0.1)
    assert _checks(run)[check] == "holds"
    altered = copy.deepcopy(run.summary["contacts"][0])
    run.summary["contacts"][0][key] = altered[key] * factor
    assert _checks(run)[check] == "FAILS"
