import { z } from "zod";
import { noticedBlock, otherKeys } from "../answers/answer-text.ts";
import { NOTICE } from "../answers/sanitize-for-prompt.ts";
import { defineTool, invalid } from "../tool.ts";
import { VIEW_NAMES, VIEWS, type ViewName } from "../views/index.ts";
import type { AnyView, ViewRequest } from "../views/view.ts";
import * as field from "./fields.ts";

const input = z.object({
  view: z.enum(VIEW_NAMES),
  id: field.id().optional().describe("Of related, history, timeline"),
  tag: z.string().min(1).max(101).optional(),
  category: field.category().optional().describe("Of tags, categories"),
  session_id: z.string().min(1).max(128).optional().describe("Of session, tiers; default the current one"),
  query: z.string().min(1).max(2000).optional().describe("Of timeline: around its best hit"),
  before: z.int().min(0).max(50).optional().describe("Of timeline; default 5"),
  after: z.int().min(0).max(50).optional(),
  threshold_hours: z.number().min(0).max(87_600).optional().describe("Of stale: also unchecked for this long"),
  limit: z.int().min(1).max(200).optional(),
  offset: z.int().min(0).default(0),
  project: field.askedProject(),
});

const output = z.looseObject({
  _notice: z.string(),
  ok: z.literal(true),
  view: z.string(),
  total: z.int().describe("All that you may see, not the page"),
  offset: z.int(),
  has_more: z.boolean(),
  items: z.array(z.looseObject({})),
  /** State in which a session of the caller ended; every line framed. */
  handoff: z.string().optional(),
  /** Events of a session in order of time, every line framed. */
  steps: z.array(z.string()).optional(),
});

export const inspect = defineTool({
  name: "chest_inspect",
  title: "chest: inspect",
  description:
    "Look at what is stored, by list: recent, important, a session's, a tag's; contradictions, duplicates, stale; one memory's history, links or neighbours in time; tags, categories, stats. Use to survey, to curate, or to follow links. Not to search: recall does that, and opens what is cut here by `ids`.",
  input,
  output,
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },

  async run({ view: name, session_id, project, threshold_hours: thresholdHours, ...given }, ports, caller) {
    const view: AnyView = VIEWS[name];
    const asked: ViewRequest = {
      ...given,
      reach: field.readReach(project),
      session: session_id,
      thresholdHours,
      limit: given.limit ?? view.limit,
    };
    const missing = view.needs.filter((each) => asked[each] === undefined);
    if (missing.length > 0) {
      throw invalid(missing.map((path) => ({ path, message: `is missing: the view \`${name}\` is of one` })));
    }
    const { total, items, facts } = await view.read(asked, { ...ports, caller });
    return {
      _notice: NOTICE,
      ok: true as const,
      view: name,
      ...facts,
      total,
      offset: asked.offset,
      has_more: asked.offset + items.length < total,
      items: items.map((item) => ({ ...item })),
    };
  },

  text({ _notice, ok, view: name, total, offset, has_more: hasMore, items, handoff, steps = [], ...others }) {
    const view: AnyView | undefined = Object.hasOwn(VIEWS, name) ? VIEWS[name as ViewName] : undefined;
    const listed = items.flatMap((item) => (view ? view.line(item) : JSON.stringify(item)).split("\n"));
    const lines = [
      ...(handoff === undefined ? [] : [...handoff.split("\n"), ""]),
      ...(steps.length === 0 ? [] : ["### In order of time", ...steps, ""]),
      ...(handoff === undefined && steps.length === 0 ? [] : ["### Stored"]),
      ...listed,
    ];
    return [
      headOf(name, items.length, total),
      ...noticedBlock(lines),
      ...(hasMore ? [`more: \`offset\` ${offset + items.length}`] : []),
      ...otherKeys(others),
    ].join("\n");
  },
});

/** A single item needs no count. */
const headOf = (name: string, shown: number, total: number): string =>
  total === 0 ? `${name}: nothing` : total === 1 ? name : `${name}: ${shown}${total > shown ? ` of ${total}` : ""}`;
