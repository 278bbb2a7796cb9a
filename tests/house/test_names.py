"""A class name exists once in the package."""

import ast
from collections import defaultdict

from conftest import ROOT

PACKAGE = ROOT / "src" / "mubo"


def test_class_names_exist_once():
    """One word, one meaning: no two modules define a class of the same name."""
    modules = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef):
                modules[node.name].append(str(path.relative_to(PACKAGE)))
    assert not {name: places for name, places in modules.items() if len(places) > 1}
