"""Lazy dataclasses behave as those of the standard library: their documentation is the source of every line here."""

import copy
import dataclasses
import inspect
import pickle
from threading import Barrier, Thread

import pytest

from mubo.lazy_dataclass import dataclass as lazy


def fields_of(decorate, named=False):
    """The same class, with every kind of field, by a decorator."""

    @decorate(frozen=True)
    class Base:
        first: int
        second: list = dataclasses.field(default_factory=list, compare=False)

    @decorate(frozen=True)
    class Made(Base):
        third: float = 1.5
        fourth: int = dataclasses.field(default=4, repr=False)
        fifth: int = dataclasses.field(init=False, default=5)
        sixth: str = dataclasses.field(default="six", kw_only=True, hash=False)

        def __post_init__(self):
            if self.third < 0:
                raise ValueError("negative")

    @decorate(frozen=True, kw_only=True)
    class Last(Made):
        seventh: int

    return Made if not named else Last


STANDARD, LAZY = fields_of(dataclasses.dataclass), fields_of(lazy)


def both(question):
    return question(STANDARD), question(LAZY)


@pytest.mark.parametrize(
    "question",
    [
        lambda cls: repr(cls(1, [2])).replace(cls.__qualname__, ""),
        lambda cls: (cls(1) == cls(1, [3]), cls(1) == cls(2), cls(1) == 1, hash(cls(1)) == hash(cls(1, sixth="7"))),
        lambda cls: [one.name for one in dataclasses.fields(cls)],
        lambda cls: dataclasses.asdict(dataclasses.replace(cls(1), third=2.5)),
        lambda cls: str(inspect.signature(cls)).replace("<factory>", "MISSING").count("="),
        lambda cls: (cls.third, cls(1).second, cls(1).second is cls(1).second, cls.__match_args__),
        lambda cls: vars(copy.copy(cls(1, [2]))),
    ],
)
def test_a_lazy_dataclass_is_like_a_standard_one(question):
    standard, found = both(question)
    assert found == standard


def test_fields_of_a_class_may_all_be_by_keyword():
    for decorate in (dataclasses.dataclass, lazy):
        cls = fields_of(decorate, named=True)
        assert (cls(1, seventh=7).seventh, cls.__match_args__) == (7, ("first", "second", "third", "fourth"))
        with pytest.raises(TypeError):
            cls(1, [], 1.5, 4, 7)
    with pytest.raises(TypeError, match="order"):
        lazy(order=True)(type("Ordered", (), {}))


@pytest.mark.parametrize(
    ("act", "error"),
    [
        (lambda cls: setattr(cls(1), "third", 2), dataclasses.FrozenInstanceError),
        (lambda cls: setattr(cls(1), "new", 2), dataclasses.FrozenInstanceError),
        (lambda cls: cls(), TypeError),
        (lambda cls: cls(1, [], 2.0, 3, 4), TypeError),
        (lambda cls: cls(1, third=-1), ValueError),
    ],
)
def test_it_refuses_the_same(act, error):
    for cls in (STANDARD, LAZY):
        with pytest.raises(error):
            act(cls)


@lazy
class Point:
    x: float
    y: float = 0.0


@dataclasses.dataclass(frozen=True)
class Derived(fields_of(lazy)):
    seventh: int = 7


def test_methods_are_written_with_the_first_object():
    @lazy
    class Later:
        x: int

    assert "__eq__" not in vars(Later)
    assert Later(1) == Later(1)
    assert "__eq__" in vars(Later)
    with pytest.raises(TypeError, match="unhashable"):
        hash(Later(1))


def test_a_pickled_object_finishes_its_class():
    state = pickle.dumps(Point(1.0, 2.0))
    assert pickle.loads(state) == Point(1.0, 2.0)
    fresh = lazy(type("Fresh", (), {"__annotations__": {"x": "float"}, "__qualname__": "Fresh"}))
    made = [copy.copy(object.__new__(fresh)) for _ in range(2)]
    for one in made:
        one.__setstate__({"x": 1.0}) if hasattr(one, "__setstate__") else vars(one).update(x=1.0)
    assert made[0] == made[1]


def test_a_standard_dataclass_may_derive_from_it():
    assert Derived(1, seventh=8).seventh == 8
    assert [one.name for one in dataclasses.fields(Derived)][-1] == "seventh"


def test_threads_may_make_the_first_object_together():
    for _ in range(20):
        fresh = lazy(frozen=True)(type("Fresh", (), {"__annotations__": {"x": "float", "y": "float"}}))
        start, made = Barrier(4), []

        def make(fresh=fresh, start=start, made=made):
            start.wait()
            made.append(fresh(1.0, y=2.0))

        threads = [Thread(target=make) for _ in range(4)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        assert made == [fresh(1.0, 2.0)] * 4


def test_slots_are_refused():
    with pytest.raises(TypeError, match="slots"):
        lazy(slots=True)(type("Slotted", (), {}))
