import type { HostFacts } from "@chest/contracts";
import { describe, expect, it } from "vitest";
import { findingsOf, judgeHost } from "./judge-host.ts";

const NOW = new Date("2026-03-01T12:00:00Z");
const GB = 1e9;

/** Facts of a sound backend that has run for days. */
const SOUND: HostFacts = {
  ok: true,
  server_version: "1.0.0",
  time: NOW.toISOString(),
  uptime_s: 400_000,
  config: { warnings: [], trust_proxy_hops: 0, backup_interval_hours: 24, can_embed: true, model: "acme/embed" },
  store: {
    ...{ schema: "7", known_schema: "7", bytes: 2 * GB, log_bytes: 0, memories: 10, live: 10, pending: 0 },
    ...{ unsegmented: 0, unindexed: 0, stray_indexed: 0, vectors: 10, corrupt_vectors: 0, model: "acme/embed" },
  },
  place: {
    ...{ free_bytes: 50 * GB, total_bytes: 100 * GB, network: null },
    files: [{ what: "store", path: "/data/it's.db", mode: "600", is_closed: true, is_owned: true }],
  },
  maintenance: { is_on: true, interval_s: 3600, last_at: "2026-03-01T11:30:00Z", last_outcome: "done" },
  tokens: { live: 2, expired_in_use: [], ending_soon: [] },
  webhooks: { count: 0, failing: [] },
  backups: { count: 3, newest_at: "2026-03-01T01:00:00Z", is_verified: true },
  request: { is_forwarded: false, is_proxy_believed: false },
};

type Part = { readonly [Key in keyof HostFacts]?: Partial<NonNullable<HostFacts[Key]>> };

const broken = (part: Part): HostFacts => {
  const merged = Object.entries(part).map(([name, fields]) => {
    const sound = SOUND[name];
    return [name, typeof fields === "object" ? { ...(sound as object), ...fields } : fields];
  });
  return { ...SOUND, ...Object.fromEntries(merged) };
};

const amiss = (facts: HostFacts) =>
  findingsOf(facts, NOW)
    .filter(({ status }) => status !== "ok" && status !== "skip")
    .map(({ status, code }) => `${status} ${code}`);

describe("the judgement on a backend", () => {
  it("has nothing to say of a sound one", () => {
    expect(amiss(SOUND)).toEqual([]);
  });

  it.each<[string, Part, string[]]>([
    ["a store of a newer release", { store: { schema: "8" } }, ["fail schema.newer"]],
    ["a store of an older release", { store: { schema: "6" } }, ["warn schema.older"]],
    ["a full disk", { place: { free_bytes: 10_000_000 } }, ["fail disk.full"]],
    ["a small disk with room", { place: { free_bytes: 3 * GB, total_bytes: 4 * GB } }, []],
    ["a disk without room for a backup", { place: { free_bytes: 1.5 * GB } }, ["warn disk.backup"]],
    ["a network's disk", { place: { network: "NFS" } }, ["warn volume.network"]],
    ["a log that grew", { store: { log_bytes: 1.2 * GB } }, ["warn wal.large"]],
    ["rows without words", { store: { unindexed: 3 } }, ["fail text.missing"]],
    ["damaged vectors", { store: { corrupt_vectors: 2 } }, ["warn vectors.corrupt"]],
    ["memories that wait for a vector", { store: { pending: 5 } }, ["warn vectors.pending"]],
    [
      "a model that is away",
      { config: { can_embed: false }, store: { pending: 5 } },
      ["warn vectors.pending", "warn embedder.away"],
    ],
    ["a backend that embeds nothing", { config: { can_embed: false, model: undefined } }, ["note embedder.off"]],
    ["vectors of another model", { store: { model: "acme/old" } }, ["warn identity.other"]],
    ["no maintenance", { maintenance: { is_on: false } }, ["note maintenance.off"]],
    ["failed maintenance", { maintenance: { last_outcome: "failed" } }, ["warn maintenance.failed"]],
    ["maintenance that is late", { maintenance: { last_at: "2026-02-27T00:00:00Z" } }, ["warn maintenance.late"]],
    ["a backend that just began", { backups: { count: 0, newest_at: null }, uptime_s: 20 }, ["note backup.first"]],
    ["no backup after days", { backups: { count: 0, newest_at: null } }, ["warn backup.none"]],
    ["an old backup", { backups: { newest_at: "2026-02-20T00:00:00Z" } }, ["warn backup.old"]],
    ["a backup without a manifest", { backups: { is_verified: false } }, ["warn backup.unverified"]],
    ["a token that ended in use", { tokens: { expired_in_use: [4] } }, ["warn tokens.expired"]],
    ["a token that ends", { tokens: { ending_soon: [4] } }, ["warn tokens.ending"]],
    [
      "a webhook that fails",
      { webhooks: { count: 1, failing: [{ id: 1, failures: 9, trouble: "it answered 500" }] } },
      ["warn webhooks.failing"],
    ],
    ["a proxy that is not believed", { request: { is_forwarded: true } }, ["warn proxy.unknown"]],
  ] as [string, Part, string[]][])("names %s", (_, part, expected) => {
    expect(amiss(broken(part as Part))).toEqual(expected);
  });

  it("has nothing to mend in a store that is new", () => {
    const facts = broken({
      store: { memories: 0, live: 0, vectors: 0 },
      backups: { count: 0, newest_at: null },
      maintenance: { last_at: null, last_outcome: null },
    });
    expect(amiss(facts)).toEqual([]);
  });

  it("quotes a path in the command that mends it", () => {
    const [file] = SOUND.place.files;
    const facts = broken({
      place: { files: [{ ...(file as HostFacts["place"]["files"][number]), is_closed: false }] },
    });
    expect(judgeHost("permissions", facts, { now: NOW, source: "backend" }).mend).toEqual({
      by: "shell",
      commands: ["chmod 600 '/data/it'\\''s.db'"],
    });
  });

  it("leaves open what a file cannot tell", () => {
    const look = { now: NOW, source: "file" as const };
    expect(judgeHost("maintenance", SOUND, look).status).toBe("skip");
    expect(judgeHost("backup", SOUND, look).status).toBe("ok");
  });
});
