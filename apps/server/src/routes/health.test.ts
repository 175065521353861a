import { expect, it, onTestFinished, vi } from "vitest";
import { openApp } from "../testing/app.ts";

type Check = () => Promise<void>;

async function openWith(over: { ping?: Check; assertWritable?: Check; assertSearchable?: Check }, env = {}) {
  const { engine } = await openApp();
  const fine = async () => {};
  const inspect = { ...engine.inspect, ping: fine, assertWritable: fine, assertSearchable: fine, ...over };
  return (await openApp(env, { engine: { ...engine, inspect } })).app;
}

const broken: Check = () => Promise.reject(new Error("SQLITE_IOERR: /srv/secret/chest.db"));
const hanging: Check = () => new Promise(() => {});

it("answers /healthz in the documented form, without a token", async () => {
  const response = await (await openWith({})).inject("/healthz");

  expect(response.statusCode).toBe(200);
  expect(response.payload).toMatchInlineSnapshot(
    `"{"ok":true,"wire":"1.6.0","version":"1.6.0","db":"ok","embedding":{"provider":"none","model":null,"dim":null}}"`,
  );
});

it("answers /healthz with 503 when the database fails, without the database's message", async () => {
  const response = await (await openWith({ ping: broken })).inject("/healthz");

  expect(response.statusCode).toBe(503);
  expect(response.json()).toMatchObject({ ok: false, db: "error", error: { code: "UNAVAILABLE" } });
  expect(response.payload).not.toMatch(/SQLITE|secret/);
});

it("answers /healthz after a second when the database hangs", async () => {
  const asked = Promise.withResolvers<void>();
  const app = await openWith({
    ping() {
      asked.resolve();
      return hanging();
    },
  });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  let status: number | undefined;
  const answered = app.inject("/healthz").then(({ statusCode }) => {
    status = statusCode;
  });
  await asked.promise;
  await vi.advanceTimersByTimeAsync(999);
  expect(status).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  await answered;
  expect(status).toBe(503);
});

it("answers /readyz with every check", async () => {
  const response = await (await openWith({})).inject("/readyz");

  expect(response.statusCode).toBe(200);
  expect(response.json()).toEqual({ ok: true, checks: { db: "ok", writer: "ok", search: "ok", disk: "ok" } });
});

it("is not ready when one check fails or hangs", async () => {
  const response = await (await openWith({ assertWritable: broken, assertSearchable: hanging })).inject("/readyz");

  expect(response.statusCode).toBe(503);
  expect(response.json()).toMatchObject({
    ok: false,
    checks: { db: "ok", writer: "error", search: "error", disk: "ok" },
    error: { code: "UNAVAILABLE", message: "not ready: writer, search" },
  });
});

it("is not ready without its data folder", async () => {
  const app = await openWith({}, { CHEST_DATA_DIR: "/nowhere/at/all" });

  expect((await app.inject("/readyz")).json()).toMatchObject({ checks: { disk: "error" } });
});
