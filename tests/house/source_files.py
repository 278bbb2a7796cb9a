"""Text and syntax tree of every file of the house, each read and parsed once for all tests.

A rule over all files is one test whose failure lists every file that breaks it: a test for each file and rule would be
seven thousand tests that do nothing but begin and end.
"""

import ast
import gc
from functools import cache
from pathlib import Path

from conftest import ROOT

PACKAGE = ROOT / "src" / "mubo"
CORE = ROOT / "core"
WEB = ROOT / "web"
FILES = sorted(PACKAGE.rglob("*.py"))
HEADERS = sorted([*CORE.rglob("*.hpp"), *CORE.rglob("*.cpp")])
SCRIPTS = sorted(path for path in WEB.rglob("*.ts") if "node_modules" not in path.parts)


@cache
def text_of(path: Path) -> str:
    return path.read_text()


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    """Every node of the syntax tree of a file, the module first.

    Nodes live as long as the tests: the collector of garbage need not look through a million of them again and again.
    """
    gc.disable()
    found = list(ast.walk(ast.parse(text_of(path))))
    gc.freeze()
    gc.enable()
    return found


def tree_of(path: Path) -> ast.Module:
    return nodes_of(path)[0]


def broken_rules(paths, rule) -> dict[str, list]:
    """What a rule finds in each file, by the name of the file; files without a finding are left out."""
    found = {str(path.relative_to(ROOT)): list(rule(path)) for path in paths}
    return {name: findings for name, findings in found.items() if findings}
