"""The one error of the client."""

from __future__ import annotations

from typing import Any


class ChestError(Exception):
    """A backend refused a request, or did not answer.

    `code` is a word such as `NOT_FOUND`; `hint` says how to mend it, where the backend knows.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        hint: str | None = None,
        status: int | None = None,
        details: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(f"{code}: {message}" if hint is None else f"{code}: {message} ({hint})")
        self.code = code
        self.message = message
        self.hint = hint
        self.status = status
        self.details = details or {}
