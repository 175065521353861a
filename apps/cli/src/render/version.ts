import { changeWords } from "@chest/core/memory";
import { onOneLine } from "../terminal/strip-control-characters.ts";
import { wrapped } from "./memory.ts";

/** Versions of a memory as its resource returns them, newest first. */
export interface ShownHistory {
  readonly id: number;
  readonly entity: string;
  readonly state: string;
  readonly total: number;
  readonly versions: readonly ShownVersion[];
}

interface ShownVersion {
  readonly version: number;
  readonly content: string;
  readonly layer?: string;
  readonly tags: readonly string[];
  readonly since?: string;
  readonly until?: string;
  readonly ended_by?: string;
  readonly reason?: string;
  readonly moved_from?: string;
  readonly moved_to?: string;
  readonly changed_by?: string;
}

/** Renders a line about each version, with its text. */
export function versionLines({ id, entity, state, total, versions }: ShownHistory): string[] {
  const columns = process.stdout.columns ?? 80;
  const rest = total - versions.length;
  return [
    `#${id}  ${onOneLine(entity)}  ${state}, ${total} ${total === 1 ? "version" : "versions"}`,
    "",
    ...versions.flatMap((version) => [headOf(version), ...wrapped(version.content, columns), ""]),
    ...(rest > 0 ? [`${rest} more: \`--limit\``] : []),
  ];
}

function headOf({ version, layer, tags, since, until, ended_by, reason, changed_by, ...rest }: ShownVersion): string {
  const when = until
    ? `until ${minuteOf(until)}: ${changeWords(ended_by, rest.moved_from, rest.moved_to)}${reason ? ` (${reason})` : ""} by ${changed_by}`
    : `since ${minuteOf(since)}`;
  return onOneLine([`v${version}`, when, layer, ...tags.map((tag) => `#${tag}`)].filter(Boolean).join("  "));
}

const minuteOf = (at = ""): string => at.slice(0, 16).replace("T", " ");
