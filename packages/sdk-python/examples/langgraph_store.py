"""LangGraph's long-term memory, kept in Chest: what one graph stores, every agent of the team finds.

    from langgraph_store import ChestStore

    graph = builder.compile(store=ChestStore(Chest("http://127.0.0.1:8765", token), AsyncChest("http://127.0.0.1:8765", token)))
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Coroutine, Generator, Iterable
from datetime import datetime, timezone
from typing import Any

from chest_memory import AsyncChest, Chest
from langgraph.store.base import (
    BaseStore,
    GetOp,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
)

ALL = "langgraph"
PAGE = 200

Call = tuple[str, str, dict[str, Any] | None, dict[str, Any] | None]
"""Method, path, body and query of a request."""

Memory = dict[str, Any]

Steps = Generator[Call, dict[str, Any], Result]
"""An operation: the calls that it makes, and its result. It is the same with and without asyncio."""


class ChestStore(BaseStore):
    """Each item is a memory whose text is the item as JSON, so that words in its value find it."""

    def __init__(self, chest: Chest, async_chest: AsyncChest | None = None) -> None:
        self._chest = chest
        self._async = async_chest

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        return [self._run(steps_of(op)) for op in ops]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return [await self._arun(steps_of(op)) for op in ops]

    def _run(self, steps: Steps) -> Result:
        try:
            call = next(steps)
            while True:
                call = steps.send(self._chest.request(*call))
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]

    async def _arun(self, steps: Steps) -> Result:
        if self._async is None:
            raise ValueError("ChestStore has no AsyncChest: give one to use it with asyncio")
        try:
            call = next(steps)
            while True:
                call = steps.send(await self._async.request(*call))
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


def steps_of(op: Op) -> Steps:
    if isinstance(op, GetOp):
        return get(op)
    if isinstance(op, PutOp):
        return put(op)
    if isinstance(op, SearchOp):
        return search(op)
    return namespaces(op)


def get(op: GetOp) -> Steps:
    memory = yield from one(op.namespace, op.key)
    return None if memory is None else item_of(memory)


def put(op: PutOp) -> Steps:
    if op.value is None:
        memory = yield from one(op.namespace, op.key)
        if memory is not None:
            yield tool("chest_forget", {"memory_id": memory["id"]})
        return None
    text = {"namespace": list(op.namespace), "key": op.key, "value": dict(op.value)}
    above = [tag_of("in", op.namespace[:depth]) for depth in range(1, len(op.namespace) + 1)]
    tag = tag_of("item", [*op.namespace, op.key])
    memory = {"content": json.dumps(text, ensure_ascii=False), "layer": "learning", "tags": [ALL, tag, *above]}
    # The same name again replaces the text.
    yield tool("chest_remember", {**memory, "name": tag, "force": True})
    return None


def search(op: SearchOp) -> Steps:
    tags = [ALL, *([tag_of("in", op.namespace_prefix)] if op.namespace_prefix else [])]
    memories = yield from (recalled(op.query, tags) if op.query else listed(tags))
    items = [item_of(memory) for memory in memories]
    matching = [item for item in items if fits(item.value, op.filter or {})]
    return matching[op.offset : op.offset + op.limit]


def namespaces(op: ListNamespacesOp) -> Steps:
    memories = yield from listed([ALL])
    found = {item_of(memory).namespace for memory in memories}
    matching = {each[: op.max_depth] for each in found if all(meets(each, one) for one in op.match_conditions or ())}
    return sorted(matching)[op.offset : op.offset + op.limit]


def tool(name: str, arguments: dict[str, Any]) -> Call:
    return ("POST", f"api/tools/{name}", arguments, None)


def one(namespace: tuple[str, ...], key: str) -> Generator[Call, dict[str, Any], Memory | None]:
    memories = yield from listed([tag_of("item", [*namespace, key])])
    return memories[0] if memories else None


def listed(tags: list[str]) -> Generator[Call, dict[str, Any], list[Memory]]:
    """All memories with these tags, the newest first."""
    memories: list[Memory] = []
    query: dict[str, Any] = {"tags": ",".join(tags), "limit": PAGE}
    while True:
        page = yield ("GET", "api/memories", None, query)
        for memory in page["memories"]:
            if memory.get("content_truncated"):
                memory = (yield ("GET", f"api/memories/{memory['id']}", None, None))["memory"]
            memories.append(memory)
        if "next_cursor" not in page:
            return memories
        query = {**query, "cursor": page["next_cursor"]}


def recalled(words: str, tags: list[str]) -> Generator[Call, dict[str, Any], list[Memory]]:
    """Memories that answer the words, the best first."""
    asked = {"query": words, "tags": tags, "limit": PAGE, "max_tokens": 6000, "mark_accessed": False}
    found = (yield tool("chest_recall", asked))["result"]["memories"]
    # One of several that say nearly the same stands for the others, which it names.
    others = [identity for memory in found for identity in memory.get("near_duplicates", [])]
    if others:
        whole = (yield tool("chest_recall", {"ids": others[:PAGE], "mark_accessed": False}))["result"]["memories"]
        found += [memory for memory in whole if set(tags) <= set(memory["tags"])]
    return found  # type: ignore[no-any-return]


def tag_of(kind: str, path: Iterable[str]) -> str:
    """A tag for a path of any length and any characters."""
    digest = hashlib.sha256("\0".join(path).encode()).hexdigest()[:32]
    return f"{ALL}-{kind}-{digest}"


def item_of(memory: Memory) -> SearchItem:
    item = json.loads(memory["content"])
    made = datetime.fromtimestamp(memory["created_at"], timezone.utc)
    changed = datetime.fromtimestamp(memory.get("updated_at") or memory["created_at"], timezone.utc)
    return SearchItem(tuple(item["namespace"]), item["key"], item["value"], made, changed, memory.get("composite"))


def fits(value: dict[str, Any], wanted: dict[str, Any]) -> bool:
    return all(value.get(key) == each for key, each in wanted.items())


def meets(namespace: tuple[str, ...], condition: MatchCondition) -> bool:
    path = tuple(condition.path)
    if len(path) > len(namespace):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(wanted in ("*", given) for wanted, given in zip(path, part))
