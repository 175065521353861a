import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../support/process.ts";

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const SHOWN = 40;
const WAITING = new Set(["(idle)", "(root)"]);

/** Lists the functions with the highest self time in each profiled thread of a backend. */
export async function topOf(folder: string): Promise<string> {
  const all = await readdir(folder).catch(() => undefined);
  if (!all)
    return "no backend was started: `node --cpu-prof e2e/load/main.ts …` profiles what runs in the bench itself";
  const files = all.filter((name) => name.endsWith(".cpuprofile")).sort();
  const profiles = await Promise.all(files.map(async (name) => JSON.parse(await readFile(join(folder, name), "utf8"))));
  return profiles.map((profile, at) => `${files[at]}\n${topOfThread(profile)}`).join("\n\n");
}

function topOfThread({ nodes, samples, timeDeltas }: Profile): string {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const ownMs = new Map<string, number>();
  for (const [at, id] of samples.entries()) {
    const place = placeOf(byId.get(id)?.callFrame);
    ownMs.set(place, (ownMs.get(place) ?? 0) + (timeDeltas[at] ?? 0) / 1000);
  }
  const busy = [...ownMs].filter(([place]) => !WAITING.has(place));
  const total = busy.reduce((sum, [, ms]) => sum + ms, 0);
  const top = busy.sort(([, a], [, b]) => b - a).slice(0, SHOWN);
  return [
    `${total.toFixed(0).padStart(8)} ms  100 %  in all`,
    ...top.map(
      ([place, ms]) => `${ms.toFixed(0).padStart(8)} ms  ${((100 * ms) / total).toFixed(1).padStart(3)} %  ${place}`,
    ),
  ].join("\n");
}

function placeOf(frame: Profile["nodes"][number]["callFrame"] | undefined): string {
  if (!frame) return "(unknown)";
  if (frame.url === "") return frame.functionName || "(anonymous)";
  const file = frame.url
    .replace(/^file:\/\//, "")
    .replace(`${ROOT}/`, "")
    .replace(/^node_modules\/\.pnpm\/.*node_modules\//, "");
  return `${frame.functionName || "(anonymous)"}  ${file}:${frame.lineNumber + 1}`;
}
