"""A reference group beside a walk: tables as laboratories have them, what follows from them, and what is refused."""

import json

import numpy as np
import pytest
from test_gait_command import straight, written  # noqa: F401

import mubo
from mubo.applications.gait.normative import read_normative, sideless
from mubo.model import Units

LINES = (
    "# source: twelve adults\npercent,quantity,mean,sd\n0,knee_angle,10,2\n50,knee_angle,20,4\n100,knee_angle,10,2\n"
)

DEGREES = Units(angle="deg")


def table(folder, text, units=DEGREES):
    (folder / "group.csv").write_text(text)
    return read_normative(folder / "group.csv", units)


def test_lines_of_a_quantity_are_straight_between_their_places(tmp_path):
    found = table(tmp_path, LINES)
    assert found.source == "twelve adults"
    band = found.band("knee_angle_l")
    assert band is found.band("knee_angle_r")
    assert found.band("knee_angle_r_moment") is None
    np.testing.assert_allclose(band.mean[[0, 25, 50]], [10, 15, 20])
    np.testing.assert_allclose(band.deviation[[0, 25, 50]], [2, 3, 4])


def test_units_are_those_of_the_model(tmp_path):
    text = "percent,quantity,unit,mean,sd\n0,hip_flexion,rad,1,0.1\n100,hip_flexion,rad,1,0.1\n"
    assert table(tmp_path, text).band("hip_flexion_r").mean[0] == pytest.approx(180 / np.pi)
    text = "percent,quantity,mean,sd\n0,ankle_angle_power,2,1\n100,ankle_angle_power,2,1\n"
    found = table(tmp_path, text, Units(length="mm", time="ms"))  # 1 W/kg = 1 m²/s³ = 1e6 mm² / 1e9 ms³
    assert found.band("ankle_angle_r_power").mean[0] == pytest.approx(2e-3)


def test_distances_are_those_of_their_formulas(tmp_path):
    band = table(tmp_path, LINES).band("knee_angle_r")
    assert band.distance(band.mean + 3) == pytest.approx(3)
    assert band.share(band.mean) == 100
    assert band.share(band.mean + 3) == pytest.approx(100 * 51 / 101)  # the deviation is 3 at 25 and at 75 %


def test_a_table_of_gait_is_a_reference_and_sides_are_pooled(tmp_path, straight):  # noqa: F811
    straight.save(tmp_path / "cycles.csv")
    text = (tmp_path / "cycles.csv").read_text()
    assert "knee_angle_r.sd" in text
    with pytest.raises(mubo.ModelError, match=r"deviation of .* is negative or missing"):
        table(tmp_path, text)  # one cycle has none
    rows = [
        "percent,knee_angle_r [deg],knee_angle_r.sd [deg],knee_angle_l [deg],knee_angle_l.sd [deg],ground_r_force_x [N]"
    ]
    rows += [f"{at},10,3,14,4,7" for at in (0, 100)]
    band = table(tmp_path, "\n".join(rows)).band("knee_angle_r")
    assert band.mean[50] == 12
    assert band.deviation[50] == pytest.approx(np.sqrt((9 + 16) / 2 + 4))  # of two groups of one size


def test_trials_are_a_reference(tmp_path):
    rows = ["trial,percent,knee_angle_r [deg]", "a.trc,0,1", "a.trc,100,1"]
    rows += ["mean,0,5", "mean,100,7", "deviation,0,1", "deviation,100,2"]
    band = table(tmp_path, "\n".join(rows)).band("knee_angle_l")
    assert (band.mean[50], band.deviation[50]) == (6, 1.5)


def test_the_command_draws_and_states_it(command, tmp_path):
    written(tmp_path)
    (tmp_path / "group.csv").write_text(LINES)
    done = command("gait", "walker.toml", "--normative", "group.csv", "-o", "g.png", "--report", "p.html")
    assert done.returncode == 0, done.stderr
    assert "against twelve adults" in done.stdout
    page = (tmp_path / "p.html").read_text()
    study = json.loads(page.split('id="study">')[1].split("</script>")[0])
    bands = {figure["name"]: figure["band"] for figure in study["figures"] if "band" in figure}
    assert list(bands) == ["knee angle"]
    assert (bands["knee angle"]["low"][50], bands["knee angle"]["high"][50]) == (16, 24)
    assert "twelve adults" in study["note"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "has no rows"),
        ("percent,quantity,mean,sd\n0,kne_angle,1,1\n", 'line 2: there is no quantity "kne_angle". Did you mean'),
        ("percent,quantity,mean,sd\n0,knee_angle,x,1\n", 'line 2: mean must be a number; found "x"'),
        ("percent,quantity,mean\n0,knee_angle,1\n", 'no column "sd"'),
        ("percent,quantity,mean,sd\n0,knee_angle,1\n", "line 2: 3 cells, but its head has 4"),
        ("percent,quantity,mean,sd\n0,knee_angle,1,1\n0,knee_angle,1,1\n", "must rise from 0 to 100"),
        ("percent,quantity,mean,sd\n0,knee_angle,1,-1\n9,knee_angle,1,1\n", "negative or missing"),
        (
            "percent,quantity,unit,mean,sd\n0,knee_angle,m,1,1\n9,knee_angle,m,1,1\n",
            'must be deg or ° or rad; found "m"',
        ),
        ("percent,pelvis [deg]\n0,1\n", "no joint with its deviation"),
    ],
)
def test_what_is_no_such_table_is_refused(tmp_path, text, words):
    with pytest.raises(mubo.ModelError) as error:
        table(tmp_path, text)
    assert words in str(error.value)


def test_names_without_sides():
    assert sideless("knee_angle_r_moment") == "knee_angle_moment"
    assert sideless("hip_power") == "hip_power"
    assert sideless("ankle_angle_l") == "ankle_angle"
