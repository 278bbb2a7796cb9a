"""Files and functions that can be read at one go, named for what they are."""

import ast
import re
from statistics import median

import pytest
from conftest import ROOT

PACKAGE = ROOT / "src" / "mubo"
CORE = ROOT / "core"
FILES = sorted(PACKAGE.rglob("*.py"))
HEADERS = sorted([*CORE.rglob("*.hpp"), *CORE.rglob("*.cpp")])
SCRIPTS = sorted(path for path in (ROOT / "web").rglob("*.ts") if "node_modules" not in path.parts)
LONGEST_FILE, LONGEST_FUNCTION = 300, 45
MEDIAN_FILE, MEDIAN_FUNCTION = 150, 7  # files with the examples that docstrings of public names have


def lines(path):
    return len(path.read_text().splitlines())


def functions(path):
    """Every function of a file with its lines, from `def` to its end."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, node.end_lineno - node.lineno + 1


@pytest.mark.parametrize("path", [*FILES, *HEADERS, *SCRIPTS], ids=lambda p: str(p.relative_to(ROOT)))
def test_files_stay_readable(path):
    assert lines(path) <= LONGEST_FILE


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_functions_stay_readable(path):
    assert not [(name, length) for name, length in functions(path) if length > LONGEST_FUNCTION]


def test_most_files_and_functions_are_short():
    assert median(map(lines, FILES)) <= MEDIAN_FILE
    assert median(length for path in FILES for _, length in functions(path)) <= MEDIAN_FUNCTION


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_every_file_says_what_it_is(path):
    assert ast.get_docstring(ast.parse(path.read_text()))


def test_no_cellar():
    """No room for things without a name."""
    for path in (*FILES, *HEADERS, *SCRIPTS):
        assert not re.search(r"util|helper|misc|common", path.name), path
