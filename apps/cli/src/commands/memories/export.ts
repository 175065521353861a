import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { archiveLines } from "@chest/core";
import { loadStores, RELEASE } from "@chest/runtime";
import { defineCommand } from "citty";
import { readConfig } from "../../connect/config.ts";
import { atStoreFile } from "../../connect/require-local-store.ts";
import { writeWhole } from "../../files/write-atomically.ts";
import { writeFolder } from "../../markdown/export-folder.ts";
import { COMMON, type ExitCode, type Shell } from "../../terminal/command-context.ts";
import { UsageError } from "../../terminal/usage.ts";

const FORMATS: readonly string[] = ["archive", "markdown"];

export const exportCommand = defineCommand({
  meta: {
    name: "export",
    description: "Write all memories of the store on this machine into one file, or a folder to be read",
  },
  args: {
    ...COMMON,
    format: {
      type: "string",
      description: "archive: one file, with everything; markdown: a folder, with a file for each memory",
      default: "archive",
      valueHint: FORMATS.join("|"),
    },
    out: { type: "string", description: "The file or folder to write; `-` is stdout", default: "-", valueHint: "path" },
    project: { type: "string", description: "Only what lies in this project", valueHint: "key" },
    vectors: { type: "boolean", description: "With the vectors: larger, and nothing has to be embedded again" },
  },
  async run({ args, data }): Promise<ExitCode> {
    const { env, output }: Shell = data;
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
        "`--json` needs `--out FILE`: stdout is taken by the archive",
        "`chest-index … --out FILE` writes it there",
      );
    const config = atStoreFile("export", readConfig(env));
    const { openExport } = await loadStores(() => import("@chest/store-sqlite"));
    const withVectors = args.vectors === true;
    const opened = openExport({ path: config.dbPath, project: args.project, withVectors });
    let records = 0;
    let tellOf: (detail: string) => void = () => undefined;
    function* counted() {
      for (const record of opened.records()) {
        records++;
        if (records % TELL_EVERY === 0) tellOf(`${records} records`);
        yield record;
      }
    }
    try {
      if (isFolder) {
        const memories = writeFolder(opened.records(), args.out);
        output.say(`exported ${memories} memories to ${args.out}`);
        output.document({ folder: args.out, format: args.format, memories, exit_code: 0 });
        return 0;
      }
      const about = {
        release: RELEASE,
        store_uid: opened.storeUid,
        exported_at: new Date().toISOString(),
        vectors: withVectors,
      };
      const lines = Readable.from(archiveLines(about, counted()));
      if (toStdout) await pipeline(lines, process.stdout, { end: false });
      else
        await output.working("exporting", (tell) => {
          tellOf = tell;
          return writeWhole(lines, args.out);
        });
    } finally {
      opened.close();
    }
    if (toStdout) return 0;
    output.say(`exported ${records} records to ${args.out}`);
    output.document({ file: args.out, records, vectors: withVectors, exit_code: 0 });
    return 0;
  },
});

const TELL_EVERY = 500;

/** By any of its names: as a path it would be opened anew, and its words would mix with those of the archive. */
const isStdout = (path: string): boolean => ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].includes(path);
