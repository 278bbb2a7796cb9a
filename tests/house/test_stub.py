"""src/mubo/_core.pyi says what the compiled module has: names, members, arguments. Type checkers read nothing else."""

import ast
import re

import pytest
from conftest import ROOT

from mubo import _core

STUB = ast.parse((ROOT / "src" / "mubo" / "_core.pyi").read_text())
CLASSES = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}


def written(node):
    """Members that the stub gives a class, those of its base included."""
    out = {}
    for base in node.bases:
        out |= written(CLASSES[base.id]) if base.id in CLASSES else {}
    for member in node.body:
        if isinstance(member, ast.FunctionDef):
            out[member.name] = member
        elif isinstance(member, ast.AnnAssign):
            out[member.target.id] = member
        elif isinstance(member, ast.Assign):
            out[member.targets[0].id] = member
    return out


def public(names):
    return {name for name in names if not name.startswith("_")}


def functions():
    """Every function of the module and method of a class: its name, what is compiled, what is written."""
    for node in STUB.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, getattr(_core, node.name), node
    for name, node in CLASSES.items():
        for member, text in written(node).items():
            if isinstance(text, ast.FunctionDef):
                yield f"{name}.{member}", getattr(getattr(_core, name), member), text


def test_every_name_of_the_module_is_written():
    functions = {node.name for node in STUB.body if isinstance(node, ast.FunctionDef)}
    numbers = {node.target.id for node in STUB.body if isinstance(node, ast.AnnAssign)}
    assert public(vars(_core)) == CLASSES.keys() | functions | numbers


@pytest.mark.parametrize("name", CLASSES)
def test_every_member_of_a_class_is_written(name):
    compiled = getattr(_core, name)
    members = public(compiled.__members__ if hasattr(compiled, "__members__") else vars(compiled))
    assert members == public(written(CLASSES[name]))


@pytest.mark.parametrize(("compiled", "text"), [pytest.param(c, text, id=name) for name, c, text in functions()])
def test_arguments_are_written(compiled, text):
    """As many as there are, by their names where the binding names them; a status is called one."""
    listed = [argument.arg for argument in text.args.args if argument.arg != "self"]
    for signature, *_ in compiled.__nb_signature__:  # one for each type that it takes
        given = re.findall(r"(\w+): ", signature)
        assert len(given) == len(listed)
        for real, told in zip(given, listed, strict=True):
            assert real in (told, f"arg{given.index(real)}", "arg")
        assert ("Status" in signature.rpartition("->")[2]) == ("Status" in ast.unparse(text.returns))


def test_the_package_says_that_it_is_typed():
    assert (ROOT / "src" / "mubo" / "py.typed").is_file()
