import type { ClientView } from "@chest/contracts";
import { clientLabel } from "@chest/core/access";
import type { Engine } from "@chest/core/ports";
import type { FastifyInstance, FastifyRequest } from "fastify";

const MOST_CLIENTS = 200;
/** Routes that monitors request; their callers are not listed as clients. */
const MONITORED: ReadonlySet<string | undefined> = new Set(["/metrics"]);

/** Lists clients, most recent call first. */
export type RecentClients = () => readonly ClientView[];

/**
 * Records the clients that call, in memory only; a client that only reads leaves no other trace. The page and refused
 * requests are not recorded.
 */
export function addRecentClients(app: FastifyInstance): RecentClients {
  const known = new Map<string, ClientView>();
  app.addHook("onResponse", (request, reply, done) => {
    const client = reply.statusCode < 400 ? clientOf(request) : undefined;
    if (client) {
      const key = keyOf(client);
      // A map keeps insertion order, so the latest caller moves to the end.
      known.delete(key);
      known.set(key, client);
      const [oldest] = known.keys();
      if (known.size > MOST_CLIENTS && oldest !== undefined) known.delete(oldest);
    }
    done();
  });
  return () => [...known.values()].reverse();
}

function clientOf({ caller, routeOptions }: FastifyRequest): ClientView | undefined {
  if (!caller || caller.token?.signIn || MONITORED.has(routeOptions.url)) return undefined;
  return { client: clientLabel(caller.client), member: caller.member.name, last_at: new Date().toISOString() };
}

const keyOf = ({ client, member }: Pick<ClientView, "client" | "member">): string => JSON.stringify([client, member]);

type Entries = Awaited<ReturnType<Engine["audit"]["list"]>>;

/**
 * Tells whether an entry is a client's write to the memory; the operator's own actions, such as a sign-in link, are
 * not.
 */
const isMemoryWrite = ({ op, outcome }: Entries[number]): boolean => outcome === "ok" && /^(chest_|work\.)/.test(op);

/** Adds clients from the audit log that wrote before this backend started. */
export function withWriters(recent: readonly ClientView[], entries: Entries): ClientView[] {
  const known = new Set(recent.map(keyOf));
  const all = [...recent];
  for (const { client, member = null, at } of entries.filter(isMemoryWrite)) {
    if (client === undefined || known.has(keyOf({ client, member }))) continue;
    known.add(keyOf({ client, member }));
    all.push({ client, member, last_at: at.toISOString() });
  }
  return all;
}
