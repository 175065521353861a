export { createMcpHandler, type Server } from "@modelcontextprotocol/server";
export { serveStdio } from "@modelcontextprotocol/server/stdio";
export * from "./server.ts";
