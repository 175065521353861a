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

/** Builds requests that save the same texts on both sides, in the same order, ten per session. */
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

/** Picks some of the saved texts, the same on both sides, each with its project. */
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

/** Starts a backend that contains these memories and waits until it is at rest. */
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

/** Runs a backend once, so that measured backends find compiled code. */
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

/** Sends the first requests of a kind; a commit that refuses them lacks the feature. */
export async function accepted(side: Side, load: Load, first: readonly Request[]): Promise<void> {
  try {
    await load.run(first, { isPatient: true });
  } catch (error) {
    const [line = ""] = String(error instanceof Error ? error.message : error).split("\n");
    throw new Absent(`${side.name} refuses it: ${line.slice(0, 200)}`);
  }
}
