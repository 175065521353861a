export * from "./confirm.ts";
export * from "./elicit.ts";
export * from "./instructions.ts";
export * from "./json-schema.ts";
export * from "./listing.ts";
export * from "./sample.ts";
export * from "./server.ts";
export * from "./worded-summaries.ts";
