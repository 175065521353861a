/** Memory as it is written to a file. */
export interface ExportedMemory {
  readonly id: number;
  readonly title?: string | null | undefined;
  readonly content: string;
  readonly layer: string;
  readonly entity: { readonly name: string };
  readonly tags?: readonly string[] | undefined;
  readonly importance?: number | undefined;
  readonly created_at: number;
}

const dateOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** A cell that begins like a formula would be run by a spreadsheet. */
function cell(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return `"${safe.replaceAll('"', '""')}"`;
}

const COLUMNS = ["id", "title", "content", "layer", "entity", "tags", "importance", "created_at"] as const;

function csv(memories: readonly ExportedMemory[]): string {
  const rows = memories.map(({ id, title, content, layer, entity, tags = [], importance, created_at: at }) =>
    [String(id), title ?? "", content, layer, entity.name, tags.join(" "), String(importance ?? ""), dateOf(at)]
      .map(cell)
      .join(","),
  );
  return [COLUMNS.join(","), ...rows].join("\r\n");
}

const markdown = (memories: readonly ExportedMemory[]): string =>
  memories
    .map(({ id, title, content, layer, entity, tags = [], created_at: at }) =>
      [
        `## ${title ?? `Memory ${id}`}`,
        "",
        content,
        "",
        `*${[`#${id}`, layer, entity.name, ...tags.map((tag) => `#${tag}`), dateOf(at)].join(" · ")}*`,
      ].join("\n"),
    )
    .join("\n\n");

const json = (memories: readonly ExportedMemory[]): string =>
  JSON.stringify(
    memories.map(({ id, title, content, layer, entity, tags = [], importance, created_at: at }) => ({
      ...{ id, title: title ?? null, content, layer, entity: entity.name, tags, importance: importance ?? null },
      created_at: dateOf(at),
    })),
    undefined,
    2,
  );

/** Forms that a selection is exported in. */
export const EXPORTS = {
  json: { type: "application/json", write: json },
  md: { type: "text/markdown", write: markdown },
  csv: { type: "text/csv", write: csv },
} as const;
export type ExportKind = keyof typeof EXPORTS;
