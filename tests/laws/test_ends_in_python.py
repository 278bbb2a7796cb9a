"""What an element acts on may be written in Python as in a model file: under the element's own key, as text or list."""

import pytest

import mubo
from mubo.elements import joints_of, loads_of

KINDS = [
    (dimension, table, kind)
    for dimension in (2, 3)
    for table, known in (("joint", joints_of(dimension)), ("force", loads_of(dimension)))
    for kind in known
]


def ends_as_kept(dimension, table, kind, *ends, **options):
    """Ends of an element in a model that has two bodies and a pin between them."""
    model = mubo.Model("ends", dimension=dimension)
    model.body("arm", points={"B": (0,) * dimension})
    model.ground.point("A", (0,) * dimension)
    model.joint("pin", "revolute", "ground.A", "arm.B")
    getattr(model, table)("E", kind, *ends, **options)
    element = (model.joints if table == "joint" else model.forces)["E"]
    return element.between if table == "joint" else element.on


@pytest.mark.parametrize(("dimension", "table", "kind"), KINDS)
def test_the_key_of_a_file_names_the_ends_in_python(dimension, table, kind):
    key = {"joint": joints_of, "force": loads_of}[table](dimension)[kind].key
    ends = {"between": ["ground.A", "arm.B"], "body": ["arm"], "at": ["arm.B"]}.get(key, ["pin"])
    expected = ends_as_kept(dimension, table, kind, *ends)
    assert expected == tuple(ends)
    assert ends_as_kept(dimension, table, kind, **{key: ends}) == expected
    assert ends_as_kept(dimension, table, kind, ends) == expected
    if len(ends) == 1:
        assert ends_as_kept(dimension, table, kind, **{key: ends[0]}) == expected


def test_ends_of_another_kind_are_refused():
    with pytest.raises(mubo.ModelError, match=r'a revolute joint has no "body"'):
        ends_as_kept(2, "joint", "revolute", body="arm")
    with pytest.raises(mubo.ModelError, match="ends are texts one after the other"):
        ends_as_kept(2, "joint", "revolute", [1, 2])
