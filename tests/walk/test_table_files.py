"""Tables as files of other programs: Excel, MATLAB, LaTeX, Parquet; read back by readers that are not mubo's."""

import numpy as np
import openpyxl
import pytest
from conftest import EXAMPLES
from pyarrow import parquet
from scipy.io import loadmat

import mubo
from mubo.results.table_files import COLUMNS, LINES, write_columns, write_lines


@pytest.fixture(scope="module")
def run():
    return mubo.load(EXAMPLES / "four_bar.toml").kinematics(0, 1, step=0.25)


@pytest.fixture(scope="module")
def sweep():
    return mubo.load(EXAMPLES / "parameters.toml").sweep({"a": [0.03, 0.05, 0.5]}, ["range P.x"])


def test_a_sheet_has_the_table_with_units_in_its_header(run, tmp_path):
    run.save(tmp_path / "run.xlsx")
    book = openpyxl.load_workbook(tmp_path / "run.xlsx")
    assert book.sheetnames == ["kinematics"]
    first, *rows = book["kinematics"].iter_rows(values_only=True)
    assert list(first) == run.header()
    # XlsxWriter writes 16 digits
    assert np.allclose(np.array(rows, float), np.column_stack(list(run.columns.values())), rtol=1e-15, atol=0)


def test_a_workbook_keeps_the_sheets_of_other_studies(run, sweep, tmp_path):
    path = tmp_path / "study.xlsx"
    run.save(path)
    sweep.save(path)
    mubo.load(EXAMPLES / "four_bar.toml").kinematics(0, 1, step=0.5).save(path)  # in place of the first
    book = openpyxl.load_workbook(path)
    assert book.sheetnames == ["kinematics", "sweep"]
    assert [cell.value for cell in book["kinematics"][1]] == run.header()
    assert book["kinematics"].max_row == 4
    lines = list(book["sweep"].iter_rows(values_only=True))
    sweep.save(tmp_path / "alone.xlsx")
    assert lines == list(openpyxl.load_workbook(tmp_path / "alone.xlsx")["sweep"].iter_rows(values_only=True))


def test_a_workbook_that_somebody_changed_is_left_as_it_is(run, tmp_path):
    path = tmp_path / "mine.xlsx"
    run.save(path)
    book = openpyxl.load_workbook(path)
    book.properties.lastModifiedBy = "a designer"
    book["kinematics"]["A1"].comment = openpyxl.comments.Comment("the time", "a designer")
    book.save(path)
    before = path.read_bytes()
    with pytest.raises(mubo.MuboError, match="is there, and not as mubo wrote it"):
        run.save(path)
    (tmp_path / "text.xlsx").write_text("no workbook")
    with pytest.raises(mubo.MuboError, match="Name another file, or remove this one"):
        run.save(tmp_path / "text.xlsx")
    assert path.read_bytes() == before


def test_variables_of_matlab_are_the_columns(run, tmp_path):
    run.save(tmp_path / "run.mat")
    read = loadmat(tmp_path / "run.mat")
    assert [cell[0] for cell in read["names"].ravel()] == list(run.columns)
    assert [cell[0] if cell.size else "" for cell in read["units"].ravel()] == [run.unit(name) for name in run.columns]
    assert np.array_equal(read["P_x"].ravel(), run["P.x"])


def test_two_columns_with_one_variable_are_refused(tmp_path):
    with pytest.raises(mubo.MuboError, match='"a_b" cannot be a variable: two columns have it'):
        write_columns(tmp_path / "x.mat", {"a.b": np.zeros(2), "a_b": np.ones(2)})
    assert not (tmp_path / "x.mat").exists()


def test_a_variant_that_does_not_run_leaves_an_empty_cell(sweep, tmp_path):
    for ending in LINES:
        sweep.save(tmp_path / f"sweep{ending}")
    sheet = list(openpyxl.load_workbook(tmp_path / "sweep.xlsx")["sweep"].iter_rows(values_only=True))
    table = parquet.read_table(tmp_path / "sweep.parquet").to_pydict()
    assert sheet[0] == (*sweep.header(), "status")
    assert [line[0] for line in sheet[1:]] == [0.03, 0.05, 0.5]
    assert np.array_equal(table["range P.x [m]"], sweep["range P.x"], equal_nan=True)
    assert np.isnan(sweep["range P.x"][2])


def test_latex_has_a_line_for_every_row_and_no_letter_that_is_a_command(tmp_path):
    write_lines(tmp_path / "x.tex", ["part_1", "a [m/s^2]"], [["50 % & more", -0.000125], ["", None]], "x")
    text = (tmp_path / "x.tex").read_text()
    assert r"50 \% \& more & $-$0.000125 \\" in text
    assert r"part\_1 & a [m/s$^{2}$] \\" in text
    assert "\n &  \\\\\n" in text
    assert text.count(r"\\") == 3


def test_a_sheet_that_is_too_long_is_refused_before_it_is_written(tmp_path):
    with pytest.raises(mubo.MuboError, match=r"at most 1,048,575 rows and 16,384 columns; found 1,048,576 and 1"):
        write_columns(tmp_path / "x.xlsx", {"t": np.zeros(1_048_576)})
    assert not (tmp_path / "x.xlsx").exists()


@pytest.mark.parametrize(("write", "endings"), [(write_columns, COLUMNS), (write_lines, LINES)])
def test_another_ending_is_refused_with_those_allowed(write, endings, tmp_path):
    arguments = ({"t": np.zeros(2)},) if write is write_columns else (["t"], [[0.0]])
    with pytest.raises(mubo.MuboError, match=", ".join(endings).replace(".", r"\.")):
        write(tmp_path / "x.ods", *arguments)
