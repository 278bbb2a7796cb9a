"""Who may import whom: the one-way arrows of the house, in Python and in C++."""

import ast
import re
from graphlib import CycleError, TopologicalSorter

from source_files import CORE, FILES, HEADERS, PACKAGE, broken_rules, nodes_of, text_of, tree_of

# A room may use rooms of a lower number; rooms of the same number do not know each other.
LEVEL = {
    "errors": 0,
    "arrays": 0,
    "mappings": 0,
    "note": 0.1,
    "lazy_dataclass": 0,
    "docstrings": 0,
    "interrupt": 0,
    "laws": 1,
    "quantities": 1.5,
    "geometry": 2,
    "elements": 3,
    "studies": 3.5,
    "model": 4,
    "topology": 5,
    "formats": 5.5,  # a writer may need to walk the tree
    "mechanism": 6,
    "numerics": 6,
    "results": 6.5,
    "solvers.continuation": 7.0,
    "solvers.columns": 7.1,
    "solvers.assembly": 7.2,
    "solvers.structure": 7.3,
    "solvers.transmission": 7.4,
    "solvers.kinematics": 7.5,
    "solvers.search": 7.6,
    "solvers.forces": 7.7,
    "solvers.statics": 7.8,
    "solvers.dynamics": 7.9,
    "solvers.linear": 7.95,
    "solvers": 7.99,
    "analyses": 8,
    "design": 9,
    "applications": 10,
    "legacy": 10,
    "describe": 11,
    "view.scene": 12.0,
    "view.painters": 12.1,
    "view": 12.2,
    "view.report": 12.3,
    "studio": 13,
    "api": 13,
    "cli": 14,
    "__main__": 15,
}
CORE_USERS = {"mechanism", "numerics", "solvers", "analyses", "design", "applications", "legacy"}
FRONT_DOOR = {"errors", "api", "design", "results"}  # what `import mubo` gives comes from these
CORE_LEVEL = {
    "number": 0,
    "status": 0,
    "branch": 0.5,
    "bodies": 0.5,
    "rows": 1,
    "loads": 1,
    "linear": 1,
    "system": 2,  # rows of a mechanism, one after the other
    "kinematics": 3,
    "loops": 3,
    "tree": 3,
    "integrate": 3,
    "dynamics": 3.7,  # trees with the rows that close their loops; bodies with what their motion takes
    "contact": 3.8,  # trees with contacts and exact friction, from switch to switch
    "forces": 3.5,  # along a motion that kinematics knows
    "bindings": 4,
    "module": 5,
}


def module_of(path):
    """ "mubo.model.check" of src/mubo/model/check.py; a folder is the module of its __init__.py."""
    return ".".join(("mubo", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")


MODULES = {module_of(path): path for path in FILES}


def imported(node):
    """Modules of mubo that an import statement loads: of `from mubo.model import check` the module, not its room."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "mubo")
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 0, "imports are absolute"
        if node.module.split(".")[0] == "mubo":
            full = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in MODULES or node.module == "mubo" else node.module for name in full)


def imports_anywhere(path):
    return {name for node in nodes_of(path) for name in imported(node)}


def imports_when_loaded(statements):
    """Modules that are loaded with a module: imports outside functions, without those for type checkers."""
    for node in statements:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from imports_when_loaded(node.orelse)
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from imported(node)
            yield from imports_when_loaded(ast.iter_child_nodes(node))


def room_of(module):
    """The room of a module; the rooms inside solvers and view have an order of their own."""
    first, *rest = module.split(".")[1:]
    inner = ".".join([first, *rest[:1]])
    return inner if inner in LEVEL else first


def arrows_back(path):
    """Imports of a module that its room may not make."""
    others = {room_of(name) for name in imports_anywhere(path)}
    if module_of(path) == "mubo":
        yield from others - FRONT_DOOR
        return
    room = room_of(module_of(path))
    if room not in LEVEL:
        yield f"{room} has no place in the house"
        return
    for other in others - {room}:
        if other == "_core":
            if room.split(".")[0] not in CORE_USERS:
                yield f"{room} must not use the core"
        elif LEVEL[other] >= LEVEL[room]:
            yield f"{room} must not import {other}"


def test_python_arrows():
    assert not broken_rules(FILES, arrows_back)


def cycle_of(graph):
    """Modules that import each other in a ring, or nothing."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def test_no_module_waits_for_itself():
    """Any module can be the first that is imported, by arrows inside a room as well."""
    loaded = {name: set(imports_when_loaded(tree_of(path).body)) - {name} for name, path in MODULES.items()}
    assert not cycle_of(loaded)
    assert sum(map(len, loaded.values())) > len(FILES), "imports are seen"


def rings_of(graph):
    """Sets of modules that import each other in a ring, however the import is written (Tarjan 1972)."""
    number, low, stack, rings = {}, {}, [], []

    def visit(name):
        number[name] = low[name] = len(number)
        stack.append(name)
        for other in sorted(graph[name]):
            if other not in number:
                visit(other)
            if other in stack:
                low[name] = min(low[name], low[other])
        if low[name] == number[name]:
            ring = set(stack[stack.index(name) :])
            del stack[stack.index(name) :]
            rings.append(ring)

    for name in graph:
        if name not in number:
            visit(name)
    return [ring for ring in rings if len(ring) > 1]


def test_no_import_cycle():
    """No modules import each other in a ring, imports for type checkers and inside functions included."""
    package = {"mubo"}  # `from mubo import _core`
    graph = {name: (imports_anywhere(path) & MODULES.keys()) - {name} - package for name, path in MODULES.items()}
    assert not rings_of(graph)


def test_a_cycle_is_seen():
    texts = {"mubo.a": "from mubo.b import x", "mubo.b": "if True:\n    import mubo.a"}
    assert cycle_of({name: set(imports_when_loaded(ast.parse(text).body)) for name, text in texts.items()})
    texts["mubo.b"] = "def later():\n    import mubo.a\nif TYPE_CHECKING:\n    import mubo.a"
    assert not cycle_of({name: set(imports_when_loaded(ast.parse(text).body)) for name, text in texts.items()})


def core_room(path):
    return path.relative_to(CORE).parts[0].split(".")[0]


def core_arrows_back(path):
    """Headers that a file of the core may not include."""
    room = core_room(path)
    for included in re.findall(r'#include "([^"]+)"', text_of(path)):
        other = core_room((path.parent / included).resolve())
        if other != room and CORE_LEVEL[other] >= CORE_LEVEL[room]:
            yield f"{room} must not include {other}"


def test_core_arrows():
    assert not broken_rules(HEADERS, core_arrows_back)
