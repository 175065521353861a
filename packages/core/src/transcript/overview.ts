import { cut } from "../text/cut.ts";
import type { Candidate } from "./candidate.ts";
import type { Carry } from "./carry.ts";
import { commandOf } from "./command-kinds.ts";
import { CUT, inFolder } from "./wording.ts";

const MANY_ERRORS = 3;
const MOST_LEFT = 3;

/** Summarises a session that ran into much trouble; undefined for any other. */
export function recoveryOf({ errors, failing, part, at = 0 }: Carry): Candidate | undefined {
  if (errors <= MANY_ERRORS) return undefined;
  const told = failing.slice(-3).map(({ command, error }) => `\`${commandOf(command)}\`: ${error}`);
  const text = [`Tools failed ${howMany(errors)} times in this session.`, ...told].join("\n");
  return { rule: "error_recovery", key: keyOf("errors", part), text, at: new Date(at) };
}

/** Summarises a session: request, files, what was learned and completed, what is left; undefined when nothing came of it. */
export function overviewOf(carry: Carry): Candidate | undefined {
  const { files, first, found, cwd, part, learned = [], done = [], failing, next, at = 0 } = carry;
  const paths = Object.entries(files).sort(([, a], [, b]) => b - a);
  if (paths.length === 0 && !found.decision && !found.realize && !found.finding && !found.fix) return undefined;
  const named = paths.slice(0, 10).map(([path]) => inFolder(path, cwd));
  const open = failing.filter(({ isOpen }) => isOpen).slice(-3);
  const left = [
    ...(next?.split("\n").slice(0, MOST_LEFT) ?? []),
    ...open.map(({ command, error }) => `\`${commandOf(command)}\` fails: ${error}`),
  ];
  const came = [
    ...(named.length > 0 ? [`It edited ${named.join(", ")}${paths.length > 10 ? ` and more` : ""}`] : []),
    ...(learned.length > 0 ? [`It learned: ${learned.join(" | ")}`] : []),
    ...(done.length > 0 ? [`It completed: ${done.join(" | ")}`] : []),
    ...(left.length > 0 ? [`Left to do: ${left.join(" | ")}`] : []),
  ].join("\n");
  const text = first ? `A session began with: ${cut(first, CUT.what)}\n${came}` : came.replace(/^It /, "A session ");
  return { rule: "session_summary", key: keyOf("summary", part), text, at: new Date(at) };
}

/** One a session, and one more for each time that it went on in another project. */
const keyOf = (what: string, part: number | undefined): string => (part ? `${what}#${part}` : what);

/** Rounded, so that a session that goes on does not say something new with every failure. */
const howMany = (errors: number): string => (errors < 10 ? "more than 3" : `more than ${errors - (errors % 10)}`);
