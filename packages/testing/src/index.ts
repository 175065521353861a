export * from "./a-memory.ts";
export { anAgent } from "./agent.ts";
export { engineContract, type OpenEngine } from "./contracts/engine-contract.ts";
export {
  aCall,
  aCaller,
  type FixedClock,
  fixedClock,
  recordingEmbedder,
  TINY_IDENTITY,
  testPorts,
  tinyEmbedder,
} from "./fakes.ts";
export * from "./llm-stand-in.ts";
export * from "./random-text.ts";
export * from "./secret-innocents.ts";
export * from "./secret-positives.ts";
export { CONTRADICTING_SHORT, HARMLESS_SHORT, type ShortPair } from "./short-pairs.ts";
export * from "./statement-pairs.ts";
export { type TestEngineOptions, testEngine } from "./test-engine.ts";
export { testExecutor } from "./test-executor.ts";
export { engineFixture } from "./tools/engine-fixture.ts";
export { toolsContract } from "./tools/index.ts";
export * from "./transcript.ts";
export { type OpenTwo, twoEnginesContract } from "./two-engines/two-engines-contract.ts";
