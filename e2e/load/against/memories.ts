import { seeded } from "../../support/random.ts";
import { inSession, recallEverywhereRequest, rememberRequest } from "../memory-requests.ts";
import { atRest } from "../process-use.ts";
import { Load, type Request } from "../requests.ts";
import type { BenchServer } from "../server.ts";
import { oneOf } from "../texts.ts";
import { Absent } from "./contest.ts";
import { prose } from "./prose.ts";
import { type Side, startSide } from "./side.ts";

const ENTITIES = 600;
const PER_SESSION = 10;
const CONNECTIONS = 32;
const COMPILED_BY = 300;

export const manyEntities = (nth: number): string => `entity ${(nth * 7919) % ENTITIES}`;

/** Saves of the same texts for every side, in the same order, ten a session. */
export function saves(
  subjectOf: (nth: number) => string = manyEntities,
  projectOf?: (nth: number) => string,
): () => Request {
  const next = prose();
  let stored = 0;
  return () => {
    stored += 1;
    const request = rememberRequest({ about: subjectOf(stored), text: next().text });
    return inSession(request, `session-${Math.floor(stored / PER_SESSION)}`, projectOf?.(stored));
  };
}

/** Some of the saved texts, the same ones for every side, each with the project it was saved in. */
export function someOf(
  saved: readonly Request[],
  count: number,
): { readonly text: string; readonly project: string }[] {
  const random = seeded(4);
  return Array.from({ length: count }, () => {
    const { body, headers } = oneOf(saved, random);
    const project = decodeURIComponent(headers?.["x-chest-project"] ?? "");
    return { text: (body as { content: string }).content, project };
  });
}

/** A backend that holds all this and is at rest. */
export async function startFilled(
  side: Side,
  workDir: string,
  saved: readonly Request[],
  dataDir?: string,
): Promise<BenchServer> {
  const server = await startSide(side, workDir, dataDir === undefined ? {} : { dataDir });
  const load = new Load(server, CONNECTIONS);
  await accepted(side, load, saved);
  await load.close();
  await atRest(server.pid);
  return server;
}

/** Lets a backend work once, so that those that are measured find compiled what they run. */
export async function compileOnce(side: Side, workDir: string): Promise<void> {
  const saved = Array.from({ length: COMPILED_BY }, saves());
  const server = await startFilled(side, workDir, saved);
  const load = new Load(server, 1);
  await accepted(
    side,
    load,
    someOf(saved, COMPILED_BY).map(({ text }) => recallEverywhereRequest(text.slice(0, 40))),
  );
  await load.close();
  await server.stop();
}

/** Sends the first requests of a kind: a commit that refuses them does not have it. */
export async function accepted(side: Side, load: Load, first: readonly Request[]): Promise<void> {
  try {
    await load.run(first, { isPatient: true });
  } catch (error) {
    const [line = ""] = String(error instanceof Error ? error.message : error).split("\n");
    throw new Absent(`${side.name} refuses it: ${line.slice(0, 200)}`);
  }
}
