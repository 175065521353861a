import { createReadStream, existsSync, realpathSync } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { dirname } from "node:path";
import {
  type ArchiveRecord,
  checkArchive,
  type ImportReport,
  readArchive,
  readMcpMemory,
  type SkippedRecord,
} from "@chest/core/archive";
import { ensureFolder, loadStores, RELEASE, StartError } from "@chest/runtime";
import { type Config, type Flags, readConfig } from "../connect/config.ts";
import { identityOfNew } from "../connect/models-config.ts";
import { atStoreFile } from "../connect/require-local-store.ts";
import type { ExitCode, Shell } from "../terminal/command-context.ts";
import { UsageError } from "../terminal/usage.ts";
import { FOREIGN_NAMES, readForeign, takesFolder } from "./foreign-formats.ts";
import { importThere, type RecordFlags } from "./import-there.ts";

type Records = AsyncIterable<ArchiveRecord | SkippedRecord> | Iterable<ArchiveRecord | SkippedRecord>;

/** Readers by import format. */
const FORMATS: Readonly<Record<string, (file: string, config: Config) => Promise<Records>>> = {
  async chest15(file, { dbPath }) {
    const { readChest15 } = await loadStores(() => import("@chest/store-sqlite"));
    // The temporary copy goes into the store's folder if that exists, because its disk has room for it.
    return readChest15(file, new Date(), existsSync(dirname(dbPath)) ? dirname(dbPath) : undefined);
  },
  "mcp-memory": async (file) => readMcpMemory(linesIn(file), new Date()),
  ...Object.fromEntries(FOREIGN_NAMES.map((name) => [name, (path: string) => readForeign(name, path)])),
};
/** Formats that can be imported only into a store on this machine. */
const ONLY_HERE = ["archive", "chest15"];
export const FORMAT_NAMES = Object.keys(FORMATS).join(", ");

/** Imports the records of an archive or of another system into this machine's store, without duplicates. */
export async function runRecordImport(
  importFlags: ImportFlags,
  flags: RecordFlags,
  { env, output }: Shell,
): Promise<ExitCode> {
  const { project, isDry } = flags;
  const source = readSource(importFlags);
  const read = readConfig(env, importFlags);
  if (read.remote && !ONLY_HERE.includes(source.format)) {
    await assertReadable(source, read);
    const { remote } = read;
    const report = await output.working("importing", async (tell) =>
      importThere(remote, counted(await source.open(read), tell), flags),
    );
    return show(report, { ...source, isDry, into: remote.url });
  }
  const config = atStoreFile("import", read);
  await assertReadable(source, config);
  const records = await source.open(config);
  const active = isDry ? undefined : identityOfNew(config, env);
  const { database } = config;
  const report = await output.working("importing", async (tell) => {
    const options = { active, records: counted(records, tell), isDry, release: RELEASE, project };
    if (database) {
      const { importRecords } = await loadStores(() => import("@chest/store-postgres"));
      return importRecords({ ...database, ...options });
    }
    if (!isDry) ensureFolder(dirname(config.dbPath));
    const { importRecords } = await loadStores(() => import("@chest/store-sqlite"));
    return importRecords({ path: config.dbPath, ...options });
  });
  return show(report, { ...source, isDry, into: database?.shown ?? config.dbPath });

  function show(found: ImportReport, about: Parameters<typeof linesOf>[1]): ExitCode {
    const isPartial = found.left.some(({ isByDesign }) => !isByDesign);
    for (const line of linesOf(found, about)) output.show(line);
    if (about.format === "chest15" && project === undefined) output.say(ONE_FOR_ALL);
    output.document({ ...documentOf(found, about), exit_code: Number(isPartial) });
    return isPartial ? 1 : 0;
  }
}

const ONE_FOR_ALL =
  "1.5 had no projects: these memories are read in all of them, and new ones belong to the project that they are written in; for one project for all, as in 1.5: `import --project NAME`, and CHEST_PROJECT=NAME for the agents";

const TELL_EVERY = 500;

/** Passes records through and reports their number now and then. */
async function* counted(
  records: Records,
  tell: (detail: string) => void,
): AsyncGenerator<ArchiveRecord | SkippedRecord> {
  let count = 0;
  for await (const record of records) {
    count += 1;
    if (count % TELL_EVERY === 0) tell(`${count} records`);
    yield record;
  }
}

