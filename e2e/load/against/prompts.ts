import { AgentMachine } from "../../support/clients/hook.ts";
import { seeded } from "../../support/random.ts";
import { played } from "../hooks.ts";
import { atRest } from "../process-use.ts";
import { Load } from "../requests.ts";
import type { Sample } from "../rounds.ts";
import type { BenchServer } from "../server.ts";
import { oneOf } from "../texts.ts";
import { type Contestant, contest } from "./contest.ts";
import type { Measure } from "./measure.ts";
import { questionFor } from "./prose.ts";
import { type Comparison, ofPrograms } from "./report.ts";
import { hookOf, type Side, startSide } from "./side.ts";
import { repeated } from "./starts.ts";
import { requests, warmed } from "./writes.ts";

const MEMORIES = 4500;
const ENTITIES = 600;
const A_TURN = 5;
const CONNECTIONS = 32;
/** Project of the folder that an `AgentMachine` works in. */
const PROJECT = "git.example/acme/acme";

/** The hook at a prompt, from the start of its process to its end: over the store of this machine, and over a backend. */
export const prompts: Measure = async ({ theirs, ours, rounds, workDir }) => {
  const comparisons: Comparison[] = [];
  for (const place of ["this machine", "a backend"] as const) {
    const prepare = (side: Side) => () => prompting(side, workDir, place === "a backend");
    const turns = await contest(rounds, { theirs: prepare(theirs), ours: prepare(ours) });
    const name = `hook at a prompt, ${MEMORIES.toLocaleString("en")} memories on ${place}`;
    comparisons.push(...ofPrograms(name, turns));
  }
  return comparisons;
};

async function prompting(side: Side, workDir: string, hasBackend: boolean): Promise<Contestant<Sample>> {
  const machine = new AgentMachine({}, hookOf(side));
  const server = await startSide(side, workDir, { dataDir: machine.dataDir });
  const texts = await filled(side, server);
  if (hasBackend) {
    machine.env = { CHEST_MODE: "remote", CHEST_REMOTE_URL: server.url, CHEST_API_TOKEN: server.token };
  } else {
    await server.stop();
  }
  const random = seeded(5);
  let turn = 0;
  const prompt = () => {
    turn += 1;
    const said = { prompt: `What do we know of ${questionFor(oneOf(texts, random), random)}?` };
    return played(machine, "user-prompt", turn, said).then(({ ms, cpuMs }) => ({ wallMs: ms, cpuMs }));
  };
  await prompt(); // Compiles what the others find compiled.
  return {
    turn: () => repeated(prompt, A_TURN),
    async end() {
      if (hasBackend) await server.stop();
      machine.remove();
    },
  };
}

/** Fills the project that the agent works in; gives the texts. */
async function filled(side: Side, server: BenchServer): Promise<string[]> {
  const load = new Load(server, CONNECTIONS);
  const request = requests(
    (nth) => `entity ${(nth * 7919) % ENTITIES}`,
    () => PROJECT,
  );
  const stored = Array.from({ length: MEMORIES }, request);
  await warmed(side, load, stored);
  await load.close();
  await atRest(server.pid);
  return stored.map(({ body }) => (body as { content: string }).content);
}
