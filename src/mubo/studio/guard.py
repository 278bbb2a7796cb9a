"""The guard of the server: requests without the token, with another Host or a foreign Origin are refused before they
are read, which also stops a page that was rebound to this address by DNS."""

from __future__ import annotations

import hmac
from typing import Any

from starlette.responses import PlainTextResponse, Response

HOSTS = ("127.0.0.1", "localhost")
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Guard:
    """Refuses every request that does not come from the page: another Host, Origin, method or token."""

    def __init__(self, inner: Any, port: int, token: str) -> None:
        self.inner, self.port, self.token = inner, port, token

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan" or self._allowed(scope):
            await self.inner(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            await refuse(403)(scope, receive, send)

    def _allowed(self, scope: Any) -> bool:
        headers = scope["headers"]
        hosts = [value.decode("latin-1") for key, value in headers if key == b"host"]
        origins = [value.decode("latin-1") for key, value in headers if key == b"origin"]
        known = {f"{host}:{self.port}" for host in HOSTS}
        token = scope["path"].split("/")[1] if scope["path"].startswith("/") else ""
        if len(hosts) != 1 or hosts[0] not in known or not hmac.compare_digest(token.encode(), self.token.encode()):
            return False
        if scope["type"] == "websocket":
            return origins == [f"http://{hosts[0]}"]
        return scope["method"] in ("GET", "HEAD") and (not origins or origins == [f"http://{hosts[0]}"])


def refuse(status: int) -> Response:
    words = {403: "refused: open the address that `mubo studio` printed", 404: "there is nothing at this address"}
    return PlainTextResponse(words[status], status, headers=HEADERS)
