"""Every public name has a docstring in the form of numpydoc, with the parameters of its signature in their order."""

import functools
import inspect
import re

import pytest

import mubo
from mubo.docstrings import documented
from mubo.model.bodies import BodyHandle

PROPERTIES = property | functools.cached_property


def members(kind):
    """Public methods and properties of a class, inherited ones included."""
    for name in dir(kind):
        getattr(kind, name, None)  # the method of a study is written when somebody looks at it
    for name, value in inspect.getmembers_static(kind):
        home = next(base for base in kind.__mro__ if name in vars(base)) if not name.startswith("_") else object
        shown = isinstance(value, PROPERTIES | classmethod) or inspect.isfunction(value)
        if shown and home.__module__.startswith("mubo"):
            yield f"{kind.__name__}.{name}", value.__func__ if isinstance(value, classmethod) else value


def public():
    for name in mubo.__all__:
        value = getattr(mubo, name)
        yield name, value
        if inspect.isclass(value) and not issubclass(value, Exception):
            yield from members(value)
    yield from members(type(mubo.synthesize))
    yield "Synthesize.__call__", type(mubo.synthesize).__call__
    yield from members(BodyHandle)


PUBLIC = dict(public())
FUNCTIONS = [name for name, value in PUBLIC.items() if inspect.isfunction(value)]


def section(name, heading):
    """The lines of a section, or none."""
    text = inspect.getdoc(PUBLIC[name])
    found = re.search(rf"^{heading}\n-+\n(.*?)(?=^\w[\w ]*\n---|\Z)", text, re.MULTILINE | re.DOTALL)
    return found.group(1) if found else ""


def test_all_are_seen():
    assert {"load", "Model.body", "Model.kinematics", "Run.plot", "Optimum.model", "Synthesize.path"} <= PUBLIC.keys()
    assert len(PUBLIC) > 140


@pytest.mark.parametrize("name", PUBLIC)
def test_a_docstring_begins_with_a_sentence_and_has_examples(name):
    text = inspect.getdoc(PUBLIC[name])
    summary = text.split("\n\n")[0]
    assert summary[0].isupper(), summary
    assert re.search(r"[.:)…]$", summary), summary
    if name != "Synthesize.__call__":  # its example is that of mubo.synthesize
        assert ">>>" in section(name, "Examples")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_parameters_are_those_of_the_signature(name):
    signature = inspect.signature(PUBLIC[name])
    wanted = [str(one).partition(":")[0].partition("=")[0].strip() for one in signature.parameters.values()]
    wanted = [one for one in wanted if one not in ("self", "cls")]
    listed = section(name, "Parameters")
    assert re.findall(r"^(\*{0,2}\w+) : \S", listed, re.MULTILINE) == wanted
    assert len(re.findall(r"^    \S.{5}", listed, re.MULTILINE)) >= len(wanted), "a sentence for each"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_is_returned_and_raised_is_stated(name):
    function = PUBLIC[name]
    returned = inspect.signature(function).return_annotation
    assert bool(section(name, "Returns")) == (returned not in ("None", None))
    if re.search(r"^\s+raise \w", inspect.getsource(function), re.MULTILINE):
        assert section(name, "Raises")


def test_a_parameter_without_a_sentence_is_refused():
    def half(known, other=1):
        """Does half."""

    with pytest.raises(TypeError, match="none about"):
        documented(known="It is known.")(half)
    with pytest.raises(TypeError, match="sentences about"):
        documented(known="It is known.", other="It is too.", third="It is not there.")(half)
    assert "other : Any, default 1" in documented(known="It is known.", other="It is too.")(half).__doc__
