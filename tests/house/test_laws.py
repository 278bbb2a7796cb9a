"""Nobody outside `laws` asks a law for its class: a law answers for itself."""

import ast

from source_files import FILES, PACKAGE, broken_rules, nodes_of

from mubo.laws import LAWS

OUTSIDE = [path for path in FILES if path.relative_to(PACKAGE).parts[0] != "laws"]
CLASSES = set(LAWS)


def asked_classes(path):
    """The names in the second argument of every isinstance."""
    for node in nodes_of(path):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
            yield from (name.id for name in ast.walk(node.args[1]) if isinstance(name, ast.Name))


def test_laws_are_not_dispatched_by_class():
    assert not broken_rules(OUTSIDE, lambda path: CLASSES.intersection(asked_classes(path)))
