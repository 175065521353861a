export * from "./instructions.ts";
export * from "./json-schema.ts";
export * from "./listing.ts";
export * from "./server.ts";
