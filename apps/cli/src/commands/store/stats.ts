import { statSync } from "node:fs";
import { listEntities } from "@chest/core/tools";
import { readConfig } from "../../connect/config.ts";
import { atWorkbench } from "../../connect/tools.ts";
import { reachingCommand } from "../../terminal/command-context.ts";
import { counted } from "../../terminal/parse-numbers.ts";
import { someFlags } from "../../terminal/schema-flags.ts";

interface Counts {
  readonly entity_count: number;
  readonly memory_count: number;
  readonly pinned_count: number;
  readonly by_layer: Readonly<Record<string, number>>;
  readonly by_entity_kind: Readonly<Record<string, number>>;
  /** Fields that older backends do not send. */
  readonly file_edits?: number;
  readonly unique_files?: number;
  readonly sessions_seen?: number;
  readonly consolidations?: number;
  readonly top_files?: readonly { readonly file_path: string; readonly edits: number }[];
  readonly date_range?: { readonly oldest: string | null; readonly newest: string | null };
}

const FLAGS = someFlags(listEntities.input, {
  limit: { flag: "top", words: "How many entities and files to list", usual: "5" },
});

export const stats = reachingCommand({
  meta: { name: "stats", description: "Count what is stored, by layer and kind, that you may see" },
  args: {
    ...FLAGS.args,
  },
  async run(args, { env, output }) {
    const input = FLAGS.read(args);
    const config = readConfig(env, args);
    const [counts, listed] = await atWorkbench(config, undefined, async ({ execute, read }) => [
      (await read("memory://stats")) as unknown as Counts,
      await execute("chest_list_entities", input),
    ]);
    const { entity_count, memory_count, pinned_count, by_layer, by_entity_kind } = counts;
    const top = (listed.entities as readonly { name: string; kind: string; memory_count: number }[]).map(
      ({ name, kind, memory_count: memories }) => ({ name, kind, memories }),
    );
    const sizes = config.remote || config.database ? {} : sizesOf(config.dbPath);
    for (const [name, value] of Object.entries(sizes)) output.show(`${name}: ${value}`);
    output.show(`memories: ${memory_count}, ${pinned_count} pinned; entities: ${entity_count}`);
    if (counts.file_edits) output.show(`edits: ${counts.file_edits} of ${counted(counts.unique_files ?? 0, "file")}`);
    if (counts.sessions_seen) output.show(`sessions: ${counts.sessions_seen}`);
    if (counts.consolidations) output.show(`consolidated: ${counts.consolidations}`);
    if (counts.date_range?.oldest)
      output.show(`made: ${dayOf(counts.date_range.oldest)} to ${dayOf(counts.date_range.newest)}`);
    output.show(`by layer: ${listOf(by_layer)}`);
    output.show(`by kind: ${listOf(by_entity_kind)}`);
    if (top.length > 0) output.show("most active:");
    output.rows(top.map(({ name, kind, memories }) => [`  ${counted(memories, "memory", "memories")}`, name, kind]));
    const files = counts.top_files?.slice(0, Number(input.limit));
    output.rows((files ?? []).map(({ file_path, edits }) => [`  ${counted(edits, "edit")}`, file_path]));
    output.document({
      ...sizes,
      counts: {
        entities: entity_count,
        memories: memory_count,
        file_edits: counts.file_edits,
        unique_files: counts.unique_files,
        sessions_seen: counts.sessions_seen,
        consolidations: counts.consolidations,
      },
      pinned: pinned_count,
      realize_protected: by_layer.realize ?? 0,
      layer_breakdown: Object.entries(by_layer).map(([layer, c]) => ({ layer, c })),
      entity_kinds: Object.entries(by_entity_kind).map(([kind, c]) => ({ kind, c })),
      date_range: counts.date_range,
      top_entities: top,
      top_files: files,
    });
  },
});

const dayOf = (at: string | null): string => at?.slice(0, 10) ?? "";

const listOf = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ") || "none";

/** Size of the store's file, as text and as a number. */
function sizesOf(dbPath: string): { db_path: string; db_size: number; db_size_human: string } {
  const size = statSync(dbPath).size;
  return { db_path: dbPath, db_size: size, db_size_human: `${(size / 1_048_576).toFixed(1)} MB` };
}
