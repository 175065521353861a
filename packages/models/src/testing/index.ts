export { CONCEPTS } from "./fixture/concepts.ts";
export * from "./fixture-models.ts";
