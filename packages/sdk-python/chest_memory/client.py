"""Clients of a Chest backend."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self, Unpack, cast

import httpx

from . import models, wire


class Chest:
    """A backend, spoken to without asyncio.

    Without `url` and `token` it takes `CHEST_REMOTE_URL` and `CHEST_API_TOKEN` of the environment. `project` is the key of
    the project to work in, like `host/org/repo`.
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        project: str | None = None,
        timeout: float = 30.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._http = httpx.Client(transport=transport, **wire.settings(url, token, project, timeout))

    def remember(self, content: str, **options: Unpack[models.RememberOptions]) -> models.RememberResult:
        """Remembers something; `content` alone is enough."""
        return cast(models.RememberResult, self.tool("chest_remember", {"content": content, **options}))

    def recall(self, query: str | None = None, **options: Unpack[models.RecallOptions]) -> models.RecallResult:
        """Finds memories by words or a question, or by `ids`, `tags`, `entity_name`."""
        return cast(models.RecallResult, self.tool("chest_recall", {**wire.given(query=query), **options}))

    def recall_file(self, path_substring: str, **options: Unpack[models.RecallFileOptions]) -> models.RecallFileResult:
        """Tells what is known about a file."""
        return cast(models.RecallFileResult, self.tool("chest_recall_file", {"path_substring": path_substring, **options}))

    def update(self, memory_id: int, **options: Unpack[models.UpdateMemoryOptions]) -> models.UpdateMemoryResult:
        """Changes a memory."""
        return cast(models.UpdateMemoryResult, self.tool("chest_update_memory", {"memory_id": memory_id, **options}))

    def forget(self, **options: Unpack[models.ForgetRequest]) -> models.ForgetResult:
        """Archives memories: `memory_id`, `ids`, or a `query` with `dry_run` first."""
        return cast(models.ForgetResult, self.tool("chest_forget", options))

    def entities(self, **options: Unpack[models.ListEntitiesRequest]) -> models.ListEntitiesResult:
        """Lists the entities that memories are about."""
        return cast(models.ListEntitiesResult, self.tool("chest_list_entities", options))

    def inspect(self, view: models.View, **options: Unpack[models.InspectOptions]) -> models.InspectResult:
        """Shows one of the views of the store."""
        return cast(models.InspectResult, self.tool("chest_inspect", {"view": view, **options}))

    def context(self, **options: Unpack[models.ContextRequest]) -> models.ContextResult:
        """Gathers what to know before a `task`."""
        return cast(models.ContextResult, self.tool("chest_context", options))

    def verify(self, **options: Unpack[models.VerifyRequest]) -> models.VerifyResult:
        """Compares memories with the files that they came from."""
        return cast(models.VerifyResult, self.tool("chest_verify", options))

    def work(self, **options: Unpack[models.WorkRequest]) -> models.WorkResult:
        """Lists, adds, closes and drops work items."""
        return cast(models.WorkResult, self.tool("chest_work", options))

    def conversation(self, **options: Unpack[models.ConversationRequest]) -> models.ConversationResult:
        """Captures a conversation, or recalls what fits to it."""
        return cast(models.ConversationResult, self.tool("chest_conversation", options))

    def consolidate(self, **options: Unpack[models.ConsolidateRequest]) -> models.ConsolidateResult:
        """Merges memories, or shows which would be merged."""
        return cast(models.ConsolidateResult, self.tool("chest_consolidate", options))

    def tool(self, name: str, arguments: Any) -> Any:
        """Calls a tool by its name and gives its result."""
        return (self.request("POST", f"api/tools/{name}", arguments))["result"]

    def request(self, method: str, path: str, body: Any = None, query: wire.Query | None = None) -> Any:
        """Calls any route of the backend; `chest_memory.models` has the types of its answer."""
        try:
            return wire.answer(self._http.request(**wire.request(method, path, body, query)))
        except httpx.TransportError as error:
            raise wire.unreachable(error) from error

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class AsyncChest:
    """A backend, spoken to with asyncio.

    Without `url` and `token` it takes `CHEST_REMOTE_URL` and `CHEST_API_TOKEN` of the environment. `project` is the key of
    the project to work in, like `host/org/repo`.
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        project: str | None = None,
        timeout: float = 30.0,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._http = httpx.AsyncClient(transport=transport, **wire.settings(url, token, project, timeout))

    async def remember(self, content: str, **options: Unpack[models.RememberOptions]) -> models.RememberResult:
        """Remembers something; `content` alone is enough."""
        return cast(models.RememberResult, await self.tool("chest_remember", {"content": content, **options}))

    async def recall(self, query: str | None = None, **options: Unpack[models.RecallOptions]) -> models.RecallResult:
        """Finds memories by words or a question, or by `ids`, `tags`, `entity_name`."""
        return cast(models.RecallResult, await self.tool("chest_recall", {**wire.given(query=query), **options}))

    async def recall_file(self, path_substring: str, **options: Unpack[models.RecallFileOptions]) -> models.RecallFileResult:
        """Tells what is known about a file."""
        return cast(models.RecallFileResult, await self.tool("chest_recall_file", {"path_substring": path_substring, **options}))

    async def update(self, memory_id: int, **options: Unpack[models.UpdateMemoryOptions]) -> models.UpdateMemoryResult:
        """Changes a memory."""
        return cast(models.UpdateMemoryResult, await self.tool("chest_update_memory", {"memory_id": memory_id, **options}))

    async def forget(self, **options: Unpack[models.ForgetRequest]) -> models.ForgetResult:
        """Archives memories: `memory_id`, `ids`, or a `query` with `dry_run` first."""
        return cast(models.ForgetResult, await self.tool("chest_forget", options))

    async def entities(self, **options: Unpack[models.ListEntitiesRequest]) -> models.ListEntitiesResult:
        """Lists the entities that memories are about."""
        return cast(models.ListEntitiesResult, await self.tool("chest_list_entities", options))

    async def inspect(self, view: models.View, **options: Unpack[models.InspectOptions]) -> models.InspectResult:
        """Shows one of the views of the store."""
        return cast(models.InspectResult, await self.tool("chest_inspect", {"view": view, **options}))

    async def context(self, **options: Unpack[models.ContextRequest]) -> models.ContextResult:
        """Gathers what to know before a `task`."""
        return cast(models.ContextResult, await self.tool("chest_context", options))

    async def verify(self, **options: Unpack[models.VerifyRequest]) -> models.VerifyResult:
        """Compares memories with the files that they came from."""
        return cast(models.VerifyResult, await self.tool("chest_verify", options))

    async def work(self, **options: Unpack[models.WorkRequest]) -> models.WorkResult:
        """Lists, adds, closes and drops work items."""
        return cast(models.WorkResult, await self.tool("chest_work", options))

    async def conversation(self, **options: Unpack[models.ConversationRequest]) -> models.ConversationResult:
        """Captures a conversation, or recalls what fits to it."""
        return cast(models.ConversationResult, await self.tool("chest_conversation", options))

    async def consolidate(self, **options: Unpack[models.ConsolidateRequest]) -> models.ConsolidateResult:
        """Merges memories, or shows which would be merged."""
        return cast(models.ConsolidateResult, await self.tool("chest_consolidate", options))

    async def tool(self, name: str, arguments: Any) -> Any:
        """Calls a tool by its name and gives its result."""
        return (await self.request("POST", f"api/tools/{name}", arguments))["result"]

    async def request(self, method: str, path: str, body: Any = None, query: wire.Query | None = None) -> Any:
        """Calls any route of the backend; `chest_memory.models` has the types of its answer."""
        try:
            return wire.answer(await self._http.request(**wire.request(method, path, body, query)))
        except httpx.TransportError as error:
            raise wire.unreachable(error) from error

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()
