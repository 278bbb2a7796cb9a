"""Many trials of one laboratory: mean and deviation between trials, symmetry, a table and the figure."""

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo


@pytest.fixture(scope="module")
def straight():
    return mubo.load(EXAMPLES / "walker.toml").gait()


def trials_in(folder, count=2):
    """Copies of the example as trials, and one that is no recording."""
    for name in ("walker.toml", "walker.trc", "walker_forces.mot"):
        (folder / name).write_text((EXAMPLES / name).read_text())
    for k in range(count):
        (folder / f"trial{k}.trc").write_text((EXAMPLES / "walker.trc").read_text())
        (folder / f"trial{k}_forces.mot").write_text((EXAMPLES / "walker_forces.mot").read_text())
    (folder / "broken.trc").write_text("no recording\n")
    return [str(folder / f"trial{k}.trc") for k in range(count)]


def test_trials_of_one_walk_have_its_mean_and_no_deviation(tmp_path, straight):
    """Two copies: the mean over trials is the mean cycle, the deviation between them zero; a broken one is named."""
    trials = trials_in(tmp_path)
    found = mubo.gait_trials(tmp_path / "walker.toml", [*trials, str(tmp_path / "broken.trc")], workers=1)
    for name in ("knee_angle_r", "ankle_angle_l_moment"):
        np.testing.assert_allclose(found.mean(name), straight.mean(name), atol=1e-9)
        np.testing.assert_allclose(found.deviation(name), 0.0, atol=1e-12)
    assert "broken.trc is left out" in str(found)
    right, left = (float(np.ptp(straight.mean(f"knee_angle_{side}"))) for side in "rl")
    assert found.symmetry()["knee_angle range"] == pytest.approx(200 * (right - left) / (right + left))


def test_trials_by_the_command(command, tmp_path):
    trials = trials_in(tmp_path, 1)
    table, picture = tmp_path / "table.parquet", tmp_path / "trials.png"
    done = command("gait", tmp_path / "walker.toml", *trials, "-o", table, "-o", picture, "--workers", "1")
    assert "1 of 1 trials analysed" in done.stdout
    assert table.stat().st_size > 1000
    assert picture.stat().st_size > 10000


def test_a_plate_of_no_trial_is_named(tmp_path):
    trials = trials_in(tmp_path, 1)
    model = tmp_path / "walker.toml"
    model.write_text(model.read_text().replace("walker_forces.mot", "forces.mot", 1))
    with pytest.raises(mubo.ModelError, match=r"forces.mot belongs to no trial"):
        mubo.gait_trials(model, trials, workers=1)
