"""The loops of a mechanism as they are shown: polygons, and the groups designers think in."""

import json

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.studies.formulation import choose
from mubo.studies.inspect import inspect
from mubo.studies.march import Settings


def test_a_four_bar_is_a_driver_and_a_dyad(command):
    done = command("check", EXAMPLES / "four_bar.toml", "--loops")
    assert done.returncode == 0, done.stderr
    assert "closed by C: + 4 along coupler  - 4 along rocker  + 2 along crank  + 2.5 at 180 deg" in done.stdout
    report = json.loads(command("check", EXAMPLES / "four_bar.toml", "--loops", "--json").stdout)
    assert len(report["loops"]) == 1
    assert [group["kind"] for group in report["groups"]] == ["driver", "dyad RRR"]


def test_the_eight_bodies_are_solved_group_by_group():
    """Each driven ram is a dyad with the body it moves; the bucket and its link are the last one."""
    groups = mubo.load(EXAMPLES / "eight_body.toml").loops().groups
    assert groups == (
        ("driver", ("slide of lower_ram",)),
        ("dyad RRR", ("angle of boom", "angle of lower_cylinder")),
        ("driver", ("slide of upper_ram",)),
        ("dyad RRR", ("angle of lever", "angle of upper_cylinder")),
        ("dyad RRR", ("angle of bucket", "angle of link")),
    )


@pytest.mark.parametrize("name", ["slider_crank", "scotch_yoke", "elliptic_trammel", "rack_and_pinion", "jansen_leg"])
def test_no_group_reads_what_a_later_one_solves(name):
    """One equation of a loop may be solved before the other: memory full of NaN must not reach it."""
    look = inspect(mubo.load(EXAMPLES / f"{name}.toml"), 0.0)
    times = np.linspace(0, 0.02, 5)
    motion = look.compiled.motion(times)
    settings = Settings(look.tolerance, formulation="loops", scale=look.compiled.scale)
    stepper = choose(look, settings).stepper
    _, state = stepper.start(look.assembly.q, motion[0])
    for _ in range(20):
        freed = [np.full(size, np.nan) for size in (5 * state.size, 3 * state.size) for _ in range(10)]
        del freed  # the core's arrays of the same size are likely to be put there
        status, _, states, _ = stepper.sweep(times, motion, state, np.inf)
        assert status == 0
        assert np.isfinite(states).all()


def test_cams_have_no_loops(command):
    done = command("check", EXAMPLES / "tappet_cam.toml", "--loops")
    assert done.returncode == 1
    assert "cannot be written as vector loops: joint contact" in done.stderr
