export { CONCEPTS } from "./fixture/concepts.ts";
export * from "./fixture-models.ts";
export * from "./hub.ts";
