"""KABIOS files as users of that program have them: any ending, its listing, its prompts, its charts."""

import shutil

from conftest import EXAMPLES

FOUR_BAR = EXAMPLES / "kabios_four_bar.dat"


def test_a_text_file_of_any_name_is_recognised(command, tmp_path):
    for name in ("four.txt", "four.inp", "four"):
        shutil.copy(FOUR_BAR, tmp_path / name)
        done = command("check", name)
        assert done.returncode == 0
        assert done.stderr == f"note: {name}: its content was recognised as format kabios (KABIOS)\n"
        assert "N = 12" in done.stdout
    given = command("check", "four.txt", "--format", "kabios")
    assert (given.returncode, given.stderr, given.stdout) == (0, "", command("check", "four.txt").stdout)


def test_the_model_is_not_overwritten_by_its_listing(command, tmp_path):
    shutil.copy(FOUR_BAR, tmp_path / "four.txt")
    done = command("kinematics", "four.txt", "-o", "four.txt")
    assert done.returncode == 1
    assert "is the model itself" in done.stderr
