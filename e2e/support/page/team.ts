import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { AccessAdmin } from "@chest/core/access";
import { at, FACTS, furnish } from "./demo.ts";
import { playSessions } from "./demo-sessions.ts";

/** Memories of an invented team beside those of the demo: who learned what, where, and how many days ago. */
interface Learned {
  readonly by: Name;
  readonly project: keyof typeof PROJECTS;
  readonly days: number;
  readonly layer: string;
  readonly entity: string;
  readonly kind?: string;
  readonly title?: string;
  readonly content: string;
  readonly category?: string;
  readonly tags?: readonly string[];
  readonly source?: readonly string[];
}

const NAMES = ["mika", "rosa", "tomas", "yuki"] as const;
type Name = (typeof NAMES)[number];
const PROJECTS = {
  api: "github.com/acme/api",
  web: "github.com/acme/web",
  billing: "github.com/acme/billing",
} as const;

const LEARNED: readonly Learned[] = [
  {
    ...{ by: "rosa", project: "billing", days: 0, layer: "realize", entity: "refunds", category: "bug" },
    title: "Partial refunds are rounded down",
    content:
      "A partial refund is rounded down to the cent, never up: rounding up refunded more than was paid in 31 cases in May.",
    tags: ["money"],
  },
  {
    ...{ by: "tomas", project: "web", days: 0, layer: "learning", entity: "checkout", category: "discovery" },
    content:
      "The checkout re-renders on every key because the cart context holds the form; the form now has a context of its own, and typing is smooth again.",
    tags: ["react", "performance"],
  },
  {
    ...{ by: "yuki", project: "web", days: 0, layer: "implementation", entity: "date picker" },
    content: "The date picker takes the first day of the week from the locale, not from the setting of the browser.",
    tags: ["i18n"],
  },
  {
    ...{ by: "tomas", project: "api", days: 1, layer: "realize", entity: "migrations", category: "convention" },
    title: "Add columns in two releases",
    content:
      "A column that is not null is added in two releases: first nullable and written by the new code, then filled and constrained. One release locked the orders table for nine minutes.",
    tags: ["database", "deploy"],
  },
  {
    ...{ by: "rosa", project: "billing", days: 1, layer: "learning", entity: "invoices" },
    content: "Credit notes keep the number of their invoice with a suffix, because the tax office matches them by it.",
    tags: ["tax"],
  },
  {
    ...{ by: "yuki", project: "web", days: 2, layer: "emotion", entity: "Yuki", kind: "person" },
    content: "Yuki wants screenshots of both themes in every pull request that touches a component.",
    tags: ["review"],
  },
  {
    ...{ by: "mika", project: "api", days: 3, layer: "implementation", entity: "feature flags", category: "decision" },
    title: "Flags are read once per request",
    content:
      "Feature flags are read once per request and passed down; reading them where they are used gave one request two answers.",
    tags: ["flags"],
    source: ["src/flags/read.ts"],
  },
  {
    ...{ by: "tomas", project: "api", days: 4, layer: "context", entity: "staging" },
    content: "Staging is reset from production every Monday at six, with the customers' names replaced.",
    tags: ["staging"],
  },
  {
    ...{ by: "yuki", project: "web", days: 6, layer: "learning", entity: "design tokens" },
    content: "Colours come from the tokens file; a hex value in a component fails the build.",
    tags: ["ui"],
    source: ["tokens/colours.json"],
  },
  {
    ...{ by: "rosa", project: "billing", days: 8, layer: "goal", entity: "billing", kind: "project" },
    content: "Replace the nightly invoice run by invoices that are made when an order ships, before October.",
    tags: ["invoices"],
  },
  {
    ...{ by: "tomas", project: "api", days: 12, layer: "learning", entity: "search index" },
    content:
      "The search index lags up to thirty seconds behind the orders: a test that creates an order and searches it at once must ask the database.",
    tags: ["tests", "search"],
  },
  {
    ...{ by: "mika", project: "api", days: 19, layer: "implementation", entity: "queue" },
    content: "Jobs that fail five times go to the dead queue, which somebody looks at every morning.",
    tags: ["jobs"],
  },
  {
    ...{ by: "yuki", project: "web", days: 45, layer: "context", entity: "storybook" },
    content: "Storybook is published from main to the internal host; branches are not published.",
    tags: ["ui"],
  },
  {
    ...{ by: "rosa", project: "billing", days: 52, layer: "learning", entity: "tax rates" },
    content: "Rates of the tax change on the first of January only, and are loaded by the job of December.",
    tags: ["tax"],
  },
  {
    ...{ by: "tomas", project: "api", days: 60, layer: "context", entity: "old gateway" },
    content: "The old gateway still answers /v1/orders for two partners; both have agreed to leave it.",
    tags: ["gateway"],
  },
];

