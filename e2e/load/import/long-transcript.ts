import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { transcriptOf } from "@chest/testing/transcript";
import { readSections } from "../texts.ts";

const TURNS = 6;

/**
 * Writes a transcript of a given size, mostly tool output, as in a long session: a request, talk, files read, edits,
 * and now and then a failing command.
 */
export async function writeLongTranscript(path: string, bytes: number): Promise<{ readonly lines: number }> {
  const sections = readSections();
  const { user, says, edits, runs, result } = transcriptOf("00000000-0000-4000-8000-00000000beef");
  const out = createWriteStream(path);
  let [written, lines] = [0, 0];
  const put = async (line: string) => {
    written += Buffer.byteLength(line) + 1;
    lines += 1;
    if (!out.write(`${line}\n`)) await once(out, "drain");
  };
  for (let turn = 0; written < bytes; turn++) {
    const text = (at: number) => sections[(turn * 31 + at) % sections.length]?.text ?? "";
    await put(user(`${text(0).slice(0, 300)} (request ${turn})`));
    for (let step = 0; step < TURNS; step++) {
      await put(says(text(step + 1)));
      const id = `use-${turn}-${step}`;
      await put(runs(`npm test -- part-${step}`, id));
      const output = Array.from({ length: 12 }, (_, at) => text(step * 12 + at)).join("\n");
      await put(result(id, step % 5 === 0 ? `Error: ${output}` : undefined));
      await put(edits(`/home/dev/acme/src/part-${turn % 40}/module-${step}.ts`, output));
    }
  }
  out.end();
  await once(out, "close");
  return { lines };
}
