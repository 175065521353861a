export * from "./embedding-variables.ts";
export * from "./env.ts";
export * from "./node-version.ts";
export * from "./paths.ts";
export * from "./shutdown.ts";
export * from "./start-error.ts";
export * from "./variables.ts";
export * from "./version.ts";
