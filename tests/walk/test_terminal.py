"""What a terminal shows: lines that fit, colours only for people, verdicts first, hints that help."""

import os
import pty
import re
import subprocess
import sys

import pytest
from conftest import EXAMPLES, ROOT

from mubo.cli.examples import ORDER, example_files, search, theme_of

GREEN, RED = "\x1b[32m", "\x1b[31m"


def on_a_terminal(arguments, folder, **environment):
    """What the command prints where its standard output and error are a terminal."""
    main, other = pty.openpty()
    command = [sys.executable, "-c", "from mubo.cli.main import main; main()", *map(str, arguments)]
    given = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    child = subprocess.Popen(
        command, stdin=other, stdout=other, stderr=other, cwd=folder, env={**given, "TERM": "xterm", **environment}
    )
    os.close(other)
    shown = b""
    while True:
        try:
            part = os.read(main, 65536)
        except OSError:  # the other side is closed
            break
        if not part:
            break
        shown += part
    child.wait()
    os.close(main)
    return shown.decode()


def test_examples_fit_eighty_columns_in_whole_sentences(command):
    lines = command("examples").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    lines = [line for line in lines if line.startswith(" ")]  # without themes
    starts = [k for k, line in enumerate(lines) if not line.startswith("   ")]
    assert len(starts) > 70
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        words = " ".join(" ".join(lines[start:end]).split()[1:])
        assert words[0].isupper()
        assert words.endswith(".")
        assert ". " not in words
        assert words.count("(") == words.count(")")


@pytest.mark.parametrize(
    ("words", "found", "others"),
    [
        (["cam"], {"offset_cam", "tappet_cam", "indexing_cam"}, {"four_bar", "falling_ball"}),
        (["slider", "crank"], {"slider_crank", "motor_slider_crank"}, {"four_bar"}),
        (["belt"], {"belt_drive"}, {"planetary_gear"}),
        (["pend"], {"simple_pendulum", "bifilar_pendulum"}, {"four_bar"}),
        (["strength"], {"strong_four_bar"}, {"slider_crank"}),
    ],
)
def test_examples_are_searched_by_words(words, found, others):
    shown = set(search(example_files(), words))
    assert found <= shown
    assert not others & shown


def test_examples_are_grouped_by_theme():
    themes = {name: theme_of(path) for name, path in example_files().items()}
    assert themes["four_bar"] == "Linkages of the plane"
    assert themes["rssr"] == "Mechanisms in space"
    assert themes["engine"] == "Forces, statics and strength"
    assert themes["wiper"] == "Design: optimisation and tolerances"
    assert set(themes.values()) == set(ORDER)


def test_an_unknown_example_is_refused_with_the_nearest(command):
    done = command("examples", "four_barr")
    assert done.returncode == 1
    assert 'Did you mean "four_bar"?' in done.stderr


@pytest.mark.parametrize(
    ("arguments", "colour"),
    [
        (("kinematics", EXAMPLES / "four_bar.toml", "--step", "0.5", "-o", "a.csv"), GREEN),
        (("check", EXAMPLES / "four_bar.toml"), GREEN),
        (("check", "nowhere.toml"), RED),
    ],
)
def test_the_status_is_coloured_for_people_only(command, tmp_path, arguments, colour):
    assert colour in on_a_terminal(arguments, tmp_path)
    assert "\x1b" not in on_a_terminal(arguments, tmp_path, NO_COLOR="1")
    piped = command(*arguments)
    assert "\x1b" not in piped.stdout + piped.stderr


def test_compare_gives_its_verdict_first(command, tmp_path):
    (tmp_path / "a.csv").write_text("t,P.x,P.vx\n0,1,2\n1,2,3\n2,3,3\n")
    (tmp_path / "b.csv").write_text("t,P.x,P.vx\n0,1,2\n1,2,3.5\n2,3,3\n")
    verdict = "verdict         differ at most: positions not at all, velocities by 5.00e-01"
    assert command("compare", "a.csv", "b.csv").stdout.startswith(verdict)
    told = command("compare", "a.csv", "b.csv", "--max-difference", "0.1").stdout.splitlines()
    assert told[0] == "allowed         0.1, exceeded by 1 of 2 columns: P.vx"
    assert told[1] == verdict
    assert command("compare", "a.csv", "a.csv").stdout.startswith("verdict         no difference in 2 columns")


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ("robot.toml", "Its folder has pantograph.toml, slider.dat."),
        ("pantgraph.toml", 'Did you mean "pantograph.toml"?'),
        ("Slider.toml", 'Did you mean "slider.dat"?'),
    ],
)
def test_a_missing_file_is_answered_by_one_that_is_near(command, tmp_path, asked, says):
    for name in ("pantograph.toml", "slider.dat"):
        (tmp_path / name).write_text("")
    assert says in command("check", asked).stderr


@pytest.mark.parametrize("seed", ["1", "2"])
def test_the_order_of_columns_and_extremes_does_not_depend_on_hashes(seed):
    """Joints stand in the order in which the file has them, whatever Python's hash seed."""
    code = (
        "import mubo; run = mubo.load('five_body_chain.toml').simulate(0, 0.02, 0.01);"
        "print(*dict.fromkeys(c.owner for c in run.columns.of_kind('joint')));"
        "print(*dict.fromkeys(name.partition('.')[0] for name in run.extremes))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    found = subprocess.run([sys.executable, "-c", code], cwd=EXAMPLES, env=environment, capture_output=True, text=True)
    order = "shoulder elbow spin right_hinge left_hinge"
    lines = found.stdout.splitlines()
    assert lines[0] == order, found.stderr
    assert [name for name in lines[1].split() if name in order.split()] == order.split()


@pytest.mark.parametrize(
    ("typed", "offered", "not_offered"),
    [
        (["lin"], "plain,linearize", "plain,simulate"),
        (["kinematics", "--formulation", "a"], "plain,absolute", "plain,loops"),
        (["kinematics", "--st"], "plain,--step", "plain,--end"),
        (["examples", "four_bar_"], "plain,four_bar_arc", "plain,engine"),
        (["check", "my"], "file,my", "plain,my"),
    ],
)
def test_the_tab_key_completes_commands_options_and_examples(command, typed, offered, not_offered):
    """As docs/learn/install.md sets it up: the words typed are in COMP_WORDS, the place of the last in COMP_CWORD."""
    words = {"COMP_WORDS": " ".join(["mubo", *typed]), "COMP_CWORD": str(len(typed)), "_MUBO_COMPLETE": "bash_complete"}
    lines = command(env={**os.environ, **words}).stdout.splitlines()
    assert offered in lines
    assert not_offered not in lines


def test_the_page_on_installing_sets_completion_up_for_shells_that_are_known(command):
    page = (ROOT / "docs" / "learn" / "install.md").read_text()
    instructions = set(re.findall(r"_MUBO_COMPLETE=(\w+)", page))
    assert instructions == {"bash_source", "zsh_source", "fish_source"}
    for instruction in instructions:
        done = command(env={**os.environ, "_MUBO_COMPLETE": instruction})
        assert "complete" in done.stdout, instruction
