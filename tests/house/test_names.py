"""A class name exists once in the package."""

import ast
from collections import defaultdict

from source_files import FILES, PACKAGE, tree_of


def test_class_names_exist_once():
    """One word, one meaning: no two modules define a class of the same name."""
    modules = defaultdict(list)
    for path in FILES:
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef):
                modules[node.name].append(str(path.relative_to(PACKAGE)))
    assert not {name: places for name, places in modules.items() if len(places) > 1}
