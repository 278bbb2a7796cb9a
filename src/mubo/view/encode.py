"""Films: from frames to a file. MP4 by the ffmpeg that imageio-ffmpeg carries, GIF by Pillow."""

from __future__ import annotations

import base64
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from mubo.arrays import distinct
from mubo.errors import ResultError
from mubo.formats.files import replacing
from mubo.results import Run
from mubo.view.film import Film, FilmSettings, filmed_scene, fitted_size
from mubo.view.scene.motion import is_closed

ENDINGS = (".mp4", ".gif")
GIF_FPS = 50.0  # viewers slow down what is faster
GIF_SIZE = (800, 450)
Progress = Callable[[float, float], None]


def animate(
    run: Run,
    path: str | Path,
    settings: FilmSettings | None = None,
    progress: Progress = lambda done, total: None,
) -> dict[str, Any]:
    """Writes a film; the ending decides: .mp4 or .gif. Answers its frames, seconds, frame rate and speed."""
    target = Path(path)
    if target.suffix not in ENDINGS:
        raise ResultError(f'cannot film "{target.name}": the ending must be {" or ".join(ENDINGS)}')
    settings = settings or FilmSettings(size=GIF_SIZE if target.suffix == ".gif" else FilmSettings.size)
    encoder = _encoder(target, settings)
    film = Film(run, settings)
    with replacing(target) as temporary:
        frames = encoder(film, temporary, progress)
    return {
        "path": str(path),
        "frames": frames,
        "seconds": frames / settings.fps,
        "fps": settings.fps,
        "speed": settings.speed,
        "size": film.size,
    }


def has_encoder() -> bool:
    """Whether MP4 films can be written here."""
    try:
        import imageio_ffmpeg  # noqa: F401
    except ImportError:
        return False
    return True


def _encoder(target: Path, settings: FilmSettings) -> Callable[[Film, Path, Progress], int]:
    """The writer for an ending, or a refusal before anything is drawn."""
    if target.suffix == ".gif":
        if settings.fps > GIF_FPS:
            raise ResultError(f"a GIF has up to {GIF_FPS:g} frames per second; found {settings.fps:g}. MP4 takes more")
        return write_gif
    if not has_encoder():
        raise ResultError(
            "an MP4 film needs an encoder that is not installed",
            suggestion="Install it with pip install 'mubo[video]', or write a .gif.",
        )
    if settings.size[0] % 2 or settings.size[1] % 2:
        raise ResultError(f"an MP4 film needs an even width and height; found {settings.size[0]}x{settings.size[1]}")
    return write_mp4


def write_mp4(film: Film, path: Path, progress: Progress) -> int:
    """H.264 that every browser plays. The encoder runs beside the drawing, on another core. Answers the frames."""
    import imageio_ffmpeg

    writer = imageio_ffmpeg.write_frames(
        str(path),
        film.size,
        pix_fmt_in="rgba",
        fps=film.settings.fps,
        codec="libx264",
        macro_block_size=2,
        quality=None,
        ffmpeg_log_level="error",
        output_params=["-crf", "20", "-preset", "superfast", "-movflags", "+faststart"],
    )
    try:
        writer.send(None)
        for number in range(len(film)):
            writer.send(film.frame(number))
            progress(number + 1, len(film))
    except OSError as error:
        raise ResultError(f"the encoder stopped: {error}") from None
    finally:
        writer.close()
    if not is_whole_film(path):
        raise ResultError(f"the encoder could not finish {path.suffix[1:]}: is the disk full?")
    return len(film)


def is_whole_film(path: Path) -> bool:
    """Whether the boxes of an MP4 file, each a size and a name, fill it exactly and have its table of contents."""
    place, names, size = 0, set(), path.stat().st_size
    with path.open("rb") as file:
        while place + 8 <= size:
            file.seek(place)
            head = file.read(16)
            length = int.from_bytes(head[:4], "big")
            length = int.from_bytes(head[8:], "big") if length == 1 else length
            names.add(head[4:8])
            if length < 8:
                return False
            place += length
    return place == size and {b"moov", b"mdat"} <= names


