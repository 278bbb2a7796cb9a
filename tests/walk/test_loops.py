"""The loops of a mechanism as they are shown: polygons, and the groups designers think in."""

import json

from conftest import EXAMPLES

import mubo


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


def test_cams_have_no_loops(command):
    done = command("check", EXAMPLES / "tappet_cam.toml", "--loops")
    assert done.returncode == 1
    assert "cannot be written as vector loops: joint contact" in done.stderr