interface Source {
  readonly format: string;
  readonly file: string;
  open(config: Config): Promise<Records>;
}

interface ImportFlags extends Flags {
  readonly file?: string | undefined;
  readonly from?: string | undefined;
  readonly archive?: string | undefined;
}

function readSource({ file, from, archive }: ImportFlags): Source {
  if (archive !== undefined && from === undefined && file === undefined) {
    const open = async () => {
      // The archive is checked completely first, so that a truncated copy changes nothing.
      await checkArchive(linesIn(archive));
      return readArchive(linesIn(archive));
    };
    return { format: "archive", file: archive, open };
  }
  if (archive !== undefined) throw new UsageError("`--archive` names the file by itself", IMPORT_HINT);
  if (from === undefined) throw new UsageError("nothing to import was named", IMPORT_HINT);
  const read = Object.hasOwn(FORMATS, from) ? FORMATS[from] : undefined;
  if (!read)
    throw new UsageError(`\`--from ${from.slice(0, 40)}\` is not a known format`, `use one of ${FORMAT_NAMES}`);
  if (file === undefined) throw new UsageError(`\`--from ${from}\` needs a file`, IMPORT_HINT);
  return { format: from, file, open: (config) => read(file, config) };
}

export const IMPORT_HINT =
  "`chest-index import --all` for this machine's sessions; `--from chest15 FILE`, `--from FORMAT FILE` or `--archive FILE`";

async function assertReadable({ file, format }: Source, { dbPath }: Config): Promise<void> {
  try {
    await access(file, constants.R_OK);
  } catch (error) {
    const { code = "unreadable" } = error as NodeJS.ErrnoException;
    throw new StartError(`\`${file}\` cannot be read (${code})`, "name the file to import");
  }
  const isFolder = (await stat(file)).isDirectory();
  if (isFolder && !takesFolder(format)) throw new StartError(`\`${file}\` is a folder`, "name the file to import");
  const isStore = await access(dbPath).then(
    () => realpathSync(dbPath) === realpathSync(file),
    () => false,
  );
  if (!isStore) return;
  throw new StartError(
    `\`${file}\` is where the store itself is to be`,
    "name another file for the store: `CHEST_DB_PATH=FILE chest-index …`, and start with that one afterwards",
  );
}

/** Splits at newlines only: `readline` also splits at U+2028, which a text may contain. */
async function* linesIn(file: string): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of createReadStream(file, "utf8")) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

interface About {
  readonly format: string;
  readonly file: string;
  readonly isDry: boolean;
}

/** Renders the outcome of an import. */
function linesOf(report: ImportReport, { format, file, isDry, into }: About & { into: string }): string[] {
  const { memories, entities, links, edits, vectors, keptIds, left } = report;
  const ids = memories.inserted === 0 ? "" : keptIds ? ", with their ids" : ", with new ids";
  return [
    `${isDry ? "would import" : "imported"} ${format} from ${file} into ${into}`,
    `memories: ${memories.inserted} ${isDry ? "to come in" : "came in"}${ids}; ${memories.unchanged} were there; ${memories.left} left`,
    `entities: ${entities.inserted} new, ${entities.known} known; links: ${links}; file edits: ${edits}`,
    ...(vectors.kept + vectors.dropped > 0
      ? [`vectors: ${vectors.kept} kept, ${vectors.dropped} to be made again`]
      : []),
    ...left.map(({ what, reason, count, refs }) => {
      const which = refs.length < count ? `${refs.join(", ")}, …` : refs.join(", ");
      return `left ${count} ${what}${count === 1 ? "" : "s"}: ${reason} (${which})`;
    }),
  ];
}

const documentOf = (report: ImportReport, { format, file, isDry }: About) => ({
  dry_run: isDry,
  from: format,
  file,
  memories: report.memories,
  entities: report.entities,
  links: report.links,
  edits: report.edits,
  work: report.work,
  vectors: report.vectors,
  kept_ids: report.keptIds,
  left: report.left.map(({ isByDesign, ...group }) => ({ ...group, by_design: isByDesign })),
});
