import { z } from "zod";
import type { Caller } from "../access/caller.ts";
import { readBetween } from "../moments/read-moment.ts";
import { readFields } from "../tool.ts";
import * as field from "../tools/fields.ts";

/** Fields of a request for changes. */
export const EVENT_FIELDS = z.strictObject({
  after: z.string().max(100).optional().describe("Cursor of the last event that is known: a `seq` or `last`"),
  member: z.string().max(64).optional().describe("Only changes that this member made"),
  project: field.project().optional().describe("Only memories of this project"),
  since: field.moment().optional(),
  until: field.moment().optional(),
  time_zone: field.timeZone(),
});

/** Changes that are asked for. */
export interface EventFilter {
  readonly member?: string | undefined;
  /** Key of a project. */
  readonly project?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/** Reads a request for changes. Days are those of the caller's time zone. */
export function readEventQuery(
  input: unknown,
  { now, caller }: { readonly now: Date; readonly caller: Pick<Caller, "timeZone"> },
): { readonly after: string | undefined; readonly filter: EventFilter } {
  const { after, member, project, time_zone: timeZone, ...asked } = readFields(EVENT_FIELDS, input);
  const { since, until } = readBetween(asked, timeZone, { now, timeZone: caller.timeZone });
  // A star stands for all projects, as elsewhere.
  return { after, filter: { member, project: project === "*" ? undefined : project, since, until } };
}