/** Questions of agents without an answer. */
const QUESTIONS = [
  ["tomas", "api", "Who renews the signing certificates?", 3],
  ["yuki", "web", "Is Safari 15 supported?", 2],
  ["rosa", "billing", "Dunning letters: who approves them?", 1],
] as const;

/** Authors of the facts of the demo, and how many days ago they learned them, in their order. */
const DEMO: readonly (readonly [Name, number])[] = [
  ["mika", 9],
  ["mika", 5],
  ["mika", 20],
  ["rosa", 2],
  ["rosa", 1],
  ["tomas", 6],
  ["tomas", 6],
  ["rosa", 14],
  ["mika", 1],
  ["tomas", 4],
  ["yuki", 30],
  ["yuki", 5],
];
const DAY_S = 86_400;
/** Session of what the demo adds, and the days since. */
const [FURNISHED, FURNISHED_DAYS] = ["7f3c-review-of-sessions", 3] as const;
/** Rows of one day lie ten minutes apart. */
const LATEST = 28;

interface Place {
  readonly url: string;
  readonly dataDir: string;
}

/** Gives a backend four members, three projects, and two months of what they learned. @returns ids of the demo's facts. */
export async function fillTeam({ url, dataDir }: Place, admin: AccessAdmin): Promise<readonly number[]> {
  const tokens = new Map<string, string>();
  for (const name of NAMES) {
    await admin.addMember({ name, admin: name === "mika" });
    const scopes = ["read", "write", ...(name === "mika" ? ["operate"] : [])];
    const made = await admin.createToken({ member: name, scopes, label: "laptop", expires: "90d" });
    tokens.set(name, made.token);
  }
  await admin.createToken({ member: "rosa", scopes: ["read"], label: "review", expires: "7d" });
  const post = async (member: string, path: string, body: string, type: string, project: string, session?: string) => {
    const answer = await fetch(`${url}${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${tokens.get(member)}`,
        "content-type": type,
        "x-chest-project": encodeURIComponent(project),
        ...(session !== undefined && { "x-chest-session": session }),
      },
      body,
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const tool = async (member: Name, name: string, project: keyof typeof PROJECTS, body: object, session?: string) => {
    const path = `/api/tools/${name}`;
    const answer = await post(member, path, JSON.stringify(body), "application/json", PROJECTS[project], session);
    return ((await answer.json()) as { result: { memory_id: number } }).result;
  };

  const facts = [
    ...FACTS.map(([entity, kind, layer, content, tags], nth): Learned => {
      const [by, days] = DEMO[nth] ?? ["mika", 1];
      return { by, days, project: "api", layer, entity, kind, content, tags };
    }),
    ...LEARNED,
  ];
  const days = new Map<number, number>();
  const idOf = new Map<string, number>();
  // The oldest first, as they came.
  for (const { by, project, days: ago, entity, kind = "concept", ...said } of facts.toSorted(
    (a, b) => b.days - a.days,
  )) {
    const body = { ...said, entity_name: entity, entity_kind: kind, importance: said.layer === "realize" ? 0.9 : 0.5 };
    const { memory_id: id } = await tool(by, "chest_remember", project, body, `${by}-${project}-${ago}`);
    days.set(id, ago);
    idOf.set(said.content, id);
  }
  const ids = FACTS.map(([, , , content]) => idOf.get(content) ?? 0);
  const made = LEARNED.map(({ content }) => idOf.get(content) ?? 0);
  const edits = [
    "Requests are rate-limited by token in Redis (`limits:{token}`), 900 a minute; the worker pool has a budget of its own.",
    "Requests are rate-limited by member in Redis (`limits:{member}`), 900 a minute; the worker pool has a budget of its own.",
  ];
  for (const content of edits) await tool("mika", "chest_update_memory", "api", { memory_id: ids[1], content });
  await furnish(at(url, tokens.get("mika") ?? ""), ids, { "x-chest-project": encodeURIComponent(PROJECTS.api) });
  await playSessions((path, body, type, member) => post(member, path, body, type, PROJECTS.api).then(() => undefined));
  const [deploys, limits, , rounding, charges] = ids;
  for (const [member, memory_ids] of [
    ["tomas", [deploys, limits]],
    ["rosa", [rounding, charges]],
    ["tomas", [deploys]],
    ["yuki", [made[8] ?? 0]],
  ] as const)
    await tool(member, "chest_recall", "api", { ids: memory_ids, project: "*" });
  for (const [member, project, query, times] of QUESTIONS)
    for (let asked = 0; asked < times; asked++) await tool(member, "chest_recall", project, { query });
  await tool("rosa", "chest_work", "billing", {
    ...{ action: "add", title: "Tell the tax office about the new credit notes", priority: 1 },
  });
  await post("mika", "/api/backups", "{}", "application/json", PROJECTS.api);
  await admin.setProject({ key: "github.com/acme/vault", access: "members", add: ["mika"] });
  // Openings and lines that were shown are written in batches, a moment later.
  await sleep(WRITTEN_MS);
  age(join(dataDir, "chest.db"), days, made);
  return ids;
}

const WRITTEN_MS = 4000;

/** Sets back what was just written, so that the team has a past; two sources have changed, and one memory waits for the team. */
function age(path: string, days: ReadonlyMap<number, number>, made: readonly number[]): void {
  const db = new DatabaseSync(path);
  const columns = ["created_at", "updated_at", "edited_at", "known_at", "last_verified_at"];
  const back = columns.map((name) => `${name} = ${name} - @by`).join(", ");
  const furnished = db.prepare("SELECT id FROM memories WHERE session_id = ?").all(FURNISHED) as { id: number }[];
  for (const [id, ago] of [...days, ...furnished.map(({ id: nth }) => [nth, FURNISHED_DAYS] as const)]) {
    const by = ago * DAY_S + Math.max(0, LATEST - id) * 600;
    db.prepare(`UPDATE memories SET ${back} WHERE id = @id`).run({ "@by": by, "@id": id });
    db.prepare("UPDATE memory_versions SET changed_at = changed_at - ? WHERE memory_id = ?").run(by / 2, id);
    db.prepare("UPDATE audit_log SET at = at - ? WHERE memory_ids = ?").run(by, `[${id}]`);
  }
  const [flags, tokens, waiting] = [made[6], made[8], made[5]];
  db.prepare(`UPDATE memory_sources SET status = 'stale', checked_at = unixepoch(), found_hash = hex(randomblob(32))
    WHERE memory_id IN (?, ?)`).run(flags ?? 0, tokens ?? 0);
  // Sessions were played at once, their turns dated from ten minutes ago on: lines came with the first of them.
  const first = "SELECT min(created_at) + 1 FROM memories m WHERE m.session_id = injections.session_id";
  db.prepare(`UPDATE injections SET at = coalesce((${first}), at)`).run();
  db.prepare("UPDATE memories SET requested_visibility = visibility, visibility = 'private' WHERE id = ?").run(
    waiting ?? 0,
  );
  db.close();
}
