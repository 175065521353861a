import { memoryEngine, toolsContract } from "@chest/testing";

toolsContract("memory", async (options) => memoryEngine(options));
