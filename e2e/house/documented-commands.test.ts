import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DOCUMENTS } from "../../deploy/help/pages.ts";
import { fencesOf } from "../support/deployment/guide.ts";
import { ROOT } from "../support/process.ts";

const SUITES = readdirSync(join(ROOT, "e2e/deployment"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => readFileSync(join(ROOT, "e2e/deployment", name), "utf8"))
  .join("\n");
const A_COMMAND = /^ *(?:chest-index|npm|npx|node|docker|systemctl|sudo|curl|git|claude|codex) /m;

describe.each(DOCUMENTS)("%s", (document) => {
  const fences = fencesOf(document);

  it("says of each shell command who runs it", () => {
    for (const { language, runner, code } of fences) {
      if (language !== "sh") expect([language, A_COMMAND.exec(code)?.[0]]).toEqual([language, undefined]);
      else expect(["", "deployed", "by-hand"], code).toContain(runner);
    }
  });

  it("leaves to the deployment suites only commands that they read", () => {
    for (const { runner, section } of fences) {
      if (runner !== "deployed") continue;
      expect(SUITES).toContain(`commandsOf("${document.replace("docs/", "")}", "${section}")`);
    }
  });
});
