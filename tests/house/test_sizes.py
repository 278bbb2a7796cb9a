"""Files and functions that can be read at one go, named for what they are."""

import ast
import re
from statistics import median

from source_files import FILES, HEADERS, SCRIPTS, broken_rules, nodes_of, text_of, tree_of

LONGEST_FILE, LONGEST_FUNCTION = 300, 45
MEDIAN_FILE, MEDIAN_FUNCTION = 150, 7  # files with the examples that docstrings of public names have


def lines(path):
    return len(text_of(path).splitlines())


def functions(path):
    """Every function of a file with its lines, from `def` to its end."""
    for node in nodes_of(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, node.end_lineno - node.lineno + 1


def test_files_stay_readable():
    paths = [*FILES, *HEADERS, *SCRIPTS]
    assert not broken_rules(paths, lambda path: [lines(path)] if lines(path) > LONGEST_FILE else [])


def test_functions_stay_readable():
    def longer(path):
        return [(name, length) for name, length in functions(path) if length > LONGEST_FUNCTION]

    assert not broken_rules(FILES, longer)


def test_most_files_and_functions_are_short():
    assert median(map(lines, FILES)) <= MEDIAN_FILE
    assert median(length for path in FILES for _, length in functions(path)) <= MEDIAN_FUNCTION


def test_every_file_says_what_it_is():
    assert not broken_rules(FILES, lambda path: [] if ast.get_docstring(tree_of(path)) else ["no docstring"])


def test_no_cellar():
    """No room for things without a name."""
    for path in (*FILES, *HEADERS, *SCRIPTS):
        assert not re.search(r"util|helper|misc|common", path.name), path
