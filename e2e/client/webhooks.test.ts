import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Backend, startBackend } from "../support/backend.ts";
import { runCli } from "../support/clients/cli.ts";
import { cleanEnv } from "../support/process.ts";

let backend: Backend;
let receiver: Server;
let status = 204;
const got: { readonly type: string; readonly data: { readonly op?: string } }[] = [];
beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    const body = await text(request);
    if (status < 300) got.push(JSON.parse(body));
    response.writeHead(status).end();
  }).listen(0, "127.0.0.1");
  [backend] = await Promise.all([
    startBackend({ env: { CHEST_ALLOW_PRIVATE_ADDRESSES: "true" } }),
    once(receiver, "listening"),
  ]);
}, 60_000);
afterAll(async () => {
  await backend.stop();
  receiver.close();
});

const type = (words: string) =>
  runCli(
    words.split(" "),
    cleanEnv({ CHEST_MODE: "remote", CHEST_REMOTE_URL: backend.url, CHEST_API_TOKEN: backend.token }),
  );

it("are added, tried, listed and removed by `chest-index webhooks`", async () => {
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/chest`;
  expect((await type("webhooks list")).stdout).toContain("there are no webhooks");

  const added = await type(`webhooks add ${url} --events chest_remember,maintenance:* --json`);
  const { id, secret, events } = JSON.parse(added.stdout);
  expect([added.exitCode, events, secret]).toEqual([
    0,
    ["chest_remember", "maintenance:*"],
    expect.stringMatching(/^whsec_/),
  ]);
  expect(await type(`webhooks test ${id}`)).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("it arrived"),
  });
  expect((await type("remember webhooks-tell-of-this --entity acme-api")).exitCode).toBe(0);
  await expect
    .poll(() => got.map(({ type, data }) => data.op ?? type), { timeout: 15_000 })
    .toEqual(["ping", "chest_remember"]);

  const listed = await type("webhooks list");
  expect(listed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("chest_remember,maintenance:*") });
  expect(listed.stdout + listed.stderr).not.toContain(secret);

  status = 500;
  const tried = await type(`webhooks test ${id}`);
  expect([tried.exitCode, tried.stdout]).toEqual([1, expect.stringMatching(/^it did not arrive: .*500/)]);
  expect((await type(`webhooks remove ${id}`)).exitCode).toBe(0);
  expect((await type(`webhooks remove ${id}`)).stderr).toContain(`there is no webhook ${id}`);
});

it("are made for a digest only, whose text `chest-index digest` shows at once", async () => {
  expect((await type("remember lapwings-nest-in-april --entity acme-api")).exitCode).toBe(0);
  const told = await type("digest --week");
  expect([told.exitCode, told.stdout]).toEqual([
    0,
    expect.stringMatching(/^# What is new\n[\s\S]*- lapwings-nest-in-april \(#/),
  ]);
  expect(JSON.parse((await type("digest --json --project host/org/nothing")).stdout).learned.total).toBe(0);

  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/chest`;
  const added = await type(`webhooks add ${url} --events digest:weekly`);
  expect(added.stdout + added.stderr).toContain("carry text");
  const mixed = await type(`webhooks add ${url} --events digest,chest_remember`);
  expect([mixed.exitCode, mixed.stderr]).toEqual([2, expect.stringContaining("a webhook of its own")]);
});

it("report errors, and where they have to run", async () => {
  const refused = await type("webhooks add nowhere");
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("https://")]);
  const alone = await runCli(["webhooks", "list"], cleanEnv({}));
  expect(alone.stderr).toContain("webhooks are a backend's");
});
