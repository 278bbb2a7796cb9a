"""Methods that give a model its details: the subject, pins, sections, materials, outlines and keep-out areas."""

from __future__ import annotations

from typing import Any

from mubo.docstrings import documented
from mubo.elements import TABLES
from mubo.elements.details import SUBJECT
from mubo.errors import ModelError
from mubo.model.draft import ModelDraft, naming


class DetailBuilder(ModelDraft):
    """A model that gets details, which strength and gait read; nothing moves by them."""

    @documented(SUBJECT.sentences, raises={"ModelError": "If the mass is missing, or a subject is there already."})
    def set_subject(self, **options: Any) -> None:
        """Whose segments bodies are: `mass`, `height`, and the anthropometric `table` that they follow.

        Bodies that follow are segments by their `segment`; their mass, centre and inertia are fractions of these.

        >>> model = mubo.Model("leg")
        >>> model.set_subject(mass="70 kg", height="175 cm", table="winter")
        >>> thigh = model.body("thigh", points={"hip": (0, 0), "knee": (0, -0.43)}, segment="thigh")
        >>> round(model.bodies["thigh"].own.mass, 6), model.bodies["thigh"].own.center
        (7.0, (0.0, -0.18619))
        """
        if self.subject is not None:
            raise ModelError("the subject is there already")
        if "mass" not in options:
            raise ModelError('subject: "mass" is missing: mass of the whole body')
        from mubo.model.details import read_detail

        with naming("subject"):
            self.subject = read_detail(self.units, self.dimension, SUBJECT, "", options)

    @documented(TABLES["pin"].sentences, joint="Name of the joint.")
    def pin(self, joint: str, **options: Any) -> None:
        """Size, bearing and limits of the pin of a joint.

        >>> model = mubo.load("four_bar.toml")
        >>> model.pin("A", diameter="60 mm", width="50 mm", bearing="ball", rating="150 kN")
        """
        self._detail("pin", joint, options)

    @documented(TABLES["section"].sentences, body="Name of the body.")
    def section(self, body: str, **options: Any) -> None:
        """Section and material of a body that is a beam: `shape` with its sizes, or `area` and `modulus`.

        The beam goes from pin to pin; through more than two points where `along` names them.

        >>> model = mubo.load("four_bar.toml")
        >>> model.section("coupler", shape="tube", diameter=0.1, thickness="5 mm", material={"yield": "250 MPa"})
        """
        self._detail("section", body, options)

    @documented(TABLES["strut"].sentences, driver="Name of the driver.")
    def strut(self, driver: str, **options: Any) -> None:
        """Rod of a ram, a driver between two points or of a slide, as a column: `diameter`, `material` with E.

        >>> model = mubo.load("excavator.toml")
        >>> model.strut("lower_pump", diameter="60 mm", material={"yield": "400 MPa", "E": "210 GPa"})
        """
        self._detail("strut", driver, options)

    @documented(TABLES["material"].sentences, name="Name of the material.")
    def material(self, name: str, **options: Any) -> None:
        """A material that pins and sections name: `yield_` (a word of Python without its underscore), `E`, `density`,
        `ultimate` and `fatigue`.

        >>> model = mubo.load("four_bar.toml")
        >>> model.material("steel", yield_="250 MPa", E="210 GPa", ultimate="400 MPa", fatigue="160 MPa")
        """
        self._detail("material", name, options)

    @documented(TABLES["outline"].sentences, body="Name of the body.")
    def outline(self, body: str, **options: Any) -> None:
        """The outline of a body: a `polygon` in its axes, a `radius` around its points, the `layer` it lies in.

        >>> model = mubo.load("four_bar.toml")
        >>> model.outline("coupler", radius="60 mm", layer=1)
        """
        self._detail("outline", body, options)

    @documented(TABLES["keepout"].sentences, name="Name of the keep-out area.")
    def keepout(self, name: str, **options: Any) -> None:
        """Where no body may come: a `polygon` in ground axes, or a circle by `center` and `radius`.

        >>> model = mubo.load("four_bar.toml")
        >>> model.keepout("wall", polygon=[(4, -1), (5, -1), (5, 1)], clearance="20 mm")
        """
        self._detail("keepout", name, options)

    @documented(TABLES["surface"].sentences, name="Name of the surface.")
    def surface(self, name: str, **options: Any) -> None:
        """A surface of a body that others may touch: its `shape` with its sizes, in body axes.

        >>> model = mubo.load("four_bar.toml")
        >>> model.surface("rim", body="crank", shape="circle", radius="20 mm")
        """
        self._detail("surface", name, options)

    @documented(TABLES["contact"].sentences, name="Name of the contact.")
    def contact(self, name: str, **options: Any) -> None:
        """Surfaces that touch, `between` two or `among` several, or the end stops `of` a joint, with their law.

        >>> model = mubo.load("four_bar.toml")
        >>> model.surface("rim", body="crank", shape="circle", radius="20 mm")
        >>> model.surface("floor", body="ground", shape="plane", at=[0, -3], normal=[0, 1])
        >>> model.contact("bump", between=["rim", "floor"], restitution=0.5, friction=0.3)
        """
        self._detail("contact", name, options)

    def _detail(self, table: str, name: str, options: dict[str, Any]) -> None:
        from mubo.model.details import read_detail

        declared = TABLES[table]
        given = {key.removesuffix("_"): value for key, value in options.items()}
        with naming(f"{table} {name}"):
            detail = read_detail(self.units, self.dimension, declared, name, given)
        self._add(declared.part, detail)
