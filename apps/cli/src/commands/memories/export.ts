import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type ArchiveRecord, archiveLines } from "@chest/core/archive";
import { loadStores, RELEASE } from "@chest/runtime";
import { type Config, readConfig } from "../../connect/config.ts";
import { atStoreFile } from "../../connect/require-local-store.ts";
import { writeWhole } from "../../files/write-atomically.ts";
import { writeFolder } from "../../markdown/export-folder.ts";
import { DATABASE, ownCommand } from "../../terminal/command-context.ts";
import { counted } from "../../terminal/parse-numbers.ts";
import { UsageError } from "../../terminal/usage.ts";

const FORMATS: readonly string[] = ["archive", "markdown"];

export const exportCommand = ownCommand({
  meta: {
    name: "export",
    description:
      "Export all memories of the store on this machine, or of its database, to one file or a readable folder",
  },
  args: {
    format: {
      type: "string",
      description: "archive: one file, with everything; markdown: a folder, with a file for each memory",
      default: "archive",
      valueHint: FORMATS.join("|"),
    },
    out: { type: "string", description: "The file or folder to write; `-` is stdout", default: "-", valueHint: "path" },
    database: DATABASE,
    project: { type: "string", description: "Only this project", valueHint: "key" },
    vectors: { type: "boolean", description: "With the vectors: larger, and nothing has to be embedded again" },
  },
  async run(args, { env, output }) {
    const toStdout = isStdout(args.out);
    const isFolder = args.format === "markdown";
    if (!FORMATS.includes(args.format)) {
      throw new UsageError(
        `\`--format ${args.format.slice(0, 40)}\` is not a format`,
        `use one of ${FORMATS.join(", ")}`,
      );
    }
    if (isFolder && toStdout) throw new UsageError("`--format markdown` needs a folder", "name it with `--out FOLDER`");
    if (isFolder && args.vectors)
      throw new UsageError("`--vectors` is for archives", "leave it out: Markdown has none");
    if (toStdout && args.json)
      throw new UsageError(
        "`--json` needs `--out FILE`: the archive goes to stdout",
        "`chest-index … --out FILE` writes it there",
      );
    const config = atStoreFile("export", readConfig(env, args));
    const withVectors = args.vectors === true;
    let records = 0;
    let tellOf: (detail: string) => void = () => undefined;
    async function* reported(opened: ExportSource) {
      for await (const record of opened.records) {
        records++;
        if (records % TELL_EVERY === 0) tellOf(`${records} records`);
        yield record;
      }
    }
    const memories = await withExport(config, { project: args.project, withVectors }, async (opened) => {
      if (isFolder) return writeFolder(opened.records, args.out);
      const about = {
        release: RELEASE,
        store_uid: opened.storeUid,
        exported_at: new Date().toISOString(),
        vectors: withVectors,
      };
      const lines = Readable.from(archiveLines(about, reported(opened)));
      if (toStdout) await pipeline(lines, process.stdout, { end: false });
      else
        await output.working("exporting", (tell) => {
          tellOf = tell;
          return writeWhole(lines, args.out);
        });
      return undefined;
    });
    if (memories !== undefined) {
      output.say(`exported ${counted(memories, "memory", "memories")} to ${args.out}`);
      output.document({ folder: args.out, format: args.format, memories, exit_code: 0 });
      return 0;
    }
    if (toStdout) return 0;
    output.say(`exported ${counted(records, "record")} to ${args.out}`);
    output.document({ file: args.out, records, vectors: withVectors, exit_code: 0 });
    return 0;
  },
});

interface ExportSource {
  readonly storeUid: string;
  readonly records: AsyncIterable<ArchiveRecord>;
}

interface ExportSelection {
  readonly project: string | undefined;
  readonly withVectors: boolean;
}

/** Opens a snapshot of the store, in its file or its database. */
async function withExport<T>(
  { database, dbPath }: Config,
  wanted: ExportSelection,
  work: (opened: ExportSource) => Promise<T>,
): Promise<T> {
  if (database) {
    const { exportRecords } = await loadStores(() => import("@chest/store-postgres"));
    return exportRecords({ ...database, ...wanted }, work);
  }
  const { exportRecords } = await loadStores(() => import("@chest/store-sqlite"));
  return exportRecords({ path: dbPath, ...wanted }, work);
}

const TELL_EVERY = 500;

/** Tells whether a path is another name of stdout. Opening it as a file would mix messages into the archive. */
const isStdout = (path: string): boolean => ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].includes(path);
