import { endpoints } from "@chest/contracts";
import { z } from "zod";
import { noSuchMemory } from "../access/refusals.ts";
import { VISIBILITIES } from "../access/space.ts";
import { cursorAfter, readCursor, type SteadyOrder } from "../answers/cursor.ts";
import { rowsOf } from "../answers/row.ts";
import { NOTICE } from "../answers/sanitize-for-prompt.ts";
import { seconds } from "../answers/wire.ts";
import { idNumeral, numeral } from "../arguments/numeral.ts";
import { readLayer } from "../memory/layer.ts";
import { readTags } from "../memory/tags.ts";
import { type Between, readBetween } from "../moments/read-moment.ts";
import { defineOperation } from "../operation.ts";
import type { Filter } from "../ports/search.ts";
import { metadataOf } from "../recall/answer/formats.ts";
import { historyOf } from "../resources/history.ts";
import * as field from "../tools/fields.ts";
import { JOURNAL_RULES } from "../transcript/candidate.ts";
import { relatedOf, type ShownVersion } from "../views/of-one.ts";
import { sourceOf } from "../views/stale.ts";

const STATES = ["live", "archived", "all"] as const;
const SORTS = ["recent", "oldest", "importance", "archived"] as const;
const ORDERS: Readonly<Record<(typeof SORTS)[number], SteadyOrder>> = {
  recent: "newest",
  oldest: "oldest",
  importance: "important",
  archived: "archived",
};

const share = () =>
  z
    .preprocess((input) => (typeof input === "string" ? Number(input || Number.NaN) : input), z.number().min(0).max(1))
    .optional();

/** Fields of a list of memories, as an address writes them. */
export const LIST_FIELDS = {
  list: z.strictObject({
    tags: z.string().max(6000).optional().describe("With commas between; all of them"),
    category: field.category().optional(),
    layer: field.layer().optional(),
    entity_name: z.string().max(500).optional(),
    author: z.string().max(64).optional(),
    visibility: z.enum(VISIBILITIES).optional(),
    project: field.project().optional(),
    session_id: z.string().min(1).max(128).optional(),
    since: field.moment().optional(),
    until: field.moment().optional(),
    time_zone: field.timeZone(),
    min_importance: share(),
    min_confidence: share(),
    flagged: z.stringbool().optional(),
    stale: z.stringbool().optional(),
    unused: z.literal("true").optional().describe("Only what was never opened"),
    journal: z.stringbool().default(false).describe("Also what was noted of sessions: requests, edits, commands"),
    state: z.enum(STATES).default("live"),
    sort: z.enum(SORTS).default("recent"),
    limit: numeral(1, 200).default(50),
    cursor: z.string().min(1).max(200).optional(),
  }),
  one: z.strictObject({ id: idNumeral() }),
} as const;

/** Lists what passes every filter, a page at a time. */
export const listMemories = defineOperation({
  endpoint: endpoints.listMemories,
  query: LIST_FIELDS.list,
  isPlaced: true,
  async run({ query: asked }, { store, clock, caller }) {
    const order = ORDERS[asked.sort];
    const between = readBetween(asked, asked.time_zone, { now: clock.now(), timeZone: caller.timeZone });
    const after = asked.cursor === undefined ? undefined : readCursor(asked.cursor, order);
    const { limit } = asked;
    const found = await store.memories.browse({
      order,
      where: filterOf(asked, between),
      after,
      offset: 0,
      limit: limit + 1,
    });
    const memories = found.memories.slice(0, limit);
    const last = memories.at(-1);
    const next = found.memories.length > limit && last ? { next_cursor: cursorAfter(order, last) } : {};
    return {
      _notice: NOTICE,
      ok: true as const,
      total: found.total,
      ...next,
      ...(between.understood ? { between: between.understood } : {}),
      memories: await rowsOf(memories, store),
    };
  },
});

function filterOf(request: z.output<(typeof LIST_FIELDS)["list"]>, { since, until }: Between): Filter {
  const tags = request.tags?.split(",").filter((tag) => tag.trim() !== "");
  return {
    reach: field.readReach(request.project),
    tags: tags === undefined ? undefined : readTags(tags),
    category: request.category,
    layers: request.layer === undefined ? undefined : [readLayer(request.layer)],
    entityName: request.entity_name || undefined,
    author: request.author,
    visibility: request.visibility,
    session: request.session_id,
    since,
    until,
    minImportance: request.min_importance,
    minConfidence: request.min_confidence,
    isFlagged: request.flagged,
    isStale: request.stale,
    ...(request.unused ? { isUnused: true as const } : {}),
    ...(request.state === "archived" ? { isArchived: true as const } : {}),
    withoutRules: request.journal ? undefined : JOURNAL_RULES,
    withArchived: request.state !== "live",
    withSuperseded: request.state !== "live",
  };
}

const MOST_VERSIONS = 50;
const MOST_LINKS = 200;
const MOST_READINGS = 50;

/** Everything about one memory, in any state. */
export const wholeMemory = defineOperation({
  endpoint: endpoints.memory,
  params: LIST_FIELDS.one,
  isPlaced: true,
  async run({ params: { id } }, { store, caller: { member, scopes } }) {
    const memory = await store.memories.byId(id);
    const parts = memory && (await store.listings.parts(id));
    const history = parts && (await historyOf({ id, limit: MOST_VERSIONS, offset: 0 }, store));
    const [row] = history ? await rowsOf([memory], store, Number.POSITIVE_INFINITY) : [];
    if (!row || !parts || !history) throw noSuchMemory(id);
    const links = await store.listings.links([id]);
    // Readers of a memory are told to its author, and to admins.
    const mayKnow = memory.authorId === member.id || scopes.has("admin");
    const readings = mayKnow ? await store.listings.readings(id, MOST_READINGS) : undefined;
    const others = await store.memories.byIds(
      links.slice(0, MOST_LINKS).map(({ from, to }) => (from === id ? to : from)),
    );
    const rows = new Map((await rowsOf(others, store)).map((row) => [row.id, row]));
    const { evidence, git_commit, git_branch } = metadataOf(memory);
    return {
      _notice: NOTICE,
      ok: true as const,
      memory: {
        ...row,
        ...{ uid: memory.uid, evidence: [...evidence], git_commit, git_branch },
        ...(parts.client === undefined ? {} : { client: parts.client }),
      },
      versions: history.versions as ShownVersion[],
      versions_total: history.total,
      links: links.slice(0, MOST_LINKS).flatMap((link) => relatedOf(link, id, rows)),
      links_total: links.length,
      files: [...parts.files],
      ...(readings ? { used_by: readings.map(({ by, at }) => ({ member: by ?? null, at: seconds(at) })) } : {}),
      sources: parts.sources.map(sourceOf),
    };
  },
});
