"""`--set @cases.csv`: a study with every line of a table, each as `--set NAME=VALUE` runs it."""

import pytest
from openpyxl import Workbook

CASES = "a,beta [deg]\n0.03,25\n0.04,20\n"


@pytest.fixture
def cases(command, tmp_path):
    command("examples", "parameters")
    (tmp_path / "cases.csv").write_text(CASES)
    return tmp_path / "cases.csv"


def test_every_line_is_run_as_its_values_are(command, cases, tmp_path):
    given = ("kinematics", "parameters.toml", "--end", "0.1", "--step", "0.05")
    done = command(*given, "--set", "@cases.csv", "-o", "run.csv")
    assert done.returncode == 0, done.stderr
    assert "case 2 of 2: a = 0.04, beta = 20" in done.stdout
    for k, values in ((1, ("a=0.03", "beta=25 deg")), (2, ("a=0.04", "beta=20 deg"))):
        single = command(*given, "--set", values[0], "--set", values[1], "-o", "single.csv")
        assert single.returncode == 0
        assert (tmp_path / f"run_{k}.csv").read_text() == (tmp_path / "single.csv").read_text()
    assert not (tmp_path / "run.csv").exists()


def test_cases_in_a_workbook(command, cases, tmp_path):
    book = Workbook()
    for line in ([], ["a", "beta [deg]"], [0.03, 25], [], [0.04, "20"]):
        book.active.append(line)
    book.create_sheet("other")["A1"] = "not read"
    book.save(tmp_path / "cases.xlsx")
    given = ("kinematics", "parameters.toml", "--end", "0.1", "--step", "0.05")
    for ending in ("csv", "xlsx"):
        assert command(*given, "--set", f"@cases.{ending}", "-o", f"{ending}.csv").returncode == 0
    for k in (1, 2):
        assert (tmp_path / f"xlsx_{k}.csv").read_text() == (tmp_path / f"csv_{k}.csv").read_text()


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("thick", 'cases.xlsx, line 2: a: "thick"'),
        (None, "cases.xlsx has no variant"),
        (True, "cases.xlsx, line 2: a"),
    ],
)
def test_cells_that_are_no_numbers(command, cases, tmp_path, cell, words):
    book = Workbook()
    book.active.append(["a"])
    book.active.append([cell])
    book.save(tmp_path / "cases.xlsx")
    done = command("kinematics", "parameters.toml", "--set", "@cases.xlsx", "-o", "run.csv")
    assert done.returncode == 1
    assert words in done.stderr
    assert not list(tmp_path.glob("run_*"))


def test_a_file_that_is_no_workbook(command, cases, tmp_path):
    (tmp_path / "cases.xlsx").write_text("a\n0.03\n")
    done = command("kinematics", "parameters.toml", "--set", "@cases.xlsx", "-o", "run.csv")
    assert (done.returncode, "cases.xlsx is not a workbook of Excel" in done.stderr) == (1, True)


def test_a_case_that_cannot_be_run_leaves_the_others(command, cases, tmp_path):
    cases.write_text("a\n0.5\n0.03\n")
    done = command("kinematics", "parameters.toml", "--set", "@cases.csv", "-o", "run.csv", "--quiet")
    assert done.returncode == 3
    assert "error:" in done.stderr
    assert not (tmp_path / "run_1.csv").exists()
    assert (tmp_path / "run_2.csv").exists()


@pytest.mark.parametrize(
    ("text", "more", "words"),
    [
        ("a\nthick\n", (), 'cases.csv, line 2: a: "thick"'),
        ("a,b\n1\n", (), "cases.csv, line 2: 2 values are needed; found 1"),
        ("aa\n1\n", (), 'there is no parameter "aa"'),
        ("a\n", (), "has no variant"),
        (CASES, ("--set", "a=1"), "a table states all parameters that change"),
        (CASES, ("--json",), "--json and -o - show one"),
        (CASES, ("-o", "-"), "--json and -o - show one"),
    ],
)
def test_tables_that_cannot_be_run(command, cases, tmp_path, text, more, words):
    cases.write_text(text)
    done = command("kinematics", "parameters.toml", "--set", "@cases.csv", *more)
    assert done.returncode in (1, 2)
    assert words in done.stderr
    assert not list(tmp_path.glob("*_1.csv"))


def test_other_commands_name_those_that_run_tables(command, cases):
    done = command("check", "parameters.toml", "--set", "@cases.csv")
    assert done.returncode == 2
    assert "runs a study, such as mubo kinematics, with every line of the table" in done.stderr
