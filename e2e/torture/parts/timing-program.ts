import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { median } from "../../load/rounds.ts";
import { ROOT } from "../../support/process.ts";
import type { Timing } from "./timing.ts";

type Login = (candidates: string) => unknown;

// Imported by path, because the server does not export the comparison of tokens.
const { openLogin } = (await import(join(ROOT, "apps/server/src/plugins/authenticate.ts"))) as {
  openLogin(access: { tokens: readonly string[]; scopes: readonly string[] }, book: { bearer: Login }): Login;
};

const CALLS = 500;
const LENGTH = 64;

const aToken = () => randomBytes(LENGTH / 2).toString("hex");
const other = (character: string | undefined) => (character === "0" ? "1" : "0");

/** Copies a text into one piece: V8 joins the parts of a concatenated string at its first use, which takes time. */
const flat = (text: string) => Buffer.from(text, "latin1").toString("latin1");

/**
 * Makes guesses that are wrong in one place, new ones each time, so that a string's position in memory reveals nothing.
 */
function guesses(token: string): Readonly<Record<"first" | "last", readonly string[]>> {
  const wrongAt = (at: number) =>
    Array.from({ length: CALLS }, () => flat(token.slice(0, at) + other(token[at]) + token.slice(at + 1)));
  return { first: wrongAt(0), last: wrongAt(LENGTH - 1) };
}

function nsEach(login: Login, candidates: readonly string[]): number {
  const startedAt = process.hrtime.bigint();
  for (const guess of candidates) if (login(guess) !== undefined) throw new Error("a wrong token was let in");
  return Number(process.hrtime.bigint() - startedAt) / candidates.length;
}

const pairs = Number(process.argv[2]);
const took: Record<"first" | "last", number[]> = { first: [], last: [] };
for (let pair = -50; pair < pairs; pair++) {
  const token = aToken();
  // An access book without members, which answers at once.
  const login = openLogin({ tokens: [token], scopes: [] }, { bearer: () => undefined });
  const candidates = guesses(token);
  const order = pair % 2 === 0 ? (["first", "last"] as const) : (["last", "first"] as const);
  // Unmeasured rounds let the compiler optimise.
  for (const name of order) if (pair < 0) nsEach(login, candidates[name]);
  if (pair >= 0) for (const name of order) took[name].push(nsEach(login, candidates[name]));
}
const longer = took.first.filter((ns, at) => ns > (took.last[at] ?? 0)).length;
const timing: Timing = {
  z: (longer - pairs / 2) / (Math.sqrt(pairs) / 2),
  firstNs: median(took.first),
  lastNs: median(took.last),
};
process.stdout.write(JSON.stringify(timing));
