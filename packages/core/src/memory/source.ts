import { ChestError } from "@chest/contracts";
import { invalid } from "../tool.ts";

export const SOURCE_STATUSES = ["ok", "stale", "missing", "unknown"] as const;
export type SourceStatus = (typeof SOURCE_STATUSES)[number];

export const MAX_SOURCES = 20;
export const MAX_SOURCE_CHARS = 1024;

/** Lines of a file, by its path in the repository. */
export interface SourcePlace {
  readonly path: string;
  readonly line?: number | undefined;
  readonly endLine?: number | undefined;
}

/** Source of a memory, as a client has read it. */
export interface NewSource extends SourcePlace {
  /** SHA-256 of the whole file, in hex; undefined where no client has read it. */
  readonly hash?: string | undefined;
  readonly gitCommit?: string | undefined;
}

const LINES = /^(.+?):([1-9]\d{0,6})(?:-([1-9]\d{0,6}))?$/s;

/** Reads `path`, `path:10` or `path:10-20`. @param field argument that it stands in. */
export function readSourcePlace(input: string, field: string): SourcePlace {
  const text = input.trim();
  const [, path = text, first, last] = LINES.exec(text) ?? [];
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) {
    throw invalid([{ path: field, message: "is an address, not a file: `evidence` takes it" }]);
  }
  if (path === "" || path.includes("\0")) throw invalid([{ path: field, message: "names no file: write `path:line`" }]);
  const line = first === undefined ? undefined : Number(first);
  const endLine = last === undefined ? undefined : Number(last);
  if (line !== undefined && endLine !== undefined && endLine < line) {
    throw invalid([{ path: field, message: `ends at line ${endLine}, before line ${line} where it begins` }]);
  }
  return { path, line, ...(endLine === line ? {} : { endLine }) };
}

/** The place as it is written. */
export const sourceText = ({ path, line, endLine }: SourcePlace): string =>
  [path, ...(line === undefined ? [] : [`:${line}`]), ...(endLine === undefined ? [] : [`-${endLine}`])].join("");

/** A path as the store keeps it, relative to its repository with `/` between; `INVALID_INPUT` for any other. */
export function repositoryPath(path: string, field: string): string {
  const parts = path
    .replaceAll("\\", "/")
    .split("/")
    .filter((part) => part !== "" && part !== ".");
  const isAbsolute = /^(?:[\\/]|[a-z]:)/i.test(path);
  if (!isAbsolute && parts.length > 0 && !parts.includes("..")) return parts.join("/");
  throw new ChestError("INVALID_INPUT", `${field}: \`${path.slice(0, 500)}\` is not a path inside the project`, {
    hint: "write it from the top of the repository, such as `src/a.ts:10`; the stdio client takes any path in the open folders",
    details: { field },
  });
}

/** Gain in confidence after a check that found the source unchanged, and its limit. */
const CONFIRMED_BY = 0.02;
const MOST_CONFIRMED = 0.95;

/** Confidence after a confirmation, at most one step on a day of UTC; an explicit value above the limit stays. */
export function confirmedConfidence(confidence: number, lastVerifiedAt: Date | undefined, now: Date): number {
  if (lastVerifiedAt && dayOf(lastVerifiedAt) === dayOf(now)) return confidence;
  return Math.max(confidence, Math.min(MOST_CONFIRMED, Math.round((confidence + CONFIRMED_BY) * 1000) / 1000));
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
