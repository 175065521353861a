export * from "./open-llm.ts";
