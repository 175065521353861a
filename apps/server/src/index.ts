export * from "./app.ts";
export * from "./compose.ts";
export * from "./config.ts";
export * from "./start.ts";
export * from "./timeouts.ts";
