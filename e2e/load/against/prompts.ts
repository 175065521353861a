import { AgentMachine } from "../../support/clients/hook.ts";
import { seeded } from "../../support/random.ts";
import { played } from "../hooks.ts";
import type { Sample } from "../rounds.ts";
import { type Contestant, contest } from "./contest.ts";
import type { Measure } from "./measure.ts";
import { saves, someOf, startFilled } from "./memories.ts";
import { questionFor } from "./prose.ts";
import { type Comparison, ofPrograms } from "./report.ts";
import { hookOf, type Side } from "./side.ts";
import { repeated } from "./starts.ts";

const MEMORIES = 4500;
const A_TURN = 5;
/** Project of the folder that an `AgentMachine` works in. */
const PROJECT = "git.example/acme/acme";

/** Measures the prompt hook from the start of its process to its end, with the local store and with a backend. */
export const prompts: Measure = async ({ theirs, ours, rounds, workDir }) => {
  const comparisons: Comparison[] = [];
  for (const place of ["on this machine", "in a backend"] as const) {
    const prepare = (side: Side) => () => prompting(side, workDir, rounds, place === "in a backend");
    const turns = await contest(rounds, { theirs: prepare(theirs), ours: prepare(ours) });
    comparisons.push(...ofPrograms(`hook at a prompt, ${MEMORIES.toLocaleString("en")} memories ${place}`, turns));
  }
  return comparisons;
};

async function prompting(
  side: Side,
  workDir: string,
  rounds: number,
  hasBackend: boolean,
): Promise<Contestant<Sample>> {
  const machine = new AgentMachine({}, hookOf(side));
  const saved = Array.from(
    { length: MEMORIES },
    saves(undefined, () => PROJECT),
  );
  const server = await startFilled(side, workDir, saved, machine.dataDir);
  if (hasBackend) {
    machine.env = { CHEST_MODE: "remote", CHEST_REMOTE_URL: server.url, CHEST_API_TOKEN: server.token };
  } else {
    await server.stop();
  }
  const random = seeded(5);
  const prompts = someOf(saved, 1 + rounds * A_TURN)
    .map(({ text }) => `What do we know of ${questionFor(text, random)}?`)
    .entries();
  const hook = async () => {
    const [turn, prompt] = prompts.next().value ?? [];
    const { ms, cpuMs } = await played(machine, "user-prompt", turn ?? 0, { prompt });
    return { wallMs: ms, cpuMs };
  };
  await hook(); // This run compiles the code for the others.
  return {
    turn: () => repeated(hook, A_TURN),
    async end() {
      if (hasBackend) await server.stop();
      machine.remove();
    },
  };
}
