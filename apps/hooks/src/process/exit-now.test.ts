import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";

it("ends the process though a thread of it waits for what does not come", async () => {
  const dir = mkdtempSync(join(tmpdir(), "chest-leave-"));
  const pipe = join(dir, "pipe");
  execFileSync("mkfifo", [pipe]);
  const program = `
    import { read, writeSync } from "node:fs";
    import { leave } from ${JSON.stringify(new URL("./exit-now.ts", import.meta.url).href)};
    process.removeAllListeners("warning");
    read(0, Buffer.alloc(1), () => writeSync(2, "it came after all"));
    setTimeout(() => { writeSync(1, "said"); leave(); }, 100);
  `;
  // Open at both ends by one: nothing comes, and nothing ends it.
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: [openSync(pipe, "r+"), "pipe", "pipe"],
  });
  const printed: string[] = [];
  child.stdout?.on("data", (text) => printed.push(`out: ${text}`));
  child.stderr?.on("data", (text) => printed.push(`err: ${text}`));
  const [code] = await once(child, "close");
  rmSync(dir, { recursive: true });

  expect({ code, printed }).toEqual({ code: 0, printed: ["out: said"] });
});
