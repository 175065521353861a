import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { archiveLines } from "@chest/core";
import { loadStores, RELEASE, StartError } from "@chest/runtime";
import { defineCommand } from "citty";
import { readConfig } from "../config.ts";
import { COMMON, type ExitCode, type Shell } from "../shell.ts";
import { atStoreFile } from "../store-file.ts";
import { UsageError } from "../usage.ts";

export const exportCommand = defineCommand({
  meta: { name: "export", description: "Write all memories of the store on this machine into one file, line by line" },
  args: {
    ...COMMON,
    out: { type: "string", description: "The file to write; `-` is stdout", default: "-", valueHint: "file" },
    project: { type: "string", description: "Only what lies in this project", valueHint: "key" },
    vectors: { type: "boolean", description: "With the vectors: larger, and nothing has to be embedded anew" },
  },
  async run({ args, data }): Promise<ExitCode> {
    const { env, output }: Shell = data;
    const toStdout = args.out === "-";
    if (toStdout && args.json) throw new UsageError("`--json` wants `--out FILE`", "stdout is the archive's already");
    const config = atStoreFile("export", readConfig(env));
    const { openExport } = await loadStores(() => import("@chest/store-sqlite"));
    const withVectors = args.vectors === true;
    const opened = openExport({ path: config.dbPath, project: args.project, withVectors });
    let records = 0;
    function* counted() {
      for (const record of opened.records()) {
        records++;
        yield record;
      }
    }
    try {
      const about = {
        ...{ release: RELEASE, store_uid: opened.storeUid, exported_at: new Date().toISOString() },
        vectors: withVectors,
      };
      const lines = Readable.from(archiveLines(about, counted()));
      if (toStdout) await pipeline(lines, process.stdout, { end: false });
      else await writeWhole(lines, args.out);
    } finally {
      opened.close();
    }
    if (toStdout) return 0;
    output.say(`exported ${records} records to ${args.out}`);
    output.document({ file: args.out, records, vectors: withVectors, exit_code: 0 });
    return 0;
  },
});

/** The file gets its name when it is whole; its owner alone can read it. */
async function writeWhole(lines: Readable, file: string): Promise<void> {
  const unfinished = `${file}.${process.pid}.part`;
  try {
    await pipeline(lines, createWriteStream(unfinished, { mode: 0o600, flush: true }));
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || !/^E[A-Z]+$/.test(code)) throw error;
    throw new StartError(
      `\`${file}\` cannot be written (${code})`,
      "name a file in a folder that you can write to",
      error,
    );
  }
}
