"""Nobody outside `elements` and `formats` asks for the kind of an element: it is looked up, and its fields answer.

Some kinds are words of their own as well: `screw` is a degree of freedom, `distance` an equation, `slot` a glyph. They
may be said, but not asked of a joint, a force or a driver."""

import ast
import re

import pytest
from source_files import FILES, PACKAGE, SCRIPTS, WEB, broken_rules, nodes_of, text_of

from mubo import _core
from mubo.elements import DRIVERS, JOINTS, LOADS, PLANE_LOADS, SPATIAL_DRIVERS, SPATIAL_JOINTS
from mubo.elements.contacts import CONTACT, SHAPES
from mubo.model import GROUND
from mubo.studies import STUDIES
from mubo.studio.protocol import REQUESTS
from mubo.studio.tools import TOOLS

DECLARED = PACKAGE / "model" / "tables.py"  # keys of the model file, of which some are kinds too
OFFERED = PACKAGE / "errors.py"  # words of other programs with mubo's, for messages
OTHERS = [p for p in FILES if p not in (DECLARED, OFFERED)]
ASKING = [p for p in OTHERS if p.relative_to(PACKAGE).parts[0] not in ("elements", "formats")]
ELEMENTS = [e for room in (JOINTS, DRIVERS, LOADS, PLANE_LOADS, SPATIAL_JOINTS, SPATIAL_DRIVERS) for e in room.values()]
KINDS = {element.name for element in ELEMENTS}

EQUATIONS = {name for name, *_ in (*_core.row_kinds(), *_core.spatial_row_kinds())}
BODY_DOFS = {word.split()[0] for element in ELEMENTS for word in (*element.dofs, element.moves, "") if word}
GLYPHS = {element.glyph for element in ELEMENTS}
HOLDS = {option.holds for element in ELEMENTS for option in element.options if isinstance(option.holds, str)}
TAGS = {"circle"}  # of SVG
# Names that a room gives to other things, and may look up: options of studies, requests and tools of the studio.
OPTIONS = {name for study in STUDIES.values() for name in study.options}
OWN_NAMES = {"studies": OPTIONS, "studio": {*REQUESTS, *TOOLS}}

CONTACT_WORDS = {*SHAPES, *CONTACT.keys}  # shapes of surfaces, keys of contacts

ASKED = KINDS - EQUATIONS - BODY_DOFS  # may not be compared with anything, nor looked up
SAID = ASKED - GLYPHS - HOLDS  # may not be written at all
PARTS = r"joint|force|load|driver|coupling|element|part\b|kinds\b"
REGISTRIES = r"(kinds|JOINTS|DRIVERS|LOADS|joints_of\(.*\)|loads_of\(.*\))$"


def words(node):
    """The literals of an expression: itself, or members of a tuple, list or set."""
    members = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    return {n.value for n in members if isinstance(n, ast.Constant) and isinstance(n.value, str)}


def of_a_part(node):
    """Whether an expression asks a joint, a force, a driver or a declaration: joint.kind, model.joints[name].kind."""
    return isinstance(node, ast.Attribute) and node.attr in ("kind", "name") and _is_part(ast.unparse(node.value))


def _is_part(text):
    return bool(re.search(PARTS, text))


def compared(node):
    """Words that something is compared with, and whether that something is a part of the model."""
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        yield from ((word, any(map(of_a_part, sides))) for side in sides for word in words(side))
    if isinstance(node, ast.Match):
        patterns = [p for case in node.cases for p in ast.walk(case.pattern) if isinstance(p, ast.MatchValue)]
        yield from ((word, of_a_part(node.subject)) for pattern in patterns for word in words(pattern.value))


def looked_up(node):
    """Words that something is looked up by, and whether in a registry; there a word put together counts as well."""
    if isinstance(node, ast.Subscript):
        table, key = node.value, node.slice
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get" and node.args:
        table, key = node.func.value, node.args[0]
    else:
        return
    named = words(key) | ({ast.unparse(key)} if isinstance(key, ast.JoinedStr) else set())
    if named:
        in_registry = bool(re.search(REGISTRIES, ast.unparse(table)))
        yield from ((word, in_registry) for word in named if in_registry or not isinstance(key, ast.JoinedStr))


def own_names(path, root):
    """Names of the room or of the subject that a file is about, which are no kinds there."""
    about = CONTACT_WORDS if re.search("contact|clearance", path.stem) else set()
    return OWN_NAMES.get(path.relative_to(root).parts[0], set()) | about


def quoted_kinds(nodes, own=frozenset()):
    """Every kind that is asked for or said, with its line; `own` names may be, but not of a part."""
    named = (n for n in nodes if isinstance(n, ast.Assign) and getattr(n.targets[0], "id", "") == "GROUND")
    reserved = {id(n.value) for n in named if ast.unparse(n) == f"GROUND = '{GROUND}'"}
    asked, said = ASKED - own, SAID - own
    for node in nodes:
        for word, of_part in (*compared(node), *looked_up(node)):
            if word in asked or (of_part and (word in KINDS or word.startswith(("f'", 'f"')))):
                yield node.lineno, word
        if isinstance(node, ast.Constant) and id(node) not in reserved and node.value in said:
            yield node.lineno, node.value


def quoted_in_script(path):
    """Every kind that a script asks for or says."""
    text, own = text_of(path).replace(f'GROUND = "{GROUND}"', ""), own_names(path, WEB)
    literals = re.findall(r"[\"'`]([a-z_]+)[\"'`]", text)
    asked = re.findall(r"(?:[=!]==?|case) *[\"'`]([a-z_]+)[\"'`]", text)
    yield from (ASKED - own).intersection(asked)
    yield from (SAID - TAGS - own).intersection(literals)


def test_no_kind_is_quoted():
    assert not broken_rules(ASKING, lambda path: quoted_kinds(nodes_of(path), own_names(path, PACKAGE)))


def test_no_kind_is_quoted_in_the_page():
    assert not broken_rules(SCRIPTS, quoted_in_script)


@pytest.mark.parametrize(
    "text",
    [
        'if joint.kind == "revolute": pass',
        'if model.joints[hinge.joint].kind != "screw": pass',
        'if element.name in ("distance", "rack"): pass',
        'if kind == "slot": pass',
        'drawers = {"translational": block}',
        'element = JOINTS["distance"]',
        'element = SPATIAL_DRIVERS[f"joint_{kind}"]',
        'element = loads_of(3).get("spring")',
        'if body == "ground": pass',
        "match force.kind:\n    case 'spring': pass",
    ],
)
def test_a_quoted_kind_is_seen(text):
    assert list(quoted_kinds(list(ast.walk(ast.parse(text)))))


@pytest.mark.parametrize(
    "text",
    [
        'if dof.kind == "screw": pass',
        'if row.kind == "distance": pass',
        'glyphs = {"slot": slot}',
        'GROUND = "ground"',
        'if element.moves == "screw": pass',
    ],
)
def test_words_of_their_own_are_left_alone(text):
    assert not list(quoted_kinds(list(ast.walk(ast.parse(text)))))
