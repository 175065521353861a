import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { localCaller, openAccessAdmin } from "@chest/core/access";
import { systemClock } from "@chest/core/ports";
import type { Bench } from "../bench.ts";
import { bigStore } from "../big-store.ts";
import { atMost, type Figure } from "../figures.ts";
import { openSqliteEngine } from "../libraries.ts";
import { atRest, cpuMsOf } from "../process-use.ts";
import { median } from "../rounds.ts";

const MOST_CPU_MS = 150;
const [ASKED, WARM_UP] = [20, 3];
/** One project of so many is open to the member who sees a part. */
const ONE_OF = 10;

/** Members by what they see of the store. */
const MEMBERS = { "sees all": "ada", "sees a tenth": "ben" } as const;
type Viewer = keyof typeof MEMBERS;
const SPANS = ["week", "year"] as const;
type Span = (typeof SPANS)[number];

/**
 * Measures the first view of the page: one `GET /api/home`, for members who see all and a tenth, after a week and after a year
 * away. Beside its memories the store has what waits, what was opened, and open work.
 */
export const home: Bench = async ({ rows, workDir, startServer }) => {
  const path = join(workDir, "data", "chest.db");
  await mkdir(join(workDir, "data"));
  await copyFile(await bigStore(rows), path);
  const tokens = await furnish(path);
  fillInbox(path);
  const server = await startServer();
  const ask = async (viewer: Viewer, span: Span) => {
    // A member who marked the news as seen a year ago asks since then; the span is the same for all stores.
    const query = span === "week" ? "?since=week" : "";
    const response = await fetch(`${server.url}/api/home${query}`, {
      headers: { authorization: `Bearer ${tokens[viewer]}` },
    });
    if (!response.ok) throw new Error(`/api/home answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  try {
    await atRest(server.pid);
    const figures: Figure[] = [];
    for (const viewer of Object.keys(MEMBERS) as Viewer[]) {
      for (const span of SPANS) {
        for (let nth = 0; nth < WARM_UP; nth++) await ask(viewer, span);
        const each: { readonly cpuMs: number; readonly wallMs: number }[] = [];
        for (let nth = 0; nth < ASKED; nth++) {
          const [cpuBefore, startedAt] = [cpuMsOf(server.pid), performance.now()];
          await ask(viewer, span);
          each.push({ wallMs: performance.now() - startedAt, cpuMs: cpuMsOf(server.pid) - cpuBefore });
        }
        const cpuMs = median(each.map((one) => one.cpuMs));
        const goal = atMost(MOST_CPU_MS, cpuMs, `${MOST_CPU_MS} ms CPU`);
        const name = `home of a member who ${viewer}, away for a ${span}, ${rows} memories`;
        figures.push({ name, unit: "ms", value: median(each.map((one) => one.wallMs)), cpuMs, goal });
      }
    }
    return figures;
  } finally {
    await server.stop();
  }
};

/** Closes all projects, opens one of ten to the member who sees a part, and makes a token for each member. */
async function furnish(path: string): Promise<Record<Viewer, string>> {
  // The integrity check of a copied file must end before it can be written to.
  const engine = await openSqliteEngine({ path, writePatienceMs: 600_000 });
  const admin = openAccessAdmin(engine.access, localCaller(undefined), systemClock);
  const token = async (member: string) => (await admin.createToken({ member, scopes: ["read", "operate"] })).token;
  try {
    for (const member of Object.values(MEMBERS)) await admin.addMember({ name: member });
    const projects = await admin.listProjects();
    for (const [nth, { key }] of projects.entries()) {
      const add = nth % ONE_OF === 0 ? Object.values(MEMBERS) : [MEMBERS["sees all"]];
      await admin.setProject({ key, access: "members", add });
    }
    return { "sees all": await token(MEMBERS["sees all"]), "sees a tenth": await token(MEMBERS["sees a tenth"]) };
  } finally {
    await engine.close();
  }
}

const ONE_IN = { opened: 2, contradicts: 200, stale: 100, flagged: 300, requested: 500, work: 1000 } as const;

/** Dates the memories to now, and adds what a year of use leaves beside them. */
function fillInbox(path: string): void {
  const database = new DatabaseSync(path);
  try {
    database.exec(`BEGIN;
      UPDATE memories SET created_at = created_at + (SELECT unixepoch() - max(created_at) FROM memories);
      UPDATE members SET looked_at = unixepoch() - 365 * 86400;
      INSERT INTO memory_access_log (memory_id, accessed_at, member_id)
        SELECT id, unixepoch() - (id * 7919) % (90 * 86400), 1 FROM memories WHERE id % ${ONE_IN.opened} = 0;
      UPDATE memories SET access_count = 1, last_accessed_at = unixepoch() - (id * 7919) % (90 * 86400) WHERE id % ${ONE_IN.opened} = 0;
      INSERT INTO memory_links (from_id, to_id, type, origin, author_id, created_at)
        SELECT id, id - 100, 'contradicts', 'auto', 1, created_at FROM memories WHERE id % ${ONE_IN.contradicts} = 0;
      INSERT INTO memory_sources (memory_id, path, status, checked_at)
        SELECT id, 'src/' || id || '.ts', 'stale', unixepoch() FROM memories WHERE id % ${ONE_IN.stale} = 0;
      UPDATE memories SET trust = 'flagged', trust_reasons = '["instructions"]' WHERE id % ${ONE_IN.flagged} = 0;
      UPDATE memories SET requested_visibility = 'team' WHERE id % ${ONE_IN.requested} = 0;
      INSERT INTO work_items (project_id, title, author_id, created_at)
        SELECT project_id, 'see to ' || id, 1, created_at FROM memories WHERE id % ${ONE_IN.work} = 0;
      COMMIT;`);
  } finally {
    database.close();
  }
}
