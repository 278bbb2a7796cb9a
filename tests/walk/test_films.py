"""Films: as many frames as asked for, and in them the mechanism where the table says."""

import itertools
import json
import sys
from dataclasses import replace

import imageio_ffmpeg
import numpy as np
import pytest
from click.testing import CliRunner
from conftest import EXAMPLES
from matplotlib.backend_bases import GraphicsContextBase
from PIL import Image

import mubo
from mubo.cli.main import cli
from mubo.results import Columns
from mubo.view.encode import GIF_SIZE
from mubo.view.film import Film, FilmSettings, dots_per_inch, fitted_size
from mubo.view.painters.followers import Clock, cheapest_path, put_names
from mubo.view.painters.labels import overlaps
from mubo.view.scene import scene_of
from mubo.view.scene.colours import INK

FOUR_BAR, CHAIN = EXAMPLES / "four_bar.toml", EXAMPLES / "five_body_chain.toml"
SMALL = (480, 360)


@pytest.fixture(scope="module")
def four_bar():
    return mubo.load(FOUR_BAR).kinematics()


@pytest.fixture(scope="module")
def chain():
    return mubo.load(CHAIN).simulate(0, 1, 0.02)


def frames_of(path):
    """The pictures of an MP4 as decoded, and its frame rate."""
    reader = imageio_ffmpeg.read_frames(str(path))
    told = next(reader)
    width, height = told["size"]
    return [np.frombuffer(data, np.uint8).reshape(height, width, 3) for data in reader], told["fps"]


def rgb(colour):
    return np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)], float)


def test_frames_of_an_mp4_show_the_coupler_point_where_the_table_says(four_bar, tmp_path):
    path = tmp_path / "film.mp4"
    told = four_bar.animate(path, fps=20, speed=1.0, size=SMALL)
    pictures, fps = frames_of(path)
    assert len(pictures) == told["frames"] == 21  # one second, both ends
    assert fps == 20
    assert pictures[0].shape == (360, 480, 3)
    film = Film(four_bar, FilmSettings(fps=20, size=SMALL))
    for number in (0, 7, 13, 20):  # frames at 0.05 s: every second row of the table
        row = 2 * number
        assert film.times[number] == pytest.approx(four_bar["t"][row])
        x, y = film.stage.pixels(np.array([[four_bar["P.x"][row], four_bar["P.y"][row]]]))[0]
        # H.264 keeps brightness pixel by pixel and colour only for four at once (ITU-R BT.601 weights).
        brightness = pictures[number][359 - int(y), int(x)] @ [0.299, 0.587, 0.114]
        assert brightness < rgb(INK).mean() + 30


def test_frames_between_rows(four_bar):
    """A run of few rows, filmed at times that are no rows: the point is where a finer run has it."""
    coarse = mubo.load(FOUR_BAR).kinematics(0, 1, 0.05)
    film = Film(coarse, FilmSettings(fps=40, size=SMALL, trace=False))
    for number in (3, 9, 21):
        row = int(np.argmin(np.abs(four_bar["t"] - film.times[number])))
        assert four_bar["t"][row] == pytest.approx(film.times[number])
        x, y = film.stage.pixels(np.array([[four_bar["P.x"][row], four_bar["P.y"][row]]]))[0]
        picture = np.asarray(film.frame(number))
        np.testing.assert_allclose(picture[359 - int(y), int(x), :3], rgb(INK), atol=3)


def test_a_gif_has_its_frames_and_its_time(four_bar, tmp_path):
    path = tmp_path / "film.gif"
    told = four_bar.animate(path, fps=15, size=(240, 180))
    with Image.open(path) as film:
        assert film.n_frames == told["frames"] == 15  # one turn in a loop: the last frame would be the first again
        shown = 0
        for number in range(film.n_frames):
            film.seek(number)
            shown += film.info["duration"]
        assert shown == pytest.approx(1000, abs=10)
        assert film.convert("RGB").getpixel((238, 2)) == (255, 255, 255)


def test_traces_grow(four_bar):
    film = Film(four_bar, FilmSettings(fps=20, size=SMALL))
    still = Film(four_bar, FilmSettings(fps=20, size=SMALL, trace=False))
    colour = rgb(film.scene.colour("P.x"))

    def drawn(which, number):
        return int(np.sum(np.all(np.abs(np.asarray(which.frame(number))[..., :3] - colour) < 25, axis=-1)))

    counts = [drawn(film, number) - drawn(still, number) for number in (1, 7, 14, 20)]
    assert counts == sorted(counts)
    assert counts[-1] > counts[0] + 100


def test_frames_do_not_depend_on_their_order(four_bar):
    film = Film(four_bar, FilmSettings(fps=20, size=SMALL, charts=("P.y", "P.vy")))
    first = np.array(film.frame(5))
    film.frame(12)
    np.testing.assert_array_equal(np.asarray(film.frame(5)), first)
    assert np.any(np.asarray(film.frame(6)) != first)


