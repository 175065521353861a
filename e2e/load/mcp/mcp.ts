import type { Bench } from "../bench.ts";
import type { Figure } from "../figures.ts";
import { Load, type Request } from "../requests.ts";
import { cpuEach, interleaved, median, medianRatio, perSecond, spread, wallEach } from "../rounds.ts";

const MEMORIES = 200;
const CALLS = 500;
const AT_ONCE = 4;
const CLIENT = { name: "bench", version: "1" };

/**
 * Measures the cost that MCP adds to a call: one recall over `/mcp`, by both protocols, beside the same recall over
 * REST.
 */
export const mcp: Bench = async ({ rounds, startServer }) => {
  const server = await startServer();
  const load = new Load(server, AT_ONCE);
  try {
    await load.run(
      Array.from({ length: MEMORIES }, (_, at) => remember(at)),
      { isPatient: true },
    );
    const [rest, session, sessionless] = [overRest, overMcp, overSessionlessMcp].map((door) =>
      Array.from({ length: CALLS }, (_, at) => door({ query: `release ${at % MEMORIES} goes through the queue` })),
    ) as [Request[], Request[], Request[]];
    const contestants = {
      rest: () => load.run(rest, { isPatient: true }),
      session: () => load.run(session, { isPatient: true }),
      sessionless: () => load.run(sessionless, { isPatient: true }),
    };
    // The first call loads the libraries of both protocols.
    for (const warm of Object.values(contestants)) await warm();
    const samples = await interleaved(rounds, contestants);
    const figure = (name: string, of: "session" | "sessionless"): Figure => ({
      name,
      unit: "/s",
      value: median(samples[of].map(perSecond)),
      cpuMs: median(samples[of].map(cpuEach)),
      ...spread(samples[of]),
      floor: median(samples.rest.map(perSecond)),
      ratio: medianRatio(
        rounds,
        (round) => wallEach(samples[of][round] as never),
        (round) => wallEach(samples.rest[round] as never),
      ),
    });
    return [figure("recalls over /mcp, 2025-11-25", "session"), figure("recalls over /mcp, 2026-07-28", "sessionless")];
  } finally {
    await load.close();
    await server.stop();
  }
};

const ACCEPT = { accept: "application/json, text/event-stream" };

const remember = (at: number): Request => ({
  path: "/api/tools/chest_remember",
  body: {
    entity_name: `service-${at % 20}`,
    entity_kind: "project",
    layer: "learning",
    content: `release ${at} of the service goes through the blue queue and waits for its canary`,
  },
});

const overRest = (input: object): Request => ({ path: "/api/tools/chest_recall", body: input });

const overMcp = (input: object): Request => ({
  path: "/mcp",
  headers: { ...ACCEPT, "mcp-protocol-version": "2025-11-25" },
  body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "chest_recall", arguments: input } },
});

const overSessionlessMcp = (input: object): Request => ({
  path: "/mcp",
  headers: {
    ...ACCEPT,
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "chest_recall",
  },
  body: {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name: "chest_recall",
      arguments: input,
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": CLIENT,
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  },
});
