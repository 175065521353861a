"""Requests and answers as they cross the wire: the same for both clients."""

from __future__ import annotations

import os
import uuid
from typing import Any, Mapping
from urllib.parse import quote

import httpx

from .errors import ChestError

DEFAULT_URL = "http://127.0.0.1:8765"

Query = Mapping[str, Any]


def settings(url: str | None, token: str | None, project: str | None, timeout: float) -> dict[str, Any]:
    """Settings of a client: what is not given comes from the environment that all of Chest reads."""
    address = url or os.environ.get("CHEST_REMOTE_URL") or DEFAULT_URL
    secret = token or os.environ.get("CHEST_API_TOKEN")
    headers = {"accept": "application/json"}
    if secret:
        headers["authorization"] = f"Bearer {secret}"
    if project:
        headers["x-chest-project"] = quote(project, safe="")
    return {"base_url": address.rstrip("/") + "/", "headers": headers, "timeout": timeout}


def request(method: str, path: str, body: Any, query: Query | None) -> dict[str, Any]:
    """Arguments of one request. A write carries a key, so that a repeat of it is done once."""
    # Relative, so that the prefix of a proxy stays.
    arguments: dict[str, Any] = {"method": method, "url": path.lstrip("/"), "params": query}
    if body is not None:
        arguments["json"] = body
    if method not in ("GET", "HEAD"):
        arguments["headers"] = {"idempotency-key": str(uuid.uuid4())}
    return arguments


def given(**arguments: Any) -> dict[str, Any]:
    """The arguments that have a value."""
    return {name: value for name, value in arguments.items() if value is not None}


def answer(response: httpx.Response) -> Any:
    """The JSON of an answer, or the error in it."""
    try:
        body = response.json()
    except ValueError:
        body = None
    if response.is_success and body is not None:
        return body
    error = body.get("error") if isinstance(body, dict) else None
    if not isinstance(error, dict):
        raise ChestError(
            "BACKEND_PROTOCOL_ERROR",
            f"status {response.status_code} without an answer of a Chest backend",
            hint="look at the address and at the proxy before it",
            status=response.status_code,
        )
    raise ChestError(
        str(error.get("code")),
        str(error.get("message")),
        hint=error.get("hint"),
        status=response.status_code,
        details=error.get("details"),
    )


def unreachable(error: httpx.TransportError) -> ChestError:
    """Error for a backend that does not answer."""
    return ChestError(
        "BACKEND_UNREACHABLE",
        f"no answer from the backend: {type(error).__name__}",
        hint="is it running, and is the address right?",
    )
