import { z } from "zod";
import { projectKeyField } from "../access/name-validation.ts";
import type { Reach } from "../access/space.ts";
import type { Warning } from "../answers/wire.ts";
import { LAYERS, type Layer } from "../memory/layer.ts";
import { CATEGORIES, CERTAINTIES, MAX_EVIDENCE } from "../memory/metadata.ts";
import { MAX_TAG_LENGTH, MAX_TAGS } from "../memory/tags.ts";
import { fixedMoment } from "../moments/read-moment.ts";

/** Longest name or key of an entity. */
const MAX_NAME = 500;

/** A name or key, trimmed. */
export const name = () => z.string().trim().max(MAX_NAME);

/** Marks an argument that only clients add: accepted from any caller, but not shown to agents. */
export const FROM_CLIENTS = { fromClients: true } as const;

export const id = () => z.int().positive();

const KNOWN_FOR: Partial<Record<Layer, string>> = { realize: "pitfalls", learning: "decisions" };
const layers = LAYERS.map((layer) => (KNOWN_FOR[layer] ? `${layer} (${KNOWN_FOR[layer]})` : layer)).join(", ");

export const layer = () => z.string().describe(`${layers}, or an alias`);

export const importance = () => z.number().min(0).max(1).describe("From 0.9 pinned");

export const tags = () =>
  z
    .array(
      z
        .string()
        .min(1)
        .max(MAX_TAG_LENGTH + 1),
    )
    .max(MAX_TAGS);

export const title = () => z.string().trim().max(MAX_NAME);

export const category = () => z.enum(CATEGORIES);

export const certainty = () => z.enum(CERTAINTIES);

export const confidence = () => z.number().min(0).max(1);

const MAX_EVIDENCE_CHARS = 4096;

export const evidence = () => z.array(z.string().min(1).max(MAX_EVIDENCE_CHARS)).max(MAX_EVIDENCE);

const MAX_FILES = 50;
const MAX_PATH = 1024;

export const files = () =>
  z
    .array(
      z
        .string()
        .min(1)
        .max(MAX_PATH)
        .refine((path) => !path.includes("\u0000"), "holds U+0000"),
    )
    .max(MAX_FILES);

/** Condition on which hooks show a memory, parsed by `readCondition`. An object is accepted too. */
export const trigger = () =>
  z.preprocess(
    (input) => (input !== null && typeof input === "object" ? JSON.stringify(input) : input),
    z.string().describe('Show it when: {"any": ["deploy"]} or match_keys(["deploy"])'),
  );

export const project = projectKeyField;

/** Project of a question, which may be all of them. */
export const askedProject = () => projectKeyField().optional().describe("A project's key; `*`: all you may open");
export { readMoment } from "../moments/read-moment.ts";

export const TAGS_CUT: Warning = {
  reason: "tags_cut",
  message: `a memory keeps ${MAX_TAGS} tags: those after them were left out`,
};

export { warnings } from "../answers/wire.ts";

export const embedding = z.looseObject({ status: z.enum(["pending", "ok"]) }).optional();

export const queued = {
  queued: z.literal(true).optional().describe("waits in the client's outbox and arrives later"),
  queue_id: z.string().optional(),
  note: z.string().optional(),
};

/** Renders the answer of a queued write. */
export const queuedText = ({
  queue_id = "",
  note = "",
}: {
  queue_id?: string | undefined;
  note?: string | undefined;
}) => `queued as ${queue_id}: ${note}`;

/** Time zone for days and relative times. */
export const timeZone = () =>
  z
    .string()
    .min(1)
    .max(64)
    .optional()
    .meta({
      ...FROM_CLIENTS,
      description: "IANA name of the zone of `since` and `until`; else the client's, else UTC",
    });

/** Text that may be given as a number: `17`. */
export const textOrNumber = (most: number) =>
  z.preprocess((input) => (typeof input === "number" ? String(input) : input), z.string().max(most));

/** A time as a caller writes it, parsed by `readMoment`. */
export const moment = () => textOrNumber(40);

/** A time in seconds; a date or time text is converted. */
export const secondsOrDate = () =>
  z.preprocess(
    (input) => (typeof input === "string" ? (momentIn(input) ?? input) : input),
    z
      .int({
        error: ({ input }) =>
          typeof input === "string" ? "is not a time: give unix seconds, or a date such as 2027-01-31" : undefined,
      })
      .positive(),
  );

const momentIn = (text: string): number | undefined => {
  const moment = fixedMoment(text.trim());
  return moment && moment.getTime() / 1000;
};

/**
 * Parses a reach: `*` means everything the caller may open, a key means that project, and nothing means the caller's
 * own place.
 */
export function readReach(input: string | undefined): Reach {
  if (input === undefined) return "here";
  return input === "*" ? "everywhere" : { projectKey: input };
}
