export * from "./access-endpoints.ts";
export * from "./capabilities.ts";
export * from "./endpoint.ts";
export * from "./endpoints.ts";
export * from "./errors.ts";
export * from "./headers.ts";
export * from "./limits.ts";
export * from "./version.ts";
