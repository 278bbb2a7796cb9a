"""One call for everything that other 3D programs read: the ending says what is written."""

from __future__ import annotations

from pathlib import Path

from mubo.errors import ResultError, nearest
from mubo.results import Run
from mubo.view.painters.actors import solid_film
from mubo.view.scene import Scene, scene_of
from mubo.view.scene.legend import scale_bars, scale_notes

PLATES = {".dxf, .svg": "plates to cut", ".stl, .step": "plates as solids", ".pdf": "a drawing sheet"}
ENDINGS = {".glb": "binary glTF", ".py": "a script for Blender", ".csv": "a table of poses"}


def export(run: Run, path: str | Path, *, fps: float | None = None, speed: float = 1.0) -> tuple[str, ...]:
    """Writes the motion of a result; returns notes for the user."""
    target = Path(path)
    require_export_ending(target)
    if fps is not None:  # also where no frames are written: an invalid rate is refused
        from mubo.view.painters.blender.script import require_rate

        require_rate(fps)
    scene = scene_of(run)
    if target.suffix == ".csv":
        from mubo.view.painters.blender import write_poses

        return write_poses(scene, target)
    film = solid_film(scene, speed)
    if target.suffix == ".glb":
        from mubo.view.painters.gltf import write_glb

        write_glb(film, target)
    else:
        from mubo.view.painters.blender import write_script

        write_script(film, target, fps)
    still = () if len(film.seconds) > 1 else ("one time only: the mechanism does not move",)
    return (*film.notes, *still, *_scale(scene))


def _scale(scene: Scene) -> tuple[str, ...]:
    """The scale of the force arrows in the file."""
    bars = (f"{bar.length:.6g} {scene.units['length']} is {bar.text}" for bar in scale_bars(scene, 0.2 * scene.size))
    scales = ", ".join(bars)
    return (f"arrows of forces: {scales}; {'; '.join(scale_notes(scene))}",) if scales else ()


def require_export_ending(path: Path) -> None:
    """Refuses what cannot be written before anything is computed."""
    if path.suffix not in ENDINGS:
        kinds = ", ".join(f"{ending} ({words})" for ending, words in (ENDINGS | PLATES).items())
        hint = nearest(path.suffix, ENDINGS) if path.suffix else ""
        guess = f" {hint}" if hint.startswith("Did") else ""
        raise ResultError(f'cannot export to "{path.name}": the ending must be {kinds}.{guess}')
