"""Nobody outside `laws` asks a law for its class: a law answers for itself."""

import ast

import pytest
from conftest import ROOT

from mubo.laws import LAWS

PACKAGE = ROOT / "src" / "mubo"
FILES = sorted(path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).parts[0] != "laws")
CLASSES = set(LAWS)


def asked_classes(tree):
    """The names in the second argument of every isinstance."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
            yield from (name.id for name in ast.walk(node.args[1]) if isinstance(name, ast.Name))


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_laws_are_not_dispatched_by_class(path):
    assert not CLASSES.intersection(asked_classes(ast.parse(path.read_text())))
