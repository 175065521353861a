export * from "./open-llm.ts";
export * from "./read-llm.ts";
