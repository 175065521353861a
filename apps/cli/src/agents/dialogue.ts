import { homedir } from "node:os";
import { dirname, sep } from "node:path";
import type { Output } from "../terminal/output.ts";
import { ask } from "./ask.ts";
import type { AgentClient } from "./clients.ts";
import { type Choice, readPick } from "./pick.ts";
import type { Step } from "./step.ts";

/** A line of the list that `setup` shows before it changes anything. */
export interface Offer extends Choice {
  readonly title: string;
  /** Words beside the title: the files that change, or the time that it takes. */
  readonly note: string;
  /** The agent; undefined for the past sessions. */
  readonly client?: AgentClient;
  /** True if one of the agent's files cannot be edited; the note says so, and the agent is left out. */
  readonly isBroken?: boolean;
}

/** One agent, with its files that a dry run would change; undefined where all is as it should be. */
export function offerOf(client: AgentClient, dataDir: string, steps: readonly Step[]): Offer | undefined {
  const failed = steps.find(({ outcome }) => outcome === "failed");
  const changing = steps.filter(({ outcome }) => outcome === "added" || outcome === "updated" || outcome === "removed");
  const paths = [...new Set(changing.flatMap(({ path }) => path ?? []))];
  const theirs = paths.filter((path) => !path.startsWith(dataDir + sep));
  const note =
    failed?.note ??
    inFolders(theirs.length > 0 ? theirs : paths)
      .map(fromHome)
      .join(", ");
  if (note === "") return undefined;
  return { title: client.title, labels: [client.name, client.title], note, client, isBroken: failed !== undefined };
}

export const HISTORY = ["past sessions", "sessions", "past", "history"];

export function sayOffers(output: Output, heading: string, offers: readonly Offer[]): void {
  output.say(heading);
  const widest = Math.max(...offers.map(({ title }) => title.length));
  for (const [at, { title, note }] of offers.entries())
    output.show(`${String(at + 1).padStart(3)}  ${title.padEnd(widest)}  ${note}`);
}

/** Repeats a question until the answer is valid. Picks nothing if the user says no or closes the terminal. */
export async function picked(question: string, offers: readonly Offer[]): Promise<readonly Offer[]> {
  const some = offers.length > 1 ? ", or some of them, as in `1,2` or by name" : "";
  for (;;) {
    const answer = await ask(`${question} [y: ${offers.length > 1 ? "all" : "yes"}, n: no${some}] `);
    if (answer === undefined) return [];
    const found = readPick(answer, offers);
    if (found) return found;
    const said = answer === "" ? "an answer is needed" : `\`${answer.slice(0, 60)}\` is not in the list`;
    process.stderr.write(`${said}: type y for ${offers.length > 1 ? "all" : "yes"}, n for no${some}\n`);
  }
}

const MANY = 3;

/** Files as they are, and a folder for many in one. */
function inFolders(paths: readonly string[]): string[] {
  const shown = paths.map((path) => {
    const folder = dirname(path);
    return paths.filter((other) => dirname(other) === folder).length < MANY ? path : folder + sep;
  });
  return [...new Set(shown)];
}

const fromHome = (path: string): string =>
  path.startsWith(homedir() + sep) ? `~${path.slice(homedir().length)}` : path;
