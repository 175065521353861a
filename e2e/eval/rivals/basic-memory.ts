import { spawnSync } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { connectStdioClient } from "../../support/clients/stdio-client.ts";
import { cleanEnv } from "../../support/process.ts";
import { DEPTH } from "../measures.ts";
import { callTool, type FetchRival, missing, reasonOfFailure, type Steps } from "./rival.ts";

const PACKAGE = "basic-memory";
const VERSION = "0.24.1";

const PYTHONS = ["python3.14", "python3.13", "python3.12", "python3"];
const IS_NEW_ENOUGH = "import sys; sys.exit(sys.version_info < (3, 12))";

/** basic-memory, which keeps notes as Markdown files, by its search of texts: its search by meaning downloads a model. */
export const fetchBasicMemory: FetchRival = async (workDir) => {
  const python = PYTHONS.find((command) => spawnSync(command, ["-c", IS_NEW_ENOUGH]).status === 0);
  if (!python) return missing(PACKAGE, "it needs Python 3.12 or newer");
  const venv = join(workDir, "venv");
  const steps: Steps = [
    [python, "-m", "venv", venv],
    [
      ...([join(venv, "bin/python"), "-m", "pip", "--quiet", "--disable-pip-version-check"] as const),
      ...["install", `${PACKAGE}==${VERSION}`],
    ],
  ];
  const failure = reasonOfFailure(steps);
  if (failure !== undefined) return missing(PACKAGE, failure);
  return {
    name: `${PACKAGE} ${VERSION}`,
    async open() {
      const home = await mkdtemp(join(workDir, "home-"));
      const client = await connectStdioClient({
        program: { command: join(venv, "bin/basic-memory"), args: ["mcp"] },
        cwd: home,
        env: cleanEnv({
          HOME: home,
          BASIC_MEMORY_HOME: join(home, "notes"),
          BASIC_MEMORY_SEMANTIC_SEARCH_ENABLED: "false",
          HF_HUB_OFFLINE: "1",
        }),
      });
      const keys = new Map<string, string>();
      return {
        async storeAll(documents) {
          for (const [nth, { key, about, content }] of documents.entries()) {
            const answer = await callTool(client, "write_note", {
              title: `${about} ${nth}`,
              content,
              directory: "notes",
            });
            const [, permalink] = /^permalink: (\S+)/m.exec(answer) ?? [];
            if (!permalink) throw new Error(`\`${key}\` was not stored: ${answer.slice(0, 200)}`);
            keys.set(permalink, key);
          }
        },
        ways: {
          "by text": async (query) => {
            const asked = { query, search_type: "text", page_size: DEPTH, output_format: "json" };
            const answer = JSON.parse(await callTool(client, "search_notes", asked)) as Found;
            return answer.results.map(({ permalink }) => keys.get(permalink) ?? "");
          },
        },
        close: () => client.stop(),
      };
    },
  };
};

interface Found {
  readonly results: readonly { readonly permalink: string }[];
}
