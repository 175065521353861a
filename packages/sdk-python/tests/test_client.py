"""The client against a backend: `CHEST_REMOTE_URL` and `CHEST_API_TOKEN` name it."""

from __future__ import annotations

import asyncio
import os
import unittest

import httpx

from chest_memory import AsyncChest, Chest, ChestError, models


class WithoutAsyncio(unittest.TestCase):
    def setUp(self) -> None:
        self.chest = Chest(project="example.org/acme/py")
        self.addCleanup(self.chest.close)

    def test_remembers_and_recalls(self) -> None:
        made = self.chest.remember("The python worker restarts at four in the morning.", tags=["ops"])
        found = self.chest.recall("when does the python worker restart?", limit=1)

        self.assertEqual([memory["id"] for memory in found["memories"]], [made["memory_id"]])
        self.assertEqual(self.chest.recall(tags=["ops"])["memories"][0]["id"], made["memory_id"])

    def test_changes_and_forgets(self) -> None:
        made = self.chest.remember("The gearbox oil is changed in May.")
        identity = made["memory_id"]
        self.chest.update(identity, content="The gearbox oil is changed in June.")
        self.assertIn("June", self.chest.recall(ids=[identity])["memories"][0]["content"])
        self.chest.forget(memory_id=identity)
        self.assertEqual(self.chest.recall("gearbox oil")["memories"], [])

    def test_calls_any_route(self) -> None:
        answer: models.GetStatsResponse = self.chest.request("GET", "/stats")
        self.assertTrue(answer["stats"])
        self.assertEqual(self.chest.inspect("recent", limit=1)["view"], "recent")

    def test_names_what_is_wrong(self) -> None:
        with self.assertRaises(ChestError) as refused:
            self.chest.remember("")
        self.assertEqual((refused.exception.code, refused.exception.status), ("VALIDATION_ERROR", 400))
        self.assertIn("content", str(refused.exception))
        with Chest(token="wrong" * 8) as stranger, self.assertRaises(ChestError) as unknown:
            stranger.recall("anything")
        self.assertEqual(unknown.exception.code, "UNAUTHORIZED")

    def test_says_that_nothing_answers(self) -> None:
        with Chest("http://127.0.0.1:9") as nowhere, self.assertRaises(ChestError) as silent:
            nowhere.recall("anything")
        self.assertEqual(silent.exception.code, "BACKEND_UNREACHABLE")

        html = httpx.MockTransport(lambda _: httpx.Response(502, text="<h1>Bad gateway</h1>"))
        with Chest(transport=html) as proxy, self.assertRaises(ChestError) as foreign:
            proxy.recall("anything")
        self.assertEqual((foreign.exception.code, foreign.exception.status), ("BACKEND_PROTOCOL_ERROR", 502))

    def test_keeps_a_prefix_and_gives_each_write_a_key(self) -> None:
        seen: list[httpx.Request] = []

        def note(request: httpx.Request) -> httpx.Response:
            seen.append(request)
            return httpx.Response(200, json={"ok": True, "result": {}})

        with Chest("https://host/prefix/", "t", project="örg/a b", transport=httpx.MockTransport(note)) as chest:
            chest.remember("one")
            chest.remember("two")
        self.assertEqual(str(seen[0].url), "https://host/prefix/api/tools/chest_remember")
        self.assertEqual(seen[0].headers["x-chest-project"], "%C3%B6rg%2Fa%20b")
        self.assertEqual(len({request.headers["idempotency-key"] for request in seen}), 2)


class WithAsyncio(unittest.IsolatedAsyncioTestCase):
    async def test_remembers_at_once_and_recalls(self) -> None:
        async with AsyncChest(os.environ["CHEST_REMOTE_URL"], os.environ["CHEST_API_TOKEN"]) as chest:
            facts = ("Otters sleep hand in hand.", "The kettle is descaled on Fridays.")
            made = await asyncio.gather(*(chest.remember(fact, visibility="team") for fact in facts))
            found = await chest.recall("when is the kettle descaled?", limit=1)
            self.assertEqual(found["memories"][0]["id"], made[1]["memory_id"])
            with self.assertRaises(ChestError):
                await chest.recall(ids=[])


if __name__ == "__main__":
    unittest.main()
