import { memoryEngine, toolsContract } from "../testing/index.ts";

toolsContract("memory", async (options) => memoryEngine(options));
