import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { cleanEnv, NODE_24 } from "../../support/process.ts";
import type { Part } from "../part.ts";

/** Limit in standard deviations; a fair coin exceeds it less than once in a million. */
const LIMIT = 5;

const run = promisify(execFile);

export interface Timing {
  /**
   * Result of the sign test over pairs: how far the share of pairs in which the first takes longer is from half, in
   * standard deviations.
   */
  readonly z: number;
  readonly firstNs: number;
  readonly lastNs: number;
}

/** Part in which an attacker guesses a token and measures the time. */
export const timing: Part = {
  name: "timing",
  does: "tokens wrong in their first or in their last character, alternately, given to the comparison itself",
  holds: [
    {
      says: `both take the same time, within ${LIMIT} standard deviations of a sign test`,
      guards: [
        {
          name: "digests are compared, in constant time",
          edits: [
            {
              file: "apps/server/src/plugins/authenticate.ts",
              find: "return digests.map((each) => timingSafeEqual(digest, each)).includes(true);",
              put: `if (digest.length === 0) return false;
                return expected.some((token) => {
                  for (let at = 0; at < token.length; at++) if (token[at] !== given[at]) return false;
                  return true;
                });`,
            },
          ],
          shows: /the clock tells/,
        },
      ],
    },
  ],
  rounds: { long: 4000, short: 600, unguarded: 600 },
  counted: "pairs of 500 comparisons",

  async run({ rounds, env }) {
    const program = join(import.meta.dirname, "timing-program.ts");
    const measured = async (): Promise<Timing> => {
      const { stdout } = await run(NODE_24, [program, String(rounds)], { env: cleanEnv(env) });
      return JSON.parse(stdout);
    };
    const first = await measured();
    // The memory positions of the two tokens in one process make one hundredth of difference; a real leak shows in
    // every process.
    const again = Math.abs(first.z) > LIMIT ? await measured() : first;
    const isSameWay = Math.sign(again.z) === Math.sign(first.z);
    const { z, firstNs, lastNs } = again;
    const figures = {
      "ns, wrong in the first": Math.round(firstNs),
      "ns, wrong in the last": Math.round(lastNs),
      z: z.toFixed(1),
    };
    const fault = `the clock tells where a token is wrong: z is ${z.toFixed(1)}, ${Math.round(firstNs)} and ${Math.round(lastNs)} ns`;
    return { figures, faults: Math.abs(z) > LIMIT && isSameWay ? [fault] : [] };
  },
};