def write_gif(film: Film, path: Path, progress: Progress) -> int:
    """Writes a GIF with one palette, taken from a few of its frames, so that nothing flickers. Returns the frames.

    A GIF plays in a loop: of a motion that ends as it began the last frame is left out, it would be shown twice.
    """
    from PIL import Image

    palette = _palette(film)
    count = len(film) - is_closed(film.scene)

    def pictures() -> Iterator[Any]:
        for number in range(count):
            yield _image(film, number).quantize(palette=palette, dither=Image.Dither.NONE)
            progress(number + 1, count)

    # Times of a GIF are hundredths of a second: they are rounded one after the other, so that no error adds up.
    ticks = np.round(100 * np.arange(count + 1) / film.settings.fps).astype(int)
    shown = [10 * int(step) for step in np.diff(ticks)]
    frames = pictures()
    first = next(frames)
    first.save(path, format="GIF", save_all=True, append_images=frames, duration=shown, loop=0, optimize=False)
    return count


def _image(film: Film, number: int) -> Any:
    from PIL import Image

    return Image.frombytes("RGBA", film.size, bytes(film.frame(number))).convert("RGB")


def _palette(film: Film) -> Any:
    from PIL import Image

    samples = [_image(film, int(k)) for k in distinct(np.linspace(0, len(film) - 1, 4).astype(int))]
    sheet = Image.new("RGB", (film.size[0], film.size[1] * len(samples)))
    for k, sample in enumerate(samples):
        sheet.paste(sample, (0, k * film.size[1]))
    palette = sheet.quantize(colors=255, method=Image.Quantize.MEDIANCUT)
    colours = np.array(palette.getpalette()).reshape(-1, 3)
    colours[(colours > 247).all(axis=1)] = 255  # averaging makes white paper a little grey
    palette.putpalette(colours.ravel().tolist())
    return palette


class InlineFilm:
    """A film that shows itself in a notebook. `data` is the file, `kind` "mp4" or "gif"."""

    def __init__(self, data: bytes, kind: str, info: dict[str, Any]) -> None:
        self.data, self.kind, self.info = data, kind, info

    def __repr__(self) -> str:
        return f"film ({self.kind}): {self.info['frames']} frames, {self.info['seconds']:.3g} s"

    def _repr_html_(self) -> str:
        encoded = base64.b64encode(self.data).decode()
        width = self.info["size"][0]
        if self.kind == "gif":
            return f'<img alt="film" style="width:100%;max-width:{width}px" src="data:image/gif;base64,{encoded}">'
        return (
            f'<video controls autoplay loop muted playsinline style="width:100%;max-width:{width}px" '
            f'src="data:video/mp4;base64,{encoded}"></video>'
        )


def inline_film(run: Run, settings: FilmSettings) -> InlineFilm:
    """A film in memory: MP4 where its encoder is installed, else GIF."""
    kind = "mp4" if has_encoder() else "gif"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"film.{kind}"
        info = animate(run, path, settings)
        return InlineFilm(path.read_bytes(), kind, info)


def film_of_run(
    run: Run,
    path: str | Path | None,
    progress: Callable[[float, float], None],
    *,
    size: tuple[int, int] | None,
    **asked: Any,
) -> Any:
    """The film of a run: written to `path`, or in memory for a notebook.

    Without a size it is as wide and high as the mechanism needs, beside charts as large as may be; a GIF is smaller.
    """
    most = GIF_SIZE if path is None or Path(path).suffix == ".gif" else FilmSettings.size
    if size is None and not asked.get("charts"):
        size = fitted_size(filmed_scene(run, asked.get("forces")), most, asked.get("view"))
    wide, high = size or most
    settings = FilmSettings(size=(int(wide), int(high)), **asked)
    return inline_film(run, settings) if path is None else animate(run, path, settings, progress)
