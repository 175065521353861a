import { join } from "node:path";
import { FIXTURE_ENV, fixtureModels, OTHER_FIXTURE_ENV, startHub } from "@chest/models/testing";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import {
  type DoctoredServer,
  freshServer,
  sharedServer,
  testsEveryCheckOf,
} from "../../support/deployment/doctored-server.ts";
import { withStoreFile } from "../../support/store-file.ts";

vi.setConfig({ testTimeout: 180_000 });

describe("doctor server, on what runs by itself", () => {
  const shared = sharedServer();
  // A backend runs maintenance once shortly after its start.
  beforeAll(() =>
    vi.waitFor(
      () =>
        withStoreFile(shared.server.store, (db) =>
          expect(db.prepare("SELECT outcome FROM maintenance_runs").pluck().all()).toEqual(["done"]),
        ),
      { timeout: 30_000, interval: 200 },
    ),
  );
  const runs = (sql: string) => withStoreFile(shared.server.store, (db) => db.exec(sql));

  it("reports that maintenance failed; the fix runs it", async () => {
    const { server } = shared;
    expect((await server.doctor()).find("server.maintenance").status).toBe("ok");
    runs(`INSERT INTO maintenance_runs ("trigger", started_at, finished_at, outcome)
      VALUES ('timer', unixepoch(), unixepoch(), 'failed'), ('vectors', unixepoch(), unixepoch(), 'done')`);
    const before = (await server.doctor()).find("server.maintenance");
    expect(before).toMatchObject({ status: "warn", message: expect.stringContaining("failed") });
    await server.apply(before);
    expect((await server.doctor()).find("server.maintenance").status).toBe("ok");
  });

  it("reports that the clock may have jumped, so that rules about age wait", async () => {
    const { server } = shared;
    runs(`INSERT INTO maintenance_runs ("trigger", started_at, finished_at, outcome, passes) VALUES ('timer', unixepoch(),
      unixepoch(), 'done', '[{"name":"expiry","scanned":0,"changed":0,"seconds":0,"waitsSince":"2025-01-01T00:00:00.000Z"}]')`);
    const before = (await server.doctor()).find("server.maintenance");
    expect(before).toMatchObject({
      status: "warn",
      message: expect.stringMatching(/between 2025-01-01T00:00:00\.000Z and the last run.*wait for one interval/),
    });
    await server.apply(before);
  });

  it("reports that maintenance has not run for long", async () => {
    runs(`DELETE FROM maintenance_runs;
      INSERT INTO maintenance_runs ("trigger", started_at, finished_at, outcome) VALUES ('timer', 1000, 1001, 'done')`);
    expect((await shared.server.doctor()).find("server.maintenance").status).toBe("warn");
  });

  it("reports tokens that expired in use, or will; gone with the one that is ended, and with another one", async () => {
    const { server } = shared;
    const made = async () => {
      const { stdout } = await server.cli(["token", "create", "--member", "alice", "--json"]);
      return JSON.parse(stdout) as { id: number; token: string };
    };
    const [over, soon] = [await made(), await made()];
    const end = (id: number, days: number) =>
      withStoreFile(server.store, (db) =>
        db.exec(`UPDATE tokens SET last_used_at = unixepoch() - 2 * 86400, expires_at = unixepoch() + ${days} * 86400
          WHERE id = ${id}`),
      );
    expect((await server.doctor()).find("server.tokens")).toMatchObject({
      status: "ok",
      message: expect.stringContaining("2 tokens"),
    });
    end(over.id, -1);
    end(soon.id, 5);
    const before = (await server.doctor()).find("server.tokens");
    expect(before).toMatchObject({ status: "warn", fix_hint: `chest-index token revoke ${over.id}` });
    await server.apply(before);
    const next = (await server.doctor()).find("server.tokens");
    expect(next).toMatchObject({ status: "warn", message: expect.stringContaining(`token ${soon.id} is in use`) });
    expect((await server.apply(next)).stdout).toContain(`${soon.id}  alice`);
    await server.cli(["token", "revoke", String(soon.id)]);
    expect((await server.doctor()).find("server.tokens").status).toBe("ok");
  });
});

describe("doctor server, on maintenance and models that are set in another way", () => {
  const held = freshServer();

  it("says that maintenance is switched off", async () => {
    await held.server.start({ CHEST_AUTO_MAINTENANCE: "0" });
    expect((await held.server.doctor()).find("server.maintenance")).toMatchObject({
      status: "ok",
      message: expect.stringContaining("switched off"),
    });
  });

  const settled = (server: DoctoredServer, id: string, env: NodeJS.ProcessEnv) =>
    vi.waitFor(
      async () => {
        const { status, message } = (await server.doctor([], env)).find(id);
        expect(status, message).toBe("ok");
      },
      { timeout: 90_000, interval: 1000 },
    );

  /**
   * Makes every memory a minute older, because backends leave memories of the last ten seconds to the clients that
   * wrote them.
   */
  const age = ({ store }: DoctoredServer) =>
    withStoreFile(store, (db) => db.exec("UPDATE memories SET created_at = created_at - 60"));

  it("reports that no process embeds and memories wait; the fix downloads the model", async () => {
    const { server } = held;
    // The fixture's model cache is empty, so no process embeds.
    const model = { ...FIXTURE_ENV, CHEST_MODELS_DIR: join(server.root, "models") };
    const hub = await startHub(await fixtureModels());
    onTestFinished(() => hub.stop());
    await server.start(model);
    await server.remember("the eel swims upstream");
    const before = await server.doctor([], model);
    expect(before.find("server.embedder")).toMatchObject({ status: "warn", fix_hint: "chest-index fetch-model" });
    expect(before.find("server.vectors")).toMatchObject({
      status: "warn",
      message: expect.stringContaining("1 of 1 wait"),
      fix_hint: "chest-index fetch-model",
    });
    await server.apply(before.find("server.embedder"), { ...model, HF_ENDPOINT: hub.url });
    await settled(server, "server.embedder", model);
    // A backend looks for memories without a vector when it starts.
    await server.stop();
    age(server);
    await server.start(model);
    await settled(server, "server.vectors", model);
  });

  it("reports vectors of another model, and damaged ones; the fix makes new ones", async () => {
    const { server } = held;
    const other = { ...OTHER_FIXTURE_ENV, CHEST_MODELS_DIR: await fixtureModels() };
    await server.start({ ...FIXTURE_ENV, CHEST_MODELS_DIR: await fixtureModels() });
    await server.remember("the eel swims upstream");
    await settled(server, "server.vectors", {});
    await server.stop();
    age(server);

    await server.start(other);
    const before = (await server.doctor([], other)).find("server.identity");
    expect(before).toMatchObject({ status: "warn", fix_hint: "chest-index reembed" });
    await server.apply(before, other);
    await settled(server, "server.identity", other);

    withStoreFile(server.store, (db) => db.exec("UPDATE vectors SET vector = zeroblob(7)"));
    const broken = (await server.doctor([], other)).find("server.vectors");
    expect(broken).toMatchObject({ status: "warn", message: expect.stringContaining("not as long as") });
    await server.apply(broken, other);
    await settled(server, "server.vectors", other);
  });
});

testsEveryCheckOf("maintenance");
