import type { RunListener } from "@chest/core/lifecycle";
import { type Embedder, noEmbedder } from "@chest/core/ports";
import { expect, it } from "vitest";
import { NO_EMBEDDING } from "../embedding.ts";
import { openApp } from "../testing/app.ts";
import { AUTHORIZATION } from "../testing/token.ts";
import { type QuestionListener, timedEmbedders } from "./timed-embedders.ts";

const ALL_SCOPES = { CHEST_API_TOKEN_SCOPES: "read,write,operate" };

it("counts runs of maintenance and what its passes changed, from the first scrape on", async () => {
  let run: RunListener | undefined;
  const maintenance = {
    onRun(listener: RunListener) {
      run = listener;
    },
  };
  const { app } = await openApp(ALL_SCOPES, { maintenance });
  const scrape = async () => (await app.inject({ url: "/metrics", headers: AUTHORIZATION })).body;
  const before = await scrape();
  expect(before).toContain('chest_maintenance_runs_total{outcome="failed"} 0');
  expect(before).toContain("chest_maintenance_run_timestamp_seconds 0");

  run?.("done", [{ name: "expiry", scanned: 9, changed: 2, seconds: 0.5 }]);
  run?.("failed", []);
  const after = await scrape();
  expect(after).toContain('chest_maintenance_runs_total{outcome="done"} 1');
  expect(after).toContain('chest_maintenance_runs_total{outcome="failed"} 1');
  expect(after).toContain('chest_maintenance_changed_total{pass="expiry"} 2');
  expect(after).toContain('chest_maintenance_seconds_total{pass="expiry"} 0.5');
  expect(after).toMatch(/^chest_maintenance_run_timestamp_seconds [1-9]/m);
});

it("counts how queries were embedded, and those that were late", async () => {
  let note: QuestionListener | undefined;
  const embedding = {
    ...NO_EMBEDDING,
    onQuestion(listener: QuestionListener) {
      note = listener;
    },
  };
  const { app } = await openApp(ALL_SCOPES, { embedding });
  const answers: Record<string, () => Promise<Float32Array | undefined>> = {
    ok: async () => Float32Array.of(1),
    none: async () => undefined,
    broken: () => Promise.reject(new Error("no")),
  };
  const embedder: Embedder = { ...noEmbedder, embedQuery: (text) => (answers[text] as () => Promise<undefined>)() };
  const timed = timedEmbedders(
    () => embedder,
    (...question) => note?.(...question),
  )({ model: "m", revision: "r", dimensions: 1, pooling: "mean" });

  expect(await timed.embedQuery("ok", new AbortController().signal)).toEqual(Float32Array.of(1));
  await timed.embedQuery("none", AbortSignal.abort());
  await expect(timed.embedQuery("broken", new AbortController().signal)).rejects.toThrow("no");

  const text = (await app.inject({ url: "/metrics", headers: AUTHORIZATION })).body;
  for (const outcome of ["ok", "late", "failed"])
    expect(text).toContain(`chest_searches_total{leg="query_embedding",outcome="${outcome}"} 1`);
});
