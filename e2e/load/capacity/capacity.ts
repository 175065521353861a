import { parseArgs } from "node:util";

const USAGE = `usage: node e2e/load/capacity/capacity.ts [options]

Lets a store over PostgreSQL grow month by month, and prints which limit comes next.

  --now N         memories today, 0 by default
  --daily N       new memories a day, 10000 by default
  --growth N      by so many percent more each month, 5 by default
  --dimensions N  of a vector, 1024 by default; 0 for none
  --ram GB        of the database's machine, 64 by default
  --disk GB       of it, 2000 by default
  --share N       percent of the store in one project at the most, 5 by default
  --years N       how far to look, 10 by default`;

const { values } = parseArgs({
  options: {
    now: { type: "string", default: "0" },
    daily: { type: "string", default: "10000" },
    growth: { type: "string", default: "5" },
    dimensions: { type: "string", default: "1024" },
    ram: { type: "string", default: "64" },
    disk: { type: "string", default: "2000" },
    share: { type: "string", default: "5" },
    years: { type: "string", default: "10" },
    help: { type: "boolean", default: false },
  },
});

function numberOf(name: Exclude<keyof typeof values, "help">): number {
  const number = Number(values[name]);
  if (Number.isFinite(number) && number >= 0 && values[name] !== "") return number;
  throw new Error(`\`--${name} ${values[name]}\` is no number from 0 on\n\n${USAGE}`);
}

const GB = 2 ** 30;
// Bytes for a text of eighty words: its row with indexes, tags, event, audit entry and key; its text; its postings.
const [ROW_BYTES, TEXT_BYTES, POSTING_BYTES] = [2300, 900, 6200];
// Each number of a vector takes two bytes in the row and two in the index; 550 bytes are for the index's links and the
// row's header.
const vectorBytes = (dimensions: number) => (dimensions === 0 ? 0 : 2 * dimensions + 550);
const indexBytes = (dimensions: number) => (dimensions === 0 ? 0 : 2 * dimensions + 550);
// The compressed code takes three bits per number, in a table and in that table's index.
const codeBytes = (dimensions: number) => (dimensions === 0 ? 0 : 2 * ((3 * dimensions) / 8 + 80));
// Share of memory left after the operating system and the connections, and share of a disk that may be used.
const [RAM_SHARE, DISK_SHARE] = [0.6, 0.7];
// Larger spaces are searched with the vector index, which misses a few rows.
const EXACT_UP_TO = 20_000;
// A word search over 100,000 memories took 17 ms of one core; a search is stopped after two seconds.
const [WHOLE_MS_EACH, GIVEN_UP_MS] = [17 / 100_000, 2000];
// A busy minute has ten times the mean load. Two cores for backend and database together handled this many writes per
// second.
const [BUSY, WRITES_A_SECOND] = [10, 400];
// From this number of rows, vacuuming a table or building an index takes hours.
const PARTITION_FROM = 1e8;

interface Limit {
  readonly name: string;
  readonly mend: string;
  readonly isReached: (memories: number, daily: number) => boolean;
}

function limits(): readonly Limit[] {
  const [dimensions, ram, disk, share] = [numberOf("dimensions"), numberOf("ram"), numberOf("disk"), numberOf("share")];
  const ofVector = vectorBytes(dimensions) + codeBytes(dimensions) + indexBytes(dimensions);
  const each = ROW_BYTES + TEXT_BYTES + POSTING_BYTES + ofVector;
  return [
    {
      name: `a project of ${share} % holds more than ${EXACT_UP_TO} memories: its vectors are found by an index`,
      mend: "nothing: the backend makes the index by itself",
      isReached: (memories) => dimensions > 0 && (memories * share) / 100 > EXACT_UP_TO,
    },
    {
      name: `the index of vectors fills ${RAM_SHARE * 100} % of ${ram} GB of memory`,
      mend: "more memory, or a model of fewer dimensions",
      isReached: (memories) => memories * indexBytes(dimensions) > ram * GB * RAM_SHARE,
    },
    {
      name: `${disk} GB of disk are ${DISK_SHARE * 100} % full`,
      mend: "a larger disk",
      isReached: (memories) => memories * each > disk * GB * DISK_SHARE,
    },
    {
      name: "a question by words over the whole store takes longer than a search may",
      mend: "ask within projects",
      isReached: (memories) => memories * WHOLE_MS_EACH > GIVEN_UP_MS,
    },
    {
      name: `a busy minute brings more than ${WRITES_A_SECOND} writes a second`,
      mend: "more cores for the database",
      isReached: (_, daily) => (daily / 86_400) * BUSY > WRITES_A_SECOND,
    },
    {
      name: "a table holds a hundred million rows: vacuum and new indexes take hours",
      mend: "partitions, or several servers by `shard`, neither of which is built",
      isReached: (memories) => memories > PARTITION_FROM,
    },
  ];
}

function simulate(): void {
  const [growth, months] = [1 + numberOf("growth") / 100, 12 * numberOf("years")];
  let [memories, daily] = [numberOf("now"), numberOf("daily")];
  let ahead = limits();
  for (let month = 0; month <= months && ahead.length > 0; month++) {
    for (const { name, mend } of ahead.filter(({ isReached }) => isReached(memories, daily)))
      console.log(`month ${month}, ${Math.round(memories).toLocaleString("en")} memories: ${name}\n  mend: ${mend}`);
    ahead = ahead.filter(({ isReached }) => !isReached(memories, daily));
    memories += daily * 30;
    daily *= growth;
  }
  for (const { name } of ahead) console.log(`not within ${values.years} years: ${name}`);
}

if (values.help) console.log(USAGE);
else simulate();
