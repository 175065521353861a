import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { localCaller, SHARED } from "@chest/core/access";
import type { Call } from "@chest/core/executor";
import { canonical } from "@chest/core/memory";
import type { Engine } from "@chest/core/ports";
import { aCall, aMemory, TINY_IDENTITY } from "@chest/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Connections } from "./database/connection.ts";
import { Writer } from "./database/write.ts";
import { assertServer, openPostgresEngine } from "./open.ts";
import { startRelay } from "./testing/relay.ts";
import { hasPostgres, onceOn, startPostgres, type TestServer } from "./testing/server.ts";

const PATIENCE_MS = 60_000;

describe.skipIf(!hasPostgres())("a database that is not as it should be", () => {
  let server: TestServer;
  let url: string;
  const engines: Engine[] = [];
  beforeAll(async () => {
    server = await startPostgres();
  }, PATIENCE_MS);
  afterAll(() => server?.stop(), PATIENCE_MS);
  beforeEach(async () => {
    url = await server.database();
  }, PATIENCE_MS);
  afterEach(async () => {
    await Promise.all(engines.splice(0).map((engine) => engine.close()));
  }, PATIENCE_MS);

  const open = async (at = url, caFile?: string) => {
    const engine = await openPostgresEngine({ url: at, caFile, active: TINY_IDENTITY, pool: 4 });
    engines.push(engine);
    return engine;
  };

  it("is refused by what the server says of itself, with the way out", async () => {
    const good = { version: 150_020, shown: "15.20", encoding: "UTF8", vector: "0.8.0", is_replica: false };
    const refusals = [
      [{ version: 140_001, shown: "14.1" }, /PostgreSQL 14\.1/],
      [{ vector: null }, /lacks the extension `vector`/],
      [{ vector: "0.6.2" }, /has pgvector 0\.6\.2/],
      [{ is_replica: true }, /is a replica/],
      [{ encoding: "LATIN1" }, /encoded in LATIN1/],
    ] as const;
    for (const [said, why] of refusals) {
      const get = async <T>() => ({ ...good, ...said }) as T;
      await expect(assertServer({ get })).rejects.toThrow(why);
    }
  });

  it(
    "is waited for while it starts up",
    async () => {
      const relay = await startRelay(url);
      relay.startsUpFor = 3;
      const engine = await open(relay.url);
      expect(relay.startsUpFor).toBe(0);
      await expect(engine.inspect.ping()).resolves.toBeUndefined();
      await engines.pop()?.close();
      await relay.stop();
    },
    PATIENCE_MS,
  );

  it(
    "is refused where it is read only",
    async () => {
      await onceOn(url, `ALTER DATABASE ${nameIn(url)} SET default_transaction_read_only = on`);
      await expect(open()).rejects.toMatchObject({ name: "CannotOpen", message: expect.stringMatching(/read only/) });
    },
    PATIENCE_MS,
  );

  it(
    "tells of a wrong password without it",
    async () => {
      await onceOn(
        url,
        `CREATE ROLE locked LOGIN PASSWORD 'right word/@:%20';
         COPY (VALUES ('host all locked all scram-sha-256'), ('host all all all trust')) TO '${await fileOf("hba_file")}';
         SELECT pg_reload_conf()`,
      );
      await sleep(300);
      const refused = await open(url.replace("chest@", "locked:wrong-word@")).catch((error: unknown) => error);
      expect(refused).toMatchObject({ message: expect.stringMatching(/locked@.* refuses this user or password/) });
      expect(inspect(refused, { depth: 9 })).not.toContain("wrong-word");
      // The right one, beside a URL without: the role may come in, and do nothing.
      const beside = { url: url.replace("chest@", "locked@"), password: "right word/@:%20" };
      await expect(openPostgresEngine(beside)).rejects.toMatchObject({
        message: expect.stringMatching(/this user may not create tables/),
      });
    },
    PATIENCE_MS,
  );

  it(
    "is opened over TLS by the authority that is named, and by no other",
    async () => {
      const openssl =
        "openssl req -x509 -newkey rsa:2048 -nodes -keyout server.key -out server.crt -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost";
      const secure = `${url.replace("127.0.0.1", "localhost")}?sslmode=verify-full`;
      await expect(open(secure)).rejects.toMatchObject({ message: expect.stringMatching(/it offers no TLS/) });
      await onceOn(url, `COPY (SELECT 1) TO PROGRAM '${openssl} 2>/dev/null'`);
      await onceOn(url, "ALTER SYSTEM SET ssl = on");
      await onceOn(url, "SELECT pg_reload_conf()");
      await sleep(300);
      await expect(open(secure)).rejects.toMatchObject({
        message: expect.stringMatching(/does not verify \(\w*SELF_SIGNED/),
      });
      const [row] = await onceOn(url, "SELECT pg_read_file('server.crt') AS pem");
      const caFile = join(mkdtempSync(join(tmpdir(), "chest-authority-")), "ca.pem");
      writeFileSync(caFile, String(row?.pem));
      const engine = await open(secure, caFile);
      expect(await engine.inspect.ping()).toBeUndefined();
      rmSync(dirname(caFile), { recursive: true });
    },
    PATIENCE_MS,
  );

  it("is told of behind a pooler that refuses the settings of a session", async () => {
    const fields = Buffer.from("SFATAL\0C08P01\0Munsupported startup parameter: options\0\0");
    const length = Buffer.alloc(4);
    length.writeInt32BE(fields.length + 4);
    const pooler = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.end(Buffer.concat([Buffer.from("E"), length, fields])));
    });
    await new Promise<void>((resolve) => pooler.listen(0, "127.0.0.1", resolve));
    const { port } = pooler.address() as AddressInfo;
    await expect(open(`postgres://me@127.0.0.1:${port}/chest`)).rejects.toMatchObject({
      message: expect.stringMatching(/refuses the settings of a session/),
      hint: expect.stringMatching(/ignore_startup_parameters/),
    });
    pooler.close();
  });

  it(
    "of the future is refused, but for one that this release can still work with",
    async () => {
      const running = await open();
      await onceOn(url, "INSERT INTO chest_migrations (name, sha256) VALUES ('9999_later', 'x')");
      await open();
      await onceOn(url, "UPDATE meta SET value = '9999_later' WHERE key = 'needs'");
      await expect(open()).rejects.toMatchObject({
        message: expect.stringMatching(/needs a newer release: it has 9999/),
      });
      await expect(running.inspect.ping()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    },
    PATIENCE_MS,
  );

  it(
    "is made once by two that start at once",
    async () => {
      await Promise.all([open(), open(), open()]);
      expect(await onceOn(url, "SELECT count(*)::int AS n FROM chest_migrations WHERE name = '1000_init'")).toEqual([
        { n: 1 },
      ]);
    },
    PATIENCE_MS,
  );

  it(
    "whose disk is full is told of, and goes on being read",
    async () => {
      const engine = await open();
      const kept = await remember(engine, "before");
      await onceOn(url, failing("RAISE 'No space left on device' USING ERRCODE = '53100'"));
      await expect(remember(engine, "after")).rejects.toMatchObject({ code: "STORAGE_FULL" });
      expect(await engine.as(CALL).memories.byId(kept)).toMatchObject({ content: "before" });
    },
    PATIENCE_MS,
  );

  it(
    "in which a write loses a race, or its connection before the commit, has it written again, once",
    async () => {
      const engine = await open();
      const once = (what: string) => failing(`IF nextval('times') = 1 THEN ${what}; END IF`);
      for (const [nth, what] of [
        "RAISE 'deadlock' USING ERRCODE = '40P01'",
        "RAISE 'serialization' USING ERRCODE = '40001'",
        "PERFORM pg_terminate_backend(pg_backend_pid())",
      ].entries()) {
        await onceOn(url, once(what));
        await remember(engine, `fact ${nth}`);
      }
      expect(await onceOn(url, "SELECT content FROM memories ORDER BY id")).toEqual(
        [0, 1, 2].map((nth) => ({ content: `fact ${nth}` })),
      );
    },
    PATIENCE_MS,
  );

  it(
    "that is lost at the commit leaves no doubt to a call with a key, and tells the others",
    async () => {
      const engine = await open();
      const keyed = aCall({ ...CALL, idempotencyKey: "one", request: { tool: "chest_remember", input: {} } });
      const cut = `CREATE CONSTRAINT TRIGGER failing AFTER INSERT ON memories DEFERRABLE INITIALLY DEFERRED`;
      await onceOn(
        url,
        failing("IF nextval('times') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF", cut),
      );
      await expect(remember(engine, "without a key")).rejects.toMatchObject({
        code: "UNAVAILABLE",
        message: expect.stringMatching(/may be stored or not/),
      });
      await onceOn(url, "SELECT setval('times', 1, false)");
      await remember(engine, "with a key", keyed);
      expect(await onceOn(url, "SELECT content FROM memories")).toEqual([{ content: "with a key" }]);
    },
    PATIENCE_MS,
  );

  it(
    "that ends an idle transaction has its work run again",
    async () => {
      const connections = new Connections({ url, name: "idle", most: 1, statementTimeoutMs: 5000 });
      let tries = 0;
      const value = await new Writer(connections, 1).write(async (tx) => {
        tries += 1;
        await tx.run("SET LOCAL idle_in_transaction_session_timeout = 50");
        if (tries === 1) await sleep(400);
        return tx.get("SELECT 1 AS one");
      });
      await connections.close();
      expect([tries, value]).toEqual([2, { one: 1 }]);
    },
    PATIENCE_MS,
  );

  const fileOf = async (setting: string) => {
    const [row] = await onceOn(url, `SELECT current_setting('${setting}') AS path`);
    return String(row?.path);
  };
});

const CALL: Call = aCall({ caller: { ...localCaller("host/org/apple"), member: SHARED } });
const nameIn = (url: string): string => new URL(url).pathname.slice(1);

const BEFORE = "CREATE TRIGGER failing BEFORE INSERT ON memories";

/** Runs a statement before every new memory. */
const failing = (what: string, trigger = BEFORE): string => `
  DROP TRIGGER IF EXISTS failing ON memories; DROP SEQUENCE IF EXISTS times; CREATE SEQUENCE times;
  CREATE OR REPLACE FUNCTION failing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${what}; RETURN NEW; END $$;
  ${trigger} FOR EACH ROW EXECUTE FUNCTION failing()`;

async function remember(engine: Engine, content: string, call = CALL): Promise<number> {
  return engine.as(call).write(async (tx) => {
    const place = { visibility: "team", projectKey: undefined } as const;
    const { entity } = await tx.entities.findOrAdd({ name: "acme", kind: "project", key: undefined, ...place });
    return (await tx.memories.add({ ...aMemory(), ...place, entity, text: canonical(content) })).id;
  });
}