def test_cursors_stand_at_the_time(four_bar):
    film = Film(four_bar, FilmSettings(fps=20, size=SMALL, charts=("P.y",)))
    film.frame(10)
    assert film.cursors[0].line.get_xdata()[0] == film.times[10]
    assert film.cursors[0].dot.get_ydata()[0] == pytest.approx(four_bar["P.y"][20], abs=1e-9)


def test_a_film_in_space(chain, tmp_path):
    """The camera frames the motion: every body stays inside the picture, and moves."""
    film = Film(chain, FilmSettings(fps=10, size=SMALL, charts=("energy.kinetic",), view=(20.0, 30.0)))
    for name in ("upper", "left", "right"):
        path = film.stage.pixels(film.poses[name][:, :3])
        box = film.stage.axes.get_window_extent()
        assert np.all((path > [box.x0, box.y0]) & (path < [box.x1, box.y1]))
    pictures = [np.array(film.frame(number)) for number in (0, 5, 10)]
    assert all(np.any(a != b) for a, b in zip(pictures[1:], pictures[:-1], strict=True))
    told = chain.animate(tmp_path / "chain.mp4", fps=10, size=SMALL)
    assert told["frames"] == len(frames_of(tmp_path / "chain.mp4")[0]) == 11


class Sheet:
    """A renderer that keeps where pictures are put: x, y, width, height, opacity."""

    def __init__(self):
        self.put = []

    def new_gc(self):
        return GraphicsContextBase()

    def draw_image(self, context, x, y, pixels):
        self.put.append((x, y, pixels.shape[1], pixels.shape[0], context.get_alpha()))


def test_the_digits_of_the_clock_keep_their_places():
    """Whatever the digits: each stands on the same line, in the middle of its own cell, and "t =" does not move."""
    clock = Clock(80.0, np.array([400.0, 200.0]), "s", len("10.25"))
    sheets = []
    for text in ("0.00", "1.11", "4.75", "10.25"):
        sheet = Sheet()
        clock.put(sheet, text)
        sheets.append(sheet.put)
    for put in sheets:
        assert {y for _, y, *_ in put} == {sheets[0][0][1]}
        assert put[-1][:4] == sheets[0][-1][:4]  # "t ="
        for one, other in zip(put[:5], sheets[0][:5], strict=True):
            assert one[0] + one[2] / 2 == pytest.approx(other[0] + other[2] / 2, abs=1)


@pytest.mark.parametrize("name", ["jansen_leg", "peaucellier"])
def test_names_in_films_do_not_collide(name):
    """In no frame do two names overlap, and nearly always every name is there."""
    run = mubo.load(EXAMPLES / f"{name}.toml").kinematics()
    film = Film(run, FilmSettings(fps=20, size=(800, 450)))
    count = 0
    for number in range(len(film)):
        sheet = Sheet()
        pose = {body: rows[number] for body, rows in film.poses.items()}
        put_names(sheet, film.stage, film.names, pose, number / film.apart)
        boxes = np.array([(x, y, x + w, y + h) for x, y, w, h, _ in sheet.put])
        assert np.all(overlaps(boxes - [0, 0, 1, 1], boxes) == 1)  # itself; a pixel for rounding
        count += len(boxes)
    assert count > 0.9 * len(film) * len(film.names)


def test_the_way_through_the_modes_of_a_name_is_the_cheapest():
    """By trying all ways."""
    rng = np.random.default_rng(5)
    for _ in range(30):
        cost, change = rng.integers(0, 9, (5, 3)).astype(float), float(rng.integers(1, 6))

        def total(way, cost=cost, change=change):
            changes = sum(a != b for a, b in itertools.pairwise(way))
            return sum(cost[k, mode] for k, mode in enumerate(way)) + change * changes

        best = min(map(total, itertools.product(range(3), repeat=5)))
        assert total(cheapest_path(cost, change)) == best


def test_text_of_a_gif_is_legible():
    """10 points are 11 pixels and more in a GIF of the usual size, and down to 400 × 240."""
    for size in (GIF_SIZE, (400, 240), (640, 360)):
        assert 10 / 72 * dots_per_inch(size) >= 11


def test_a_motion_that_does_not_close_keeps_its_last_frame(four_bar, tmp_path):
    half = mubo.load(FOUR_BAR).kinematics(0, 0.5, 0.025)
    assert half.animate(tmp_path / "a.gif", fps=10, size=(240, 180))["frames"] == 6
    assert four_bar.animate(tmp_path / "b.gif", fps=10, size=(240, 180))["frames"] == 10


