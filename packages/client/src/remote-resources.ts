import { endpoints } from "@chest/contracts";
import type { ResourceReader } from "@chest/core/resources";
import type { Backend } from "./backend.ts";
import { headersOf } from "./remote-executor.ts";

/** Reads resources on a backend. */
export const remoteResources = (backend: Backend): ResourceReader => ({
  read: (uri, call) =>
    backend.call(endpoints.resource, { query: { uri }, headers: headersOf(call), signal: call.signal }),
});
