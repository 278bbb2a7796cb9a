"""A class name exists once in the package, and every function and constant has somebody who names it."""

import ast
import re
from collections import Counter, defaultdict

from source_files import FILES, PACKAGE, broken_rules, nodes_of, text_of, tree_of

# Functions that other programs call by their name: click, pythonfmu.
CALLED_FROM_OUTSIDE = {"format_commands", "format_options", "setup_experiment", "exit_initialization_mode", "do_step"}
LOOKED_UP = re.compile(r"_of_[a-z]+")  # sensors by the kind of their column
DECLARED = ("elements", "describe")  # found by the name of their file; sentences have a test of their own


def test_class_names_exist_once():
    """One word, one meaning: no two modules define a class of the same name."""
    modules = defaultdict(list)
    for path in FILES:
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef):
                modules[node.name].append(str(path.relative_to(PACKAGE)))
    assert not {name: places for name, places in modules.items() if len(places) > 1}


def names_defined(path):
    """The functions of a file and its constants; tests, pages and users may name public classes and methods."""
    for node in nodes_of(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("__"):
            yield node.name
    for node in tree_of(path).body:
        if isinstance(node, ast.Assign):
            yield from (one.id for one in node.targets if isinstance(one, ast.Name))


def test_every_function_and_constant_is_named_twice():
    """Where it is defined, and where it is called, declared or described: what nobody names can go."""
    words = Counter(word for path in FILES for word in re.findall(r"\w+", text_of(path)))
    known = CALLED_FROM_OUTSIDE | {"__version__"}

    def unnamed(path):
        if path.relative_to(PACKAGE).parts[0] in DECLARED:
            return []
        names = (name for name in names_defined(path) if words[name] < 2)
        return [name for name in names if name not in known and not LOOKED_UP.fullmatch(name)]

    assert not broken_rules(FILES, unnamed)
