"""Who may import whom: the one-way arrows of the house, in Python and in C++."""

import ast
import re

import pytest
from conftest import ROOT

PACKAGE = ROOT / "src" / "mubo"
CORE = ROOT / "core"
# A room may use rooms of a lower number; rooms of the same number do not know each other.
LEVEL = {
    "errors": 0,
    "arrays": 0,
    "motion": 1,
    "elements": 2,
    "model": 3,
    "topology": 4,
    "formats": 4.5,  # a writer may need to walk the tree
    "mechanism": 5,
    "results": 6,
    "studies": 7,
    "view": 8,
    "face": 9,
    "cli": 10,
}
CORE_USERS = {"mechanism", "studies"}
CORE_LEVEL = {
    "number": 0,
    "status": 0,
    "bodies": 0.5,
    "rows": 1,
    "loads": 1,
    "linear": 1,
    "system": 2,
    "kinematics": 3,
    "loops": 3,
}
CORE_LEVEL |= {"tree": 3, "integrate": 3, "face": 4, "module": 5}
FILES = sorted(PACKAGE.rglob("*.py"))
HEADERS = sorted([*CORE.rglob("*.hpp"), *CORE.rglob("*.cpp")])
SCRIPTS = sorted((ROOT / "web" / "report" / "src").rglob("*.ts"))


def room_of(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_rooms(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "mubo":
            parts = node.module.split(".")
            yield from [parts[1]] if len(parts) > 1 else [alias.name for alias in node.names]
        elif isinstance(node, ast.Import):
            yield from (a.name.split(".")[1] for a in node.names if a.name.startswith("mubo."))


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_python_arrows(path):
    room = room_of(path)
    if room == "__init__":
        return  # the front door: names from errors and face only
    assert room in LEVEL, f"{room} has no place in the house"
    for other in imported_rooms(path):
        if other == "_core":
            assert room in CORE_USERS, f"{room} must not use the core"
        elif other != room:
            assert LEVEL[other] < LEVEL[room], f"{room} must not import {other}"


def core_room(path):
    return path.relative_to(CORE).parts[0].split(".")[0]


@pytest.mark.parametrize("path", HEADERS, ids=lambda p: str(p.relative_to(CORE)))
def test_core_arrows(path):
    room = core_room(path)
    for included in re.findall(r'#include "([^"]+)"', path.read_text()):
        other = core_room((path.parent / included).resolve())
        assert other == room or CORE_LEVEL[other] < CORE_LEVEL[room], f"{room} must not include {other}"


def test_no_cellar():
    """No room for things without a name."""
    for path in (*FILES, *HEADERS, *SCRIPTS):
        assert not re.search(r"util|helper|misc|common", path.name), path


@pytest.mark.parametrize("path", [*FILES, *HEADERS, *SCRIPTS], ids=lambda p: p.name)
def test_files_stay_readable(path):
    assert len(path.read_text().splitlines()) <= 300


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_every_file_says_what_it_is(path):
    assert ast.get_docstring(ast.parse(path.read_text())), path
