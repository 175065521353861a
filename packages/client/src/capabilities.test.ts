import { afterEach, beforeEach, expect, it } from "vitest";
import { type Backend, openBackend } from "./backend.ts";
import { knownCapabilities } from "./capabilities.ts";
import { type FakeBackend, refuse, startFakeBackend } from "./testing/index.ts";

let fake: FakeBackend;
let backend: Backend;
let now: number;

async function start(capabilities: Record<string, unknown> = {}) {
  fake = await startFakeBackend({ capabilities });
  backend = openBackend({ url: fake.url, token: "t", client: () => ({ name: "c", version: "1", wire: "1.6.0" }) });
  return knownCapabilities(backend, () => now);
}

beforeEach(() => {
  now = 0;
});

afterEach(async () => {
  backend.close();
  await fake.stop();
});

it("are asked once a minute, by all who ask at once", async () => {
  const known = await start();

  await Promise.all([known.current(), known.current(), known.current()]);
  now = 59_000;
  await known.current();
  expect(fake.requests).toHaveLength(1);

  now = 61_000;
  await known.current();
  expect(fake.requests).toHaveLength(2);
});

it("are asked anew once they are forgotten", async () => {
  const known = await start();

  await known.current();
  known.forget();
  await known.current();

  expect(fake.requests).toHaveLength(2);
});

it("refuse a backend that wants a newer client", async () => {
  const known = await start({ min_required_client_version: "9.0.0" });

  await expect(known.current()).rejects.toMatchObject({
    code: "CLIENT_TOO_OLD",
    hint: expect.stringContaining("update the client"),
    details: { min_required_client_version: "9.0.0" },
  });
});

it("are unknown, not an error, when the backend cannot be asked, and soon asked again", async () => {
  const known = await start();
  fake.meetAlways(refuse(503, "UNAVAILABLE"));

  expect(await known.current()).toBeUndefined();
  fake.meetAlways(undefined);
  now = 4_000;
  expect(await known.current()).toBeUndefined();
  now = 6_000;
  expect(await known.current()).toMatchObject({ features: ["idempotency"] });
});

it("are asked again almost at once where nothing listened: it costs nothing, and the backend may be back", async () => {
  const known = await start();
  const { port } = fake;
  await fake.stop();

  expect(await known.current()).toBeUndefined();
  fake = await startFakeBackend({ port });
  now = 200;
  expect(await known.current()).toBeUndefined();
  now = 300;
  expect(await known.current()).toMatchObject({ features: ["idempotency"] });
});
