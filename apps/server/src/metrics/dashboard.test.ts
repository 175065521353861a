import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openSqliteApp, type SqliteApp } from "../testing/sqlite-app.ts";
import { AUTHORIZATION } from "../testing/token.ts";

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
  readonly templating: { readonly list: readonly { readonly query: string }[] };
}

const dashboard = JSON.parse(
  readFileSync(new URL("../../../../deploy/grafana/chest.json", import.meta.url), "utf8"),
) as Dashboard;

vi.setConfig({ hookTimeout: 60_000 });

let backend: SqliteApp;
let text: string;
beforeAll(async () => {
  backend = await openSqliteApp({ CHEST_SEARCH_THREADS: "1" });
  // The limit is off because a machine that runs other tests may stall, and a stalled backend refuses requests.
  const untilDone = (tool: string, input: object) =>
    vi.waitFor(async () => expect(await backend.tool(tool, input)).toMatchObject({ ok: true }), { timeout: 30_000 });
  const fact = { entity_name: "acme", entity_kind: "project", layer: "learning", content: "the eel swims upstream" };
  await untilDone("chest_remember", fact);
  await untilDone("chest_recall", { query: "eel" });
  await backend.get("/api/tools/nothing");
  text = (await backend.app.inject({ url: "/metrics", headers: AUTHORIZATION })).body;
});
afterAll(() => backend.close());

/** Lists every series by name, with its labels. */
const labelsOf = (): Map<string, Set<string>> => {
  const series = new Map<string, Set<string>>();
  for (const [, name = "", labels = ""] of text.matchAll(/^([a-z_]+)(?:\{(.*)\})? \S+$/gm)) {
    const known = series.get(name) ?? new Set();
    for (const [, label = ""] of labels.matchAll(/(\w+)="/g)) known.add(label);
    series.set(name, known);
  }
  return series;
};

describe("the dashboard", () => {
  it.each(dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr])))(
    "asks for what there is: %s",
    (_title, expr = "") => {
      const series = labelsOf();
      const names = [...expr.matchAll(/\b(?:chest|process)_[a-z_]+/g)].map(([name]) => name);
      expect(names.length).toBeGreaterThan(0);
      for (const name of names) expect([...series.keys()]).toContain(name);
      // A panel may group or select only by labels that the series has, and by `job`, which Prometheus adds.
      const labels = [
        ...[...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(/,\s*/)),
        ...[...expr.matchAll(/(\w+)\s*(?:=~|!=|=)\s*"/g)].map(([, label = ""]) => label),
      ].filter((label) => label !== "job");
      for (const label of labels) expect(series.get(names[0] ?? "")).toContain(label);
    },
  );

  it("offers the jobs of an existing series", () => {
    const queries = dashboard.templating.list.map(({ query }) => query).join(" ");
    expect(queries).toContain("chest_build_info");
    expect(text).toMatch(/^chest_build_info\{version="\d/m);
  });
});

describe("GET /metrics", () => {
  it("counts requests by route and status, and legs of a search", () => {
    expect(text).toContain('chest_http_requests_total{method="POST",route="/api/tools/chest_remember",status="200"} 1');
    expect(text).toMatch(/^chest_http_requests_total\{method="GET",route="none",status="404"\} 1$/m);
    expect(text).toMatch(/^chest_search_seconds_count\{leg="words"\} [1-9]/m);
    expect(text).toMatch(/^chest_memories\{state="live"\} 1$/m);
    expect(text).toMatch(/^chest_counted_age_seconds \d/m);
    expect(text).toMatch(/^chest_writes_total [1-9]/m);
    expect(text).toMatch(/^chest_store_bytes [1-9]\d{4,}/m);
  });

  it("contains no stored text and no query, and requires a token", async () => {
    expect(text).not.toMatch(/eel|upstream|acme/);
    expect((await backend.app.inject({ url: "/metrics" })).statusCode).toBe(401);
    const reader = await openSqliteApp({ CHEST_API_TOKEN_SCOPES: "read,write" });
    const refused = await reader.app.inject({ url: "/metrics", headers: AUTHORIZATION });
    await reader.close();
    expect(refused.statusCode).toBe(403);
  });
});