def test_gaps_and_stops_are_filmed(four_bar, tmp_path):
    columns = {name: four_bar.columns.raw(name).copy() for name in four_bar.columns}
    columns["coupler.x"][10:20] = np.nan
    film = Film(replace(four_bar, columns=four_bar.columns.replaced(columns)), FilmSettings(fps=20, size=SMALL))
    for number in range(len(film)):
        film.frame(number)


def test_speed_and_units_of_time(four_bar):
    slow = Film(four_bar, FilmSettings(fps=10, speed=0.25, size=SMALL))
    assert len(slow) == 41
    units = mubo.Model("x", units={"time": "ms", "length": "m"}).units
    columns = four_bar.columns
    in_ms = replace(four_bar, columns=Columns(units, ((c, columns.raw(c.name)) for c in columns.schema)))
    assert len(Film(in_ms, FilmSettings(fps=10, speed=0.001, size=SMALL))) == 11


def test_missing_encoder_says_how_to_install_it(four_bar, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(mubo.MuboError, match=r"pip install 'mubo\[video\]'"):
        four_bar.animate(tmp_path / "film.mp4")
    assert not list(tmp_path.iterdir())
    inline = four_bar.animate(fps=5, size=(160, 120))
    assert inline.kind == "gif"
    assert inline.data.startswith(b"GIF8")


def test_without_an_encoder_the_default_film_is_a_gif_and_that_is_stated(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(cli, ["animate", str(FOUR_BAR), "--fps", "4", "--size", "160x120"])
    assert done.exit_code == 0, done.output
    assert [path.name for path in tmp_path.iterdir()] == ["four_bar.gif"]
    assert "no encoder for MP4 is installed (pip install 'mubo[video]'): the film is a GIF" in done.output
    assert "four_bar.gif: " in done.output


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("a.avi", {}, "ending"),
        ("a.mp4", {"size": (481, 360)}, "even"),
        ("a.mp4", {"size": (20, 20)}, "64 to 4096"),
        ("a.mp4", {"fps": 0}, "240 frames"),
        ("a.mp4", {"speed": -1}, "positive"),
        ("a.mp4", {"speed": float("nan")}, "positive"),
        ("a.mp4", {"speed": 1e-7}, "frames"),
        ("a.gif", {"fps": 60}, "up to 50"),
        ("a.mp4", {"charts": ("P.vxx",)}, 'Did you mean "P.vx"'),
        ("nowhere/a.gif", {"size": (160, 120), "fps": 2}, "cannot write"),
    ],
)
def test_what_cannot_be_filmed_is_told(four_bar, tmp_path, name, options, words):
    with pytest.raises(mubo.MuboError, match=words):
        four_bar.animate(tmp_path / name, **options)
    assert not list(tmp_path.iterdir())


def test_one_row_is_no_film(tmp_path):
    with pytest.raises(mubo.MuboError, match="two rows"):
        mubo.load(FOUR_BAR).kinematics(0, 0, 0.1).animate(tmp_path / "a.gif")


def test_inline_films_hold_no_address(four_bar):
    film = four_bar.animate(fps=5, size=(160, 120))
    page = film._repr_html_()
    assert film.kind == "mp4"
    assert page.startswith("<video")
    assert "://" not in page  # of base64 no colon is part
    assert "6 frames" in repr(film)


def test_command_line(command, tmp_path):
    done = command("animate", FOUR_BAR, "-o", "a.mp4", "--fps", "10", "--size", "320x240", "--charts", "P.y,P.vy")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "a.mp4: 11 frames, 1.1 s at 10 per second, real time\n"
    assert len(frames_of(tmp_path / "a.mp4")[0]) == 11
    done = command("animate", CHAIN, "-o", "b.gif", "--end", "0.3", "--fps", "5", "--size", "320x240", "--no-trace")
    assert done.returncode == 0, done.stderr
    assert command("animate", FOUR_BAR, "--size", "big").returncode == 2
    assert "1280x720" in command("animate", "--help").stdout
    assert json.dumps(sorted(p.name for p in tmp_path.iterdir())) == '["a.mp4", "b.gif"]'


def test_a_film_has_no_empty_half(four_bar, tmp_path):
    """Without a size it is as wide as the mechanism needs; beside charts the mechanism gets the width that it needs."""
    wide, high = four_bar.animate(tmp_path / "a.gif", fps=2)["size"]
    assert high == GIF_SIZE[1]
    assert wide < 0.75 * GIF_SIZE[0]
    drawn = fitted_size(scene_of(four_bar), GIF_SIZE, None)
    assert drawn == (wide, high)
    film = Film(four_bar, FilmSettings(fps=2, size=(800, 450), charts=("P.y",)))
    place, chart = (axes.get_window_extent() for axes in film.figure.axes[:2])
    assert 0.8 < place.width / place.height < 1.35
    assert chart.width > 0.3 * 800
