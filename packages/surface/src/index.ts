export * from "./confirm.ts";
export * from "./elicit.ts";
export * from "./instructions.ts";
export * from "./json-schema.ts";
export * from "./listing.ts";
export * from "./server.ts";
