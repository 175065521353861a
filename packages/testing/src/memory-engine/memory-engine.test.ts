import { engineContract } from "../contracts/engine-contract.ts";
import { memoryEngine } from "./memory-engine.ts";

engineContract("memory", async (options) => memoryEngine(options));
