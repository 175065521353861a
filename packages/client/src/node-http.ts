import { createRequire } from "node:module";

const load = createRequire(import.meta.url);

/**
 * Node's HTTP clients. An `import` of `node:http` reads each of its exports, and one of them loads Node's own undici:
 * 55 ms that a start of an agent would wait for.
 */
export const http = load("node:http") as typeof import("node:http");
export const https = load("node:https") as typeof import("node:https");
