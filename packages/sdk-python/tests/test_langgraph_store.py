"""The example for LangGraph against a backend."""

from __future__ import annotations

import sys
import unittest
from datetime import datetime, timezone
from pathlib import Path

from chest_memory import AsyncChest, Chest

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))

from langgraph_store import ChestStore  # noqa: E402

ALICE = ("users", "alice")


class Store(unittest.IsolatedAsyncioTestCase):
    def setUp(self) -> None:
        self.chest = Chest(project="example.org/acme/graph")
        self.addCleanup(self.chest.close)
        self.store = ChestStore(self.chest, AsyncChest(project="example.org/acme/graph"))

    def test_keeps_what_a_graph_stores(self) -> None:
        self.store.put(ALICE, "tea", {"text": "likes green tea", "strong": True})
        self.store.put(ALICE, "tea", {"text": "likes black tea", "strong": True})
        self.store.put(ALICE, "bike", {"text": "rides a red bicycle", "strong": False})
        self.store.put(("users", "bob"), "tea", {"text": "likes black tea", "strong": True})

        item = self.store.get(ALICE, "tea")
        assert item is not None
        self.assertEqual((item.namespace, item.key, item.value), (ALICE, "tea", {"text": "likes black tea", "strong": True}))
        self.assertEqual(item.created_at.date(), datetime.now(timezone.utc).date())
        self.assertIsNone(self.store.get(ALICE, "nothing"))
        self.assertEqual({found.key for found in self.store.search(ALICE)}, {"tea", "bike"})
        self.assertEqual(len(self.store.search(("users",))), 3)
        tea = self.store.search(("users",), query="who likes black tea?")
        self.assertEqual({found.namespace for found in tea if found.key == "tea"}, {ALICE, ("users", "bob")})
        self.assertEqual([found.key for found in self.store.search(ALICE, query="which bicycle does she ride?")], ["bike"])
        self.assertEqual([found.key for found in self.store.search(ALICE, filter={"strong": False})], ["bike"])
        self.assertEqual(self.store.list_namespaces(prefix=("users",)), [ALICE, ("users", "bob")])
        self.assertEqual(self.store.list_namespaces(max_depth=1), [("users",)])

        self.store.delete(ALICE, "bike")
        self.assertIsNone(self.store.get(ALICE, "bike"))
        self.assertEqual([found.key for found in self.store.search(ALICE)], ["tea"])

    def test_lists_more_than_one_page(self) -> None:
        for number in range(205):
            self.store.put(("many",), str(number), {"text": f"card {number} lies in drawer {number * 7}"})
        self.assertEqual(len(self.store.search(("many",), limit=500)), 205)
        self.assertEqual(len(self.store.search(("many",), limit=10, offset=200)), 5)

    async def test_works_with_asyncio(self) -> None:
        await self.store.aput(("plans",), "one", {"text": "visit the lighthouse"})
        found = await self.store.asearch(("plans",), query="lighthouse")
        self.assertEqual([item.value for item in found], [{"text": "visit the lighthouse"}])


if __name__ == "__main__":
    unittest.main()
