import { ChestError } from "@chest/contracts";
import { z } from "zod";
import type { Reach } from "../access/space.ts";
import { LAYERS } from "../memory/layer.ts";
import { CATEGORIES, CERTAINTIES, MAX_EVIDENCE, SOURCE_TYPES } from "../memory/metadata.ts";
import { MAX_TAG_LENGTH, MAX_TAGS } from "../memory/tags.ts";
import { wellFormed } from "../text/well-formed.ts";
import type { Warning } from "../wire.ts";

/** Longest name or key of an entity. */
const MAX_NAME = 500;

/** A name or key, trimmed. */
export const name = () => z.string().trim().max(MAX_NAME);

/** Marks an argument that only clients add: accepted from everybody, listed to no agent. */
export const FROM_CLIENTS = { fromClients: true } as const;

export const id = () => z.int().positive();

export const layer = () => z.string().describe(`${LAYERS.join(", ")}, or an alias`);

export const importance = () => z.number().min(0).max(1).describe("0 to 1; from 0.9 pinned");

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

export const sourceType = () => z.enum(SOURCE_TYPES);

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

/** State of the repository, which clients read beside the agent. */
export const gitCommit = () =>
  z
    .string()
    .regex(/^[0-9a-f]{7,64}$/)
    .optional()
    .meta({ ...FROM_CLIENTS, feature: "git-state" });
export const gitBranch = () =>
  z
    .string()
    .trim()
    .min(1)
    .max(MAX_NAME)
    .optional()
    .meta({ ...FROM_CLIENTS, feature: "git-state" });

/** A condition on which a memory shows itself: `readCondition` reads it. An object is taken too. */
export const trigger = () =>
  z.preprocess(
    (given) => (given !== null && typeof given === "object" ? JSON.stringify(given) : given),
    z.string().describe('Show it when: {"any": ["deploy"]} or match_keys(["deploy"])'),
  );

export { projectKeyField as project } from "../access/name-validation.ts";

export const TAGS_CUT: Warning = {
  reason: "tags_cut",
  message: `a memory keeps ${MAX_TAGS} tags: those after them were left out`,
};

export const warnings = z.array(z.looseObject({ reason: z.string(), message: z.string() })).optional();

export const embedding = z.looseObject({ status: z.enum(["pending", "ok"]) }).optional();

export const queued = {
  queued: z.literal(true).optional().describe("waits in the client's outbox and arrives later"),
  queue_id: z.string().optional(),
  note: z.string().optional(),
};

/** The answer of a write that waits, to be read. */
export const queuedText = ({
  queue_id = "",
  note = "",
}: {
  queue_id?: string | undefined;
  note?: string | undefined;
}) => `queued as ${queue_id}: ${note}`;

/** Text that may be given as a number: `17`. */
export const textOrNumber = (most: number) =>
  z.preprocess((given) => (typeof given === "number" ? String(given) : given), z.string().max(most));

/** A moment as a caller writes it: `readMoment` reads it. */
export const moment = () => textOrNumber(40);

/** A moment as a number of seconds; a date or time is read as one. */
export const secondsOrDate = () =>
  z.preprocess(
    (given) => (typeof given === "string" ? (momentIn(given) ?? given) : given),
    z
      .int({
        error: ({ input }) =>
          typeof input === "string" ? "is not a time: give unix seconds, or a date such as 2027-01-31" : undefined,
      })
      .positive(),
  );

function momentIn(text: string): number | undefined {
  const moment = UNIX.test(text.trim()) ? new Date(Number(text) * 1000) : new Date(ISO.test(text) ? text : Number.NaN);
  return Number.isNaN(moment.getTime()) ? undefined : moment.getTime() / 1000;
}

const UNIX = /^\d{1,12}(?:\.\d+)?$/;
const MONTH = /^\d{4}-\d\d$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const ISO = /^\d{4}-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?)?$/;

/** Unix seconds or ISO 8601, a day or a month by its end where that is asked; `INVALID_INPUT` with the field for anything else. */
export function readMoment(given: string, name: string, dayBy: "start" | "end" = "start"): Date {
  const text = given.trim();
  const whole = dayBy === "end" ? endOf(text) : text;
  const moment = UNIX.test(text) ? new Date(Number(text) * 1000) : new Date(ISO.test(text) ? whole : Number.NaN);
  if (!Number.isNaN(moment.getTime())) return moment;
  throw new ChestError("INVALID_INPUT", `${name}: \`${wellFormed(given)}\` is not a time`, {
    hint: "give unix seconds, or a month, date or time such as 2026-11, 2026-11-22 or 2026-11-22T09:30:00Z",
    details: { field: name, given: wellFormed(given) },
  });
}

function endOf(text: string): string {
  if (DAY.test(text)) return `${text}T23:59:59.999Z`;
  if (!MONTH.test(text)) return text;
  const [year, month] = text.split("-").map(Number);
  // Months count from 0 here: this one is the next, and the last day before it.
  const lastDay = month !== undefined && year !== undefined ? new Date(Date.UTC(year, month, 0)).getUTCDate() : 0;
  return `${text}-${lastDay}T23:59:59.999Z`;
}

/** `*` reaches all a caller may open, a key that project, nothing the caller's own place. */
export function readReach(given: string | undefined): Reach {
  if (given === undefined) return "here";
  return given === "*" ? "everywhere" : { projectKey: given };
}
