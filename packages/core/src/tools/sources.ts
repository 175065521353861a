import { z } from "zod";
import type { Warning } from "../answers/wire.ts";
import type { Memory } from "../memory/memory.ts";
import {
  MAX_SOURCE_CHARS,
  MAX_SOURCES,
  type NewSource,
  readSourcePlace,
  repositoryPath,
  sourceText,
} from "../memory/source.ts";
import type { Store, Writes } from "../ports/store.ts";
import { invalid } from "../tool.ts";
import { FROM_CLIENTS } from "./fields.ts";
import { clean } from "./metadata.ts";

const path = () => z.string().min(1).max(MAX_SOURCE_CHARS);
const line = () => z.int().min(1).max(9_999_999).optional();
export const hash = () => z.string().regex(/^[0-9a-f]{64}$/, "is not a SHA-256 in hex");
export const commit = () => z.string().regex(/^[0-9a-f]{7,64}$/);

/** Feature of a backend that accepts sources which a client has read. */
export const SOURCES_FEATURE = "sources";

/** Arguments for the sources of a memory. */
export const sourceFields = {
  source: z
    .array(path())
    .max(MAX_SOURCES)
    .optional()
    .meta({ emptyClears: true })
    .describe("Files behind it: `path:line`"),
  source_state: z
    .array(
      z.strictObject({ path: path(), line: line(), end_line: line(), hash: hash(), git_commit: commit().optional() }),
    )
    .max(MAX_SOURCES)
    .optional()
    .meta({
      ...FROM_CLIENTS,
      feature: SOURCES_FEATURE,
      description: "What a client has read of the files in `source`",
    }),
};

type SourceArguments = z.output<z.ZodObject<typeof sourceFields>>;

/** Sources as a client read them or as the caller names them; undefined if there are none. */
export function readSources({ source, source_state: state }: SourceArguments): readonly NewSource[] | undefined {
  if (source === undefined) return undefined;
  const sources: NewSource[] = state
    ? state.map(({ path, line, end_line: endLine, hash, git_commit: gitCommit }) => ({
        path: clean(repositoryPath(path, "source")),
        line,
        endLine,
        hash,
        gitCommit,
      }))
    : source.map((input, at) => {
        const place = readSourcePlace(input, `source.${at}`);
        return { ...place, path: clean(repositoryPath(place.path, `source.${at}`)) };
      });
  const paths = sources.map((each) => each.path);
  const twice = paths.findIndex((each, at) => paths.indexOf(each) !== at);
  if (twice < 0) return sources;
  throw invalid([
    { path: `source.${twice}`, message: "names a file that is already there: give it one range of lines" },
  ]);
}

export async function putSources(
  tx: Writes,
  memory: Memory,
  sources: readonly NewSource[] | undefined,
  replaces?: "all",
): Promise<void> {
  if (sources && (sources.length > 0 || replaces)) await tx.sources.put(memory, sources, replaces);
}

/** Warns of sources that no client has read, because a change to them will not be noticed. */
export function sourceWarnings(sources: readonly NewSource[] = []): Warning[] {
  const unread = sources.filter(({ hash }) => hash === undefined);
  if (unread.length === 0) return [];
  const names = unread.map((each) => `\`${sourceText(each)}\``).join(", ");
  return [
    {
      reason: "source_not_hashed",
      message: `${names}: noted without a hash, since this backend has no files; \`chest_verify\` with \`accept\` beside the files adds it`,
    },
  ];
}

/** Most files that a client checks for one answer. */
const MOST_COMPARED = 50;

/** Hashes of the files that some memories of the caller's project come from. */
export async function hashesOf(ids: readonly number[], { sources: { find } }: Pick<Store, "sources">) {
  if (ids.length === 0) return [];
  const { sources } = await find({ reach: "everywhere", ids, isHere: true, limit: MOST_COMPARED });
  return sources.flatMap(({ memoryId, path, hash }) =>
    hash === undefined ? [] : [{ memory_id: memoryId, path, hash }],
  );
}
