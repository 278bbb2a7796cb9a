"""The transport of the studio: an HTTP server on the loopback interface with one WebSocket a window.

`guard` refuses strangers, `windows` answers.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from importlib.resources import files
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from mubo.errors import MuboError
from mubo.studio.exports import EXPORTS, export_file, page_text, thumbnail_data
from mubo.studio.folder import Folder
from mubo.studio.guard import HEADERS, Guard, refuse
from mubo.studio.protocol import MOST_BYTES, Refused
from mubo.studio.windows import Client, Windows, run_in_thread

ASSETS = {"studio.js": "text/javascript", "studio.css": "text/css"}
MOST_CLIENTS = 200


class Server:
    """The studio of one folder."""

    def __init__(self, folder: Folder, port: int, first: str = "") -> None:
        self.folder, self.port = folder, port
        self.windows = Windows(folder, first)
        self.token = secrets.token_urlsafe(24)
        self._gallery = ThreadPoolExecutor(1, "studio-gallery")
        self._thumbnails: dict[str, str] = {}
        inner = Starlette(
            routes=[
                Route("/{token}/", self._page),
                Route("/{token}/assets/{name}", self._asset),
                Route("/{token}/thumbnail/{name}", self._thumbnail),
                Route("/{token}/export/{name}", self._export),
                WebSocketRoute("/{token}/socket", self._socket),
            ],
            lifespan=self._lifespan,
        )
        self.app: Callable[..., Awaitable[None]] = Guard(inner, port, self.token)

    @property
    def address(self) -> str:
        """The address of the page, with the token."""
        return f"http://127.0.0.1:{self.port}/{self.token}/"

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> Any:
        watch = asyncio.create_task(self.windows.watch())
        yield
        watch.cancel()
        self.windows.close()
        self._gallery.shutdown(wait=False, cancel_futures=True)

    # --- pages -----------------------------------------------------------------------------------------------------

    async def _page(self, request: Request) -> Response:
        return Response(page_text(), media_type="text/html", headers=HEADERS)

    async def _asset(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in ASSETS:
            return refuse(404)
        try:
            data = (files("mubo.view.report") / "assets" / name).read_bytes()
        except FileNotFoundError:
            return PlainTextResponse("the script of the studio was not built when mubo was installed", 500)
        return Response(data, media_type=ASSETS[name], headers=HEADERS)

    async def _thumbnail(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in self.folder.examples:
            return refuse(404)
        if name not in self._thumbnails:
            path = self.folder.examples[name].path
            self._thumbnails[name] = await run_in_thread(self._gallery, thumbnail_data, path)
        return Response(self._thumbnails[name], media_type="application/json", headers=HEADERS)

    async def _export(self, request: Request) -> Response:
        """A file of an open model: its report, or its table."""
        name, kind = request.path_params["name"], request.query_params.get("kind", "")
        if kind not in EXPORTS:
            return refuse(404)
        try:
            session = self.folder.open(name)
            pool = self._gallery if kind == "mp4" else self.windows.solver  # a film takes long, and the hand goes on
            data = await run_in_thread(pool, export_file, session, kind)
        except (MuboError, Refused) as error:
            return PlainTextResponse(str(error), 409, headers=HEADERS)
        target = f"{Path(name).stem}{EXPORTS[kind]}"
        return Response(data, headers={**HEADERS, "Content-Disposition": f'attachment; filename="{target}"'})

    # --- windows ---------------------------------------------------------------------------------------------------

    async def _socket(self, socket: WebSocket) -> None:
        if len(self.windows.clients) >= MOST_CLIENTS:
            await socket.close(1013)
            return
        await socket.accept()

        async def send(text: str) -> None:
            with suppress(RuntimeError, WebSocketDisconnect):  # a window that was closed meanwhile
                await socket.send_text(text)

        client = Client(send)
        try:
            await self.windows.enter(client)
            while True:
                await self.windows.receive(client, await socket.receive_text())
        except (WebSocketDisconnect, RuntimeError, KeyError):
            pass  # the window was closed, or sent bytes where text is due
        finally:
            self.windows.clients.discard(client)


def bound_socket(port: int) -> socket.socket:
    """A socket on the loopback interface; port 0 takes a free one."""
    # the protocol is named, for only then does asyncio send small messages without delay
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind(("127.0.0.1", port))
    except OSError as error:
        bound.close()
        raise MuboError(
            f"cannot listen on port {port}: {error.strerror}", suggestion="Leave --port out: a free one is taken."
        ) from None
    return bound


def serve(folder: Folder, port: int, first: str, ready: Callable[[str], None]) -> None:
    """Serves a folder until interrupted; `ready` is called with the address once it listens."""
    bound = bound_socket(port)
    server = Server(folder, bound.getsockname()[1], first)
    config = uvicorn.Config(
        server.app,
        log_level="error",
        ws="websockets-sansio",
        ws_max_size=MOST_BYTES,
        ws_per_message_deflate=False,
        lifespan="on",
        timeout_graceful_shutdown=1,
        server_header=False,
    )
    runner = uvicorn.Server(config)

    async def run() -> None:
        task = asyncio.create_task(runner.serve(sockets=[bound]))
        while not runner.started and not task.done():
            await asyncio.sleep(0.01)
        if runner.started:
            ready(server.address)
        await task

    sys.setswitchinterval(0.001)  # seconds: a hand does not wait long for a solution that runs beside it
    asyncio.run(run())
