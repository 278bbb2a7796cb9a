"""The spanning tree of a model: every body hangs on one other by one joint; joints left over close loops.

A part of the model that no hinge joins to the ground floats: the first of its bodies, in the order in which they are
written, hangs on the ground by a free joint that is inserted. So every model has a tree, and joints that are no stack
of unit motions (a massless link, a pin on a curve) only close loops.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable

from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
from mubo.model import GROUND, Joint, ModelDefinition
from mubo.model.coordinates import grounded

LONG = 12  # links of a loop, on average, from which on another tree is looked at
MOST_LINKS = 100  # of loops, for each body, that are counted


@dataclass(frozen=True)
class SpanningTree:
    """Hinges in the order in which a walk from the ground meets the bodies, and the joints that close loops."""

    hinges: tuple[Hinge, ...]
    cut: tuple[str, ...]


@dataclass(frozen=True)
class Hinge:
    """A joint of the tree: `child` hangs on `parent`. `forward` where the joint was written from parent to child.

    A joint of three and more ends is one to its first end for each of the others: `arm` counts them. `inserted` is the
    free joint of a body that floats, which the model does not have.
    """

    joint: str
    parent: str
    child: str
    forward: bool
    arm: int = 0
    inserted: Joint | None = None

    def joint_in(self, model: ModelDefinition) -> Joint:
        """The joint of the model, with the two ends that this hinge has, or the free joint that was inserted."""
        return self.inserted or model.joints[self.joint].arms[self.arm]

    @property
    def label(self) -> str:
        """Name in messages: the joint, or the body that floats."""
        return f"body {self.child}" if self.inserted else f"joint {self.joint}"


def ends_of(joint: Joint) -> tuple[str, str]:
    """The two bodies of a joint, or of one arm of it."""
    first, second = (reference.partition(".")[0] for reference in joint.between)
    return first, second


def is_hinge(model: ModelDefinition, joint: Joint) -> bool:
    """Whether a tree can walk over the joint: a rod without mass has no stack of motions, and one may be cut."""
    return model.kinds[joint.kind].hinge and joint.options.get("role") != "cut"


def spanning_tree(model: ModelDefinition) -> SpanningTree:
    """The tree of a breadth-first search from the ground, or of a depth-first one where its loops are much shorter.

    Long loops make costly equations. Bars side by side on the ground have short loops after a breadth-first search,
    stages on top of each other, as of a scissor lift, after a depth-first one; with the other search every loop leads
    through the ground. A body without mass that a loop closes at its far end is no leaf of the tree: nothing would
    resist the motion of its hinge.
    """
    wide = _walk_joints(model, deep=False)
    if _has_light_leaves(model, wide):
        return _walk_joints(model, deep=False, only=_arms_about_light_bodies(model, wide))
    length = _loop_length(model, wide, MOST_LINKS * len(model.bodies))
    if length <= LONG * len(wide.cut):
        return wide
    deep = _walk_joints(model, deep=True)
    return deep if 2 * _loop_length(model, deep, length) < length else wide


def _has_light_leaves(model: ModelDefinition, tree: SpanningTree) -> bool:
    """Whether a body without mass and inertia ends a branch of the tree, and a joint that was cut continues from it."""
    leaves = {hinge.child for hinge in tree.hinges} - {hinge.parent for hinge in tree.hinges}
    closed = {body for name in tree.cut if is_hinge(model, model.joints[name]) for body in _ends(model.joints[name])}
    return any(_is_light(model, body) for body in leaves & closed)


def _is_light(model: ModelDefinition, body: str) -> bool:
    """Whether a body is stated to have neither mass nor inertia."""
    whole = model.bodies[body].whole
    return whole.mass == 0 and not any(whole.inertia or ())


def _ends(joint: Joint) -> list[str]:
    return [reference.partition(".")[0] for reference in joint.between]


def _arms_about_light_bodies(model: ModelDefinition, tree: SpanningTree) -> set[tuple[str, int]]:
    """Arms of joints that make a tree: driven ones first, then those of bodies without mass, those with initial
    coordinates, those of the tree given, and the others (Kruskal's choice with these ranks)."""
    driven = {str(driver.of).partition(".")[0] for driver in model.drivers.values()}
    walked = {(hinge.joint, hinge.arm) for hinge in tree.hinges}

    def rank(one: tuple[int, Joint]) -> int:
        number, arm = one
        light = any(_is_light(model, body) for body in ends_of(arm))
        kept = (arm.name in driven, light, arm.name in model.initial_joints, (arm.name, number) in walked, True)
        return kept.index(True)

    root = dict.fromkeys(grounded(model), GROUND) | {GROUND: GROUND}

    def find(body: str) -> str:
        while root.setdefault(body, body) != body:
            body = root[body]
        return body

    chosen, joints = set[tuple[str, int]](), (joint for joint in model.joints.values() if is_hinge(model, joint))
    for number, arm in sorted((one for joint in joints for one in enumerate(joint.arms)), key=rank):
        first, second = (find(body) for body in ends_of(arm))
        if first != second:
            root[first if second == GROUND else second] = second if second == GROUND else first
            chosen.add((arm.name, number))
    return chosen


def _walk_joints(model: ModelDefinition, deep: bool, only: set[tuple[str, int]] | None = None) -> SpanningTree:
    """Hinges in the order in which a walk from the ground meets the bodies, and the joints left over; with `only` these
    arms of joints are walked."""
    around: dict[str, list[tuple[int, Joint]]] = {name: [] for name in model.bodies}
    for joint in model.joints.values():
        for number, arm in enumerate(joint.arms if is_hinge(model, joint) else ()):
            for body in ends_of(arm) if only is None or (joint.name, number) in only else ():
                around[body].append((number, arm))
    roots = [*grounded(model)]
    queue = deque((body, iter(around[body])) for body in roots)
    reached, hinges, floating = set(roots), list[Hinge](), iter(model.bodies)
    while True:
        if not queue:
            root = next((body for body in floating if body not in reached), None)
            if root is None:
                break
            hinges.append(_free_hinge(model, root))
            reached.add(root)
            queue.append((root, iter(around[root])))
        at = -1 if deep else 0
        body, joints = queue[at]
        found = next(((n, joint) for n, joint in joints if not reached.issuperset(ends_of(joint))), None)
        if found is None:
            queue.pop() if deep else queue.popleft()
            continue
        (first, second), number = ends_of(found[1]), found[0]
        other = second if first == body else first
        reached.add(other)
        queue.append((other, iter(around[other])))
        hinges.append(Hinge(found[1].name, body, other, first == body, number))
    walked = Counter(hinge.joint for hinge in hinges)
    anchors = {name for name, joint in model.joints.items() if model.kinds[joint.kind].anchors}
    arms = {name: len(joint.arms) for name, joint in model.joints.items() if name not in anchors}
    return SpanningTree(tuple(hinges), tuple(name for name, count in arms.items() if walked[name] < count))


def _free_hinge(model: ModelDefinition, body: str) -> Hinge:
    """The free joint on which a body that floats hangs; it has the name of the body, unless a joint is called so."""
    name = body
    while name in model.joints:
        name += "_"
    return Hinge(name, GROUND, body, True, inserted=Joint(name, "free", (GROUND, body)))


def _loop_length(model: ModelDefinition, tree: SpanningTree, most: int) -> int:
    """Links of all loops that cut joints close, each as often as it is in one; counted up to `most`."""
    above = {hinge.child: hinge.parent for hinge in tree.hinges}
    depth: dict[str, int] = {}
    for hinge in tree.hinges:
        depth[hinge.child] = depth.get(hinge.parent, 0) + 1
    walked, length = {(hinge.joint, hinge.arm) for hinge in tree.hinges}, 0
    for name in tree.cut:
        for number, arm in enumerate(model.joints[name].arms):
            if (name, number) in walked or len(arm.between) < 2:
                continue
            one, other = ends_of(arm)
            while one != other and length < most and (one in above or other in above):
                if depth.get(one, 0) < depth.get(other, 0):
                    one, other = other, one
                one, length = above[one], length + 1
    return length


def tree_of(model: ModelDefinition) -> list[Hinge]:
    """The hinges of a model that is a tree; loops are refused."""
    return hinges_of(model, spanning_tree(model))


def hinges_of(model: ModelDefinition, tree: SpanningTree) -> list[Hinge]:
    """The hinges of a spanning tree without cut joints; others are refused by name."""
    hinges, left = list(tree.hinges), tree.cut
    if left:
        loop = loop_of(model, hinges, left[0])
        raise ModelError(
            f"{model.where}the joints {', '.join(loop)} close a loop: this analysis needs a tree, in which every body "
            "hangs on one other",
            names=loop,
            suggestion=f"Remove one of them; {left[0]} is the one that closes the loop.",
        )
    return hinges


def loop_of(model: ModelDefinition, hinges: Iterable[Hinge], joint: str) -> list[str]:
    """The joints of the loop that a joint outside the tree closes, itself last."""
    hinges = list(hinges)
    above = {hinge.child: hinge for hinge in hinges}

    def path(body: str) -> list[Hinge]:
        out = []
        while body in above:
            out.append(above[body])
            body = above[body].parent
        return out

    walked = {hinge.arm for hinge in hinges if hinge.joint == joint}
    closing = next(arm for number, arm in enumerate(model.joints[joint].arms) if number not in walked)
    first, second = (path(body) for body in ends_of(closing))
    shared = set(first) & set(second)
    return [hinge.joint for hinge in (*first, *second[::-1]) if hinge not in shared] + [joint]
