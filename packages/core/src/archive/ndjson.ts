import { createHash } from "node:crypto";
import { ChestError } from "@chest/contracts";
import { z } from "zod";
import { parsedJson } from "../text/json.ts";
import { type ArchiveRecord, archiveRecord, type SkippedRecord } from "./record.ts";

const FORMAT = "chest-archive";
const VERSION = 1;

const header = z.looseObject({ type: z.literal(FORMAT), version: z.int() });
const trailer = z.object({ type: z.literal("end"), records: z.int(), sha256: z.string() });

export interface ArchiveHeader {
  /** Release of Chest that wrote the archive. */
  readonly release: string;
  readonly store_uid: string;
  readonly exported_at: string;
  readonly vectors: boolean;
}

/** Lines of an archive: a header, the records, and a trailer that shows whether the file is complete. */
export async function* archiveLines(
  about: ArchiveHeader,
  records: Iterable<ArchiveRecord> | AsyncIterable<ArchiveRecord>,
): AsyncGenerator<string> {
  const sum = createHash("sha256");
  let count = 0;
  const line = (value: object) => {
    const text = `${JSON.stringify(value)}\n`;
    sum.update(text);
    return text;
  };
  yield line({ type: FORMAT, version: VERSION, ...about });
  for await (const record of records) {
    count++;
    yield line(record);
  }
  yield `${JSON.stringify({ type: "end", records: count, sha256: sum.digest("hex") })}\n`;
}

/** Reads an archive to its end; throws if it is no archive, of a newer version, truncated or altered. */
export async function checkArchive(lines: AsyncIterable<string>): Promise<void> {
  const sum = createHash("sha256");
  let last: string | undefined;
  let count = -1;
  for await (const line of lines) {
    if (last === undefined) readHeader(line);
    else {
      assertKinds(line, count + 2);
      sum.update(`${last}\n`);
    }
    last = line;
    count++;
  }
  if (last === undefined) throw notAnArchive("it is empty");
  const end = trailer.safeParse(parsedJson(last));
  if (!end.success) throw broken("it ends without its last line: it was cut short");
  if (end.data.records !== count - 1) throw broken(`it says ${end.data.records} records and has ${count - 1}`);
  if (end.data.sha256 !== sum.digest("hex")) throw broken("its lines are not the ones that were written");
}

/** Reads the records of a checked archive. Records of unknown kinds are left out and reported by name. */
export async function* readArchive(lines: AsyncIterable<string>): AsyncGenerator<ArchiveRecord | SkippedRecord> {
  let at = 0;
  for await (const line of lines) {
    at++;
    const value = parsedJson(line);
    if (header.safeParse(value).success || trailer.safeParse(value).success) continue;
    const record = archiveRecord.safeParse(value);
    if (record.success) yield record.data;
    else yield { type: "left", what: kindOf(value), ref: `line ${at}`, reason: reasonOf(record.error) };
  }
}

/** Records whose kind is checked in advance; a memory that the store refuses is left out alone. */
const WITH_KINDS = /"type":"(?:entity|link)"/;

/** Refuses an unknown kind in advance: its related records would be lost, or the import would stop half-way. */
function assertKinds(line: string, at: number): void {
  if (!WITH_KINDS.test(line)) return;
  const { error } = archiveRecord.safeParse(parsedJson(line));
  const issue = error?.issues.find(({ path }) => path.at(-1) === "kind");
  if (issue)
    throw new ChestError(
      "INVALID_INPUT",
      `line ${at} of the archive: \`${issue.path.join(".")}\` is of no known kind`,
      {
        hint: "correct the line's kind, or import with the release that wrote it; nothing was changed",
      },
    );
}

function readHeader(line: string): void {
  const found = header.safeParse(parsedJson(line));
  if (!found.success) throw notAnArchive("its first line is not the header of one");
  if (found.data.version > VERSION) {
    throw new ChestError(
      "INVALID_INPUT",
      `the archive is of version ${found.data.version}, this release reads ${VERSION}`,
      {
        hint: "import it with the release that wrote it, or a newer one",
      },
    );
  }
}

const kindOf = (value: unknown): string => {
  const type = (value as { type?: unknown } | undefined)?.type;
  return typeof type === "string" ? type.slice(0, 40) : "line";
};

const reasonOf = ({ issues: [issue] }: z.ZodError): string =>
  issue ? `\`${issue.path.join(".") || "type"}\` ${issue.code.replaceAll("_", " ")}` : "not readable";

const notAnArchive = (why: string) =>
  new ChestError("INVALID_INPUT", `the file is not an archive of Chest: ${why}`, {
    hint: "`chest-index export` makes one; for another format name it with `--from`",
  });

const broken = (why: string) =>
  new ChestError("INVALID_INPUT", `the archive is incomplete: ${why}`, {
    hint: "export it again, or copy it again; nothing was changed",
  });
