export { engineContract, type OpenEngine } from "./engine-contract.ts";
export { aCall, aCaller, type FixedClock, fixedClock, recordingEmbedder, TINY_IDENTITY, testPorts } from "./fakes.ts";
export { testHouse } from "./house.ts";
export { memoryEngine } from "./memory-engine.ts";
export { toolsContract } from "./tools/index.ts";
export * from "./transcript.ts";
