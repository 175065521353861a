import { expect, it } from "vitest";
import { serviceOf } from "../../connect/service.ts";
import { networkChecks } from "./network.ts";
import type { InspectedServer } from "./target.ts";

/** Inspects a server without a container that listens on one address and is called at another. */
function listening(bindHost: string | undefined, url: string, hasUnit = false) {
  const inspected = {
    backend: { url },
    reach: {},
    now: () => new Date(),
    container: { name: "chest-memory", isAsked: false },
    docker: async () => undefined,
    service: async () => (hasUnit ? serviceOf("linux") : undefined),
    host: async () => ({ from: "backend", facts: { config: { bind_host: bindHost } } }),
  } as unknown as InspectedServer;
  return networkChecks.tls.run(inspected, new AbortController().signal);
}

const HERE = "http://127.0.0.1:8765";

it.each(["0.0.0.0", "::"])("plain HTTP on %s is reported as open on every interface", async (address) => {
  expect(await listening(address, HERE)).toMatchObject({
    status: "warn",
    message: expect.stringContaining("plain HTTP on every interface"),
    fix: "CHEST_BIND_HOST=127.0.0.1 npm start",
  });
  expect(await listening(address, HERE, true)).toMatchObject({
    fix: expect.stringContaining("systemctl restart chest"),
  });
});

it.each([
  ["this machine alone", "127.0.0.1", HERE],
  ["an address that an older backend does not tell", undefined, HERE],
  ["every interface of another machine in a private network", "0.0.0.0", "http://192.168.1.7:8765"],
])("plain HTTP on %s is fine", async (_, address, url) => {
  expect(await listening(address, url)).toMatchObject({ status: "ok" });
});
