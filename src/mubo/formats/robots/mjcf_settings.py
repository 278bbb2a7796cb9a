"""Settings of an MJCF file: included files, compiler, defaults with their classes, orientations.

Source: MuJoCo, XML reference: compiler, default, include; modeling chapter: frame orientations.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from mubo.errors import ModelError
from mubo.formats.robots.robot import Place, place_of
from mubo.formats.robots.xml import Node, Problems, parse
from mubo.geometry import UNIT
from mubo.geometry.rotation import about, axis_of, frame_of, of_matrix, product

ORIENTATIONS = {"quat": 4, "axisangle": 4, "euler": 3, "xyaxes": 6, "zaxis": 3}
BEGINNING = np.array([0.0, 0.0, 1.0])


def with_includes(root: Node, folder: Path, opened: tuple[Path, ...] = ()) -> Node:
    """The document with every <include> replaced by the children of the root of its file.

    The path is relative to the folder of the main file, or else to that of the file that includes it."""
    children: list[Node] = []
    for child in root.children:
        if child.tag == "include":
            children += with_includes(_included(child, folder, opened), folder, (*opened, child.file)).children
        else:
            children.append(with_includes(child, folder, opened))
    root.children = children
    return root


def _included(node: Node, folder: Path, opened: tuple[Path, ...]) -> Node:
    name = node.given.get("file", "")
    places = [base / name for base in (folder, node.file.parent)]
    path = next((place for place in places if place.is_file()), None)
    if path is None:
        raise ModelError(f'{node.file}, line {node.line}: there is no file "{name}" to include')
    if path in opened:
        raise ModelError(f"{node.file}, line {node.line}: {name} includes itself")
    return parse(path.read_text("utf-8-sig"), path)


@dataclass
class Compiler:
    """The attributes of <compiler> that masses, angles and limits depend on."""

    radian: bool = False
    eulerseq: str = "xyz"
    autolimits: bool = True
    inertiafromgeom: str = "auto"
    balanceinertia: bool = False
    boundmass: float = 0.0
    boundinertia: float = 0.0
    settotalmass: float = -1.0
    groups: tuple[float, ...] = (0.0, 5.0)
    folders: dict[str, str] = field(default_factory=dict)  # meshdir, assetdir

    def read(self, node: Node, problems: Problems) -> None:
        """Take the attributes of one <compiler>; a file may have several."""
        given, what = node.given, "compiler"
        self.radian = given.get("angle", "radian" if self.radian else "degree") == "radian"
        self.eulerseq = given.get("eulerseq", self.eulerseq)
        self.autolimits = given.get("autolimits", str(self.autolimits)).lower() == "true"
        self.balanceinertia = given.get("balanceinertia", str(self.balanceinertia)).lower() == "true"
        self.inertiafromgeom = given.get("inertiafromgeom", self.inertiafromgeom)
        for key in ("boundmass", "boundinertia", "settotalmass"):
            setattr(self, key, problems.number(node, key, getattr(self, key), what))
        self.groups = problems.numbers(node, "inertiagrouprange", 2, self.groups, what)
        self.folders |= {key: given[key] for key in ("meshdir", "assetdir") if key in given}
        if given.get("coordinate") == "global":
            problems.note(node, 'compiler: coordinate="global" is no part of MJCF since MuJoCo 2.3.4; write "local"')

    def angle(self, value: float) -> float:
        """An angle of the file in radians."""
        return value if self.radian else float(np.radians(value))

    def orientation(self, node: Node, problems: Problems, what: str) -> Place:
        """The quaternion of an element, by whichever of the five attributes it has."""
        key = next((key for key in ORIENTATIONS if key in node.given), None)
        if key is None:
            return UNIT
        values = problems.numbers(node, key, ORIENTATIONS[key], (), what)
        if not values:
            return UNIT
        if key == "euler":
            return self.euler(values)
        vector = np.array(values)
        if key == "quat":
            size = float(np.linalg.norm(vector))
            return place_of(vector / size) if size else UNIT
        if key == "axisangle":
            axis = vector[:3] / np.linalg.norm(vector[:3])
            return place_of(about(axis, self.angle(float(vector[3]))))
        if key == "xyaxes":
            x = vector[:3] / np.linalg.norm(vector[:3])
            y = vector[3:] - (vector[3:] @ x) * x
            return place_of(of_matrix(frame_of(x, y)))
        return turn_to(vector)

    def euler(self, angles: Place) -> Place:
        """A lower-case letter turns about the axis that moves along, an upper-case one about the parent's."""
        turn = np.array(UNIT)
        for letter, angle in zip(self.eulerseq, angles, strict=True):
            one = about(axis_of(letter.lower()), self.angle(angle))
            turn = product(turn, one) if letter.islower() else product(one, turn)
        return place_of(turn)


def turn_to(direction: np.ndarray) -> Place:
    """The smallest turn that takes z to a direction."""
    size = float(np.linalg.norm(direction))
    if not size:
        return UNIT
    z = direction / size
    axis = np.cross(BEGINNING, z)
    sine = float(np.linalg.norm(axis))
    if sine < 1e-10:
        return UNIT if z[2] > 0 else (0.0, 1.0, 0.0, 0.0)
    return place_of(about(axis / sine, float(np.arctan2(sine, z[2]))))


class Defaults:
    """Attributes by class and tag; a class has those of the class that it stands in."""

    MAIN = "main"

    def __init__(self) -> None:
        self._classes: dict[str, dict[str, dict[str, str]]] = {self.MAIN: {}}

    def read(self, node: Node, problems: Problems, above: str = "") -> None:
        """Take one <default> with the classes in it."""
        name = node.given.get("class", "" if above else self.MAIN)
        if not name:
            problems.note(node, "a default inside another needs a class")
            return
        known = self._classes.get(name)
        inherited = {tag: dict(given) for tag, given in self._classes.get(above, {}).items()}
        own = self._classes[name] = known if known is not None else inherited
        for child in node.children:
            if child.tag != "default":
                own.setdefault(child.tag, {}).update(child.given)
        for child in node.all("default"):
            self.read(child, problems, name)

    def apply(self, node: Node, class_name: str, problems: Problems) -> Node:
        """An element with the attributes of its class where it has none of its own."""
        name = node.given.get("class") or class_name or self.MAIN
        if name not in self._classes:
            problems.note(node, f'there is no default class "{name}"')
            return node
        given = dict(self._classes[name].get(node.tag, {}))
        if any(key in node.given for key in ORIENTATIONS):
            given = {key: value for key, value in given.items() if key not in ORIENTATIONS}
        return Node(node.tag, {**given, **node.given}, node.line, node.children, node.text, node.file)
