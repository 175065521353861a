import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { describedEmbedder } from "../description.ts";
import { openEmbedder } from "../embedder.ts";
import type { ModelSpec } from "../spec.ts";
import {
  answer,
  type Behaviour,
  cutAfter,
  FIXTURE_EMBEDDER,
  fixtureModels,
  type Hub,
  ignoreRange,
  lieAboutLength,
  redirectTo,
  sendOther,
  sendOtherRange,
  sendTooMuch,
  sendWithoutLength,
  stallAfter,
  startHub,
} from "../testing/index.ts";
import { type FetchEvent, type FetchOptions, fetchModel } from "./fetch-model.ts";
import type { Get } from "./get.ts";

// Real threads and processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 });

const WEIGHTS = "onnx/model_quantized.onnx";
const MODEL = "fixture/words";

let fixtures: string;
let modelsDir: string;
let hub: Hub;

beforeEach(async () => {
  fixtures = await fixtureModels();
  modelsDir = await mkdtemp(join(tmpdir(), "chest-fetch-"));
  hub = await startHub(fixtures);
});
afterEach(async () => {
  await hub.stop();
  await rm(modelsDir, { recursive: true });
});

const get: Get = (url, headers, signal, lookup) =>
  new Promise((resolve, reject) => {
    request(url, { headers, signal, ...(lookup && { lookup }) })
      .on("response", (response) => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, body: response, close: () => response.destroy() });
      })
      .on("error", reject)
      .end();
  });

const unlocked = async () => ({ release: async () => undefined });

function fetch(over: Partial<FetchOptions> = {}, spec: ModelSpec = FIXTURE_EMBEDDER) {
  const options = { modelsDir, endpoint: hub.url, get, lock: unlocked, signal: new AbortController().signal };
  return fetchModel(spec, { ...options, silenceMs: 200, waitMs: 1, ...over });
}

const place = (file: string) => join(modelsDir, MODEL, file);
const original = (file: string) => readFile(join(fixtures, MODEL, file));
const files = async () =>
  (await readdir(modelsDir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
const names = async () => (await files()).map(({ name }) => name).sort();
const WHOLE = ["chest.json", "config.json", "model_quantized.onnx", "tokenizer.json", "tokenizer_config.json"];

async function put(file: string, content: Buffer | string) {
  await mkdir(dirname(place(file)), { recursive: true });
  await writeFile(place(file), content);
}

describe("a model from the hub", () => {
  it("is downloaded, runs, and describes itself", async () => {
    const results = await fetch();
    expect(results.map(({ file, status }) => `${status} ${file}`)).toEqual([
      "downloaded config.json",
      "downloaded tokenizer.json",
      "downloaded tokenizer_config.json",
      `downloaded ${WEIGHTS}`,
    ]);
    expect(await names()).toEqual(WHOLE);
    expect(await readFile(place(WEIGHTS))).toEqual(await original(WEIGHTS));
    expect(describedEmbedder(modelsDir, MODEL)).toEqual(FIXTURE_EMBEDDER);
    const embedder = openEmbedder(FIXTURE_EMBEDDER, { modelsDir });
    expect(await embedder.embedQuery("a", new AbortController().signal)).toHaveLength(128);
    await embedder.close();
  });

  it("is asked for at its revision, below the mirror's path", async () => {
    await fetch({ endpoint: `${hub.url}/` }, { ...FIXTURE_EMBEDDER, revision: "0123abcd" });
    expect(hub.requests[0]?.path).toBe(`/${MODEL}/resolve/0123abcd/config.json`);
  });

  it("is not asked for again when it is whole", async () => {
    await fetch();
    const asked = hub.requests.length;
    const results = await fetch();
    expect(results.map(({ status }) => status)).toEqual(["cached", "cached", "cached", "cached"]);
    expect(hub.requests).toHaveLength(asked);
  });

  it("is completed where files of it lack, are empty or of another size", async () => {
    await fetch();
    await rm(place("config.json"));
    await writeFile(place("tokenizer.json"), "");
    await writeFile(place(WEIGHTS), "short");
    const results = await fetch();
    expect(results.map(({ status }) => status)).toEqual(["downloaded", "downloaded", "cached", "downloaded"]);
    expect(await readFile(place(WEIGHTS))).toEqual(await original(WEIGHTS));
  });

  it("is looked through with `verify`: what was damaged at its size is downloaded again", async () => {
    await fetch();
    const damaged = await original(WEIGHTS);
    damaged[1000] = (damaged[1000] ?? 0) ^ 255;
    await writeFile(place(WEIGHTS), damaged);
    expect((await fetch()).at(-1)?.status).toBe("cached");
    expect((await fetch({ isVerifying: true })).map(({ status }) => status)).toEqual([
      "cached",
      "cached",
      "cached",
      "downloaded",
    ]);
    expect(await readFile(place(WEIGHTS))).toEqual(await original(WEIGHTS));
  });

  it("is replaced by force only once the new file is known to be right", async () => {
    await fetch();
    await writeFile(place("config.json"), "the old one");
    hub.next("config.json", sendOther);
    const [result] = await fetch({ isForced: true });
    expect(result).toMatchObject({ status: "failed", error: { code: "BACKEND_PROTOCOL_ERROR" } });
    expect(await readFile(place("config.json"), "utf8")).toBe("the old one");
    expect((await fetch({ isForced: true })).map(({ status }) => status)).toEqual(Array(4).fill("downloaded"));
    expect(await readFile(place("config.json"))).toEqual(await original("config.json"));
  });
});

describe("a connection that breaks", () => {
  it("is taken up where it broke, as often as something new comes", async () => {
    hub.next(WEIGHTS, ...Array<ReturnType<typeof cutAfter>>(6).fill(cutAfter(50_000)));
    const results = await fetch();
    expect(results.at(-1)).toMatchObject({ status: "downloaded" });
    expect(await readFile(place(WEIGHTS))).toEqual(await original(WEIGHTS));
    const ranges = hub.requests.filter(({ path }) => path.startsWith("/cdn/")).map(({ range }) => range);
    expect(ranges).toHaveLength(7);
    expect(Number(ranges.at(-1)?.match(/\d+/)?.[0])).toBeGreaterThan(100_000);
  });

  it("is given up when three attempts bring nothing, and the next run goes on from there", async () => {
    hub.next(WEIGHTS, cutAfter(50_000), cutAfter(0), cutAfter(0), cutAfter(0));
    const failed = (await fetch()).at(-1);
    expect(failed).toMatchObject({
      status: "failed",
      file: WEIGHTS,
      error: { code: "BACKEND_UNREACHABLE", hint: expect.stringContaining("a later run resumes here") },
    });
    const { size } = await stat(`${place(WEIGHTS)}.part`);
    expect(size).toBeGreaterThan(0);
    expect(await names()).not.toContain("chest.json");
    expect((await fetch()).at(-1)?.status).toBe("downloaded");
    expect(hub.requests.at(-1)?.range).toBe(`bytes=${size}-`);
    expect(await names()).toEqual(WHOLE);
  });

  it("is one that falls silent, too", async () => {
    hub.next(WEIGHTS, stallAfter(50_000), stallAfter(0), stallAfter(0), stallAfter(0));
    expect((await fetch()).at(-1)).toMatchObject({
      error: { code: "BACKEND_UNREACHABLE", message: expect.stringMatching(/0\.2 s without a byte/) },
    });
  });

  it.each([
    ["knows of no ranges", ignoreRange],
    ["sends another part", sendOtherRange],
    ["has no such range", answer(416)],
  ])("is begun anew with a host that %s", async (_, behaviour) => {
    hub.next(WEIGHTS, cutAfter(50_000), behaviour);
    expect((await fetch()).at(-1)?.status).toBe("downloaded");
    expect(await readFile(place(WEIGHTS))).toEqual(await original(WEIGHTS));
  });

  it("is not taken up from a part of something else", async () => {
    await put(`${WEIGHTS}.part`, Buffer.alloc(10_000, "x"));
    expect((await fetch()).at(-1)).toMatchObject({ status: "failed", error: { code: "BACKEND_PROTOCOL_ERROR" } });
    expect(await names()).not.toContain("model_quantized.onnx.part");
    expect((await fetch()).at(-1)?.status).toBe("downloaded");
  });
});

describe("a host that lies", () => {
  it.each([
    ["something else of the same size", sendOther, "another checksum"],
    ["more than there is", sendTooMuch, "more than the"],
  ])("with %s leaves nothing behind", async (_, behaviour, message) => {
    hub.next(WEIGHTS, behaviour);
    expect((await fetch()).at(-1)).toMatchObject({
      status: "failed",
      bytes: 0,
      error: { code: "BACKEND_PROTOCOL_ERROR", message: expect.stringContaining(message) },
    });
    expect(await names()).toEqual(["config.json", "tokenizer.json", "tokenizer_config.json"]);
  });

  it("about a length is asked again, where it is known to lie", async () => {
    hub.next("config.json", lieAboutLength(100));
    hub.next(WEIGHTS, lieAboutLength(-100));
    expect((await fetch()).map(({ status }) => status)).toEqual(Array(4).fill("downloaded"));
    expect(await readFile(place("config.json"))).toEqual(await original("config.json"));
    expect(await readFile(place(WEIGHTS))).toEqual(await original(WEIGHTS));
  });

  it("about a length, and is not asked for it again, is found out by the checksum", async () => {
    const sha256 = createHash("sha256")
      .update(await original("config.json"))
      .digest("hex");
    const [config, ...others] = FIXTURE_EMBEDDER.files;
    const files = [{ path: config?.path as string, sha256 }, ...others];
    hub.next("config.json", lieAboutLength(-100));
    const [result] = await fetch({}, { ...FIXTURE_EMBEDDER, files });
    expect(result).toMatchObject({ status: "failed", error: { message: expect.stringMatching(/checksum/) } });
    expect(await names()).toEqual([]);
  });

  it("about a small file is found out by git's checksum", async () => {
    hub.next("config.json", sendOther);
    expect((await fetch())[0]).toMatchObject({
      status: "failed",
      error: { message: expect.stringMatching(/checksum/) },
    });
  });

  it.each([
    ["shorter", 1_000_000, /^[\d.:]+ sends a wrong .*: \d+ bytes and not the 1000000 that are pinned$/, 1],
    ["shorter, of no stated length", 1_000_000, /: \d+ of 1000000 bytes$/, 7],
    ["longer", 10, /: \d+ bytes and not the 10 that are pinned$/, 1],
  ])("about a pinned file, which is %s there, is refused", async (how, bytes, message, mostAsked) => {
    if (how.includes("no stated")) hub.next("config.json", ...Array<Behaviour>(10).fill(sendWithoutLength));
    const files = FIXTURE_EMBEDDER.files.map((file) => ({ ...file, bytes }));
    const results = await fetch({}, { ...FIXTURE_EMBEDDER, files });
    expect(results).toMatchObject([{ status: "failed", error: { message: expect.stringMatching(message) } }]);
    expect(hub.requests.length).toBeLessThanOrEqual(mostAsked);
  });

  it("is not believed about a pinned file", async () => {
    const wrong = FIXTURE_EMBEDDER.files.map((file) => ({ ...file, sha256: "0".repeat(64) }));
    const [result] = await fetch({}, { ...FIXTURE_EMBEDDER, files: wrong });
    expect(result).toMatchObject({ status: "failed", error: { message: expect.stringMatching(/checksum/) } });
    expect(await names()).toEqual([]);
  });
});

describe("a redirect", () => {
  // An address of a documentation network; the hub of this test answers for it.
  const PUBLIC = "http://198.51.100.7";
  const getThere: Get = (url, ...rest) =>
    get(url.origin === PUBLIC ? new URL(url.pathname + url.search, hub.url) : url, ...rest);
  const port = () => new URL(hub.url).port;

  it.each([
    ["this machine", () => hub.url],
    ["this machine in another spelling", () => `http://2130706433:${port()}`],
    ["this machine by name", () => `http://localhost:${port()}`],
    ["this machine in IPv6", () => `http://[::1]:${port()}`],
    ["this machine, mapped into IPv6", () => `http://[::ffff:127.0.0.1]:${port()}`],
    ["a private address behind NAT64", () => "http://[64:ff9b::10.0.0.1]"],
    ["a private address behind a NAT64 of the network itself", () => "http://[64:ff9b:1::10.0.0.1]"],
    ["a private address, translated into IPv6", () => "http://[::ffff:0:10.0.0.1]"],
    ["a private address behind 6to4", () => "http://[2002:a00:1::1]"],
    ["the metadata of a cloud", () => "http://169.254.169.254"],
    ["a private network", () => "http://192.168.1.1"],
    ["a private network in IPv6", () => "http://[fd00::1]"],
    ["a link-local address", () => "http://[fe80::1]"],
    ["the address of any interface", () => "http://0.0.0.0"],
  ])("from a public host to %s is refused", async (_, place) => {
    hub.next("config.json", redirectTo(`${place()}/inside/config.json`));
    const [result] = await fetch({ endpoint: PUBLIC, get: getThere });
    expect(result).toMatchObject({
      status: "failed",
      error: { message: "198.51.100.7 redirects to an address that is not public" },
    });
    expect(hub.requests.map(({ path }) => path)).toEqual([`/${MODEL}/resolve/main/config.json`]);
  });

  it("from a public host to itself and on to another is followed", async () => {
    const other: Get = (url, ...rest) => getThere(new URL(url.href.replace("198.51.100.8", "198.51.100.7")), ...rest);
    hub.next("config.json", redirectTo(`http://198.51.100.8/${MODEL}/resolve/main/config.json`));
    const results = await fetch({ endpoint: PUBLIC, get: other });
    expect(results.map(({ status }) => status)).toEqual(Array(4).fill("downloaded"));
  });

  it.each(["127.0.0.1", "localhost"])("from a mirror inside to %s is followed", async (host) => {
    const place = `http://${host}:${port()}/${MODEL}/resolve/main/config.json`;
    hub.next("config.json", redirectTo(place));
    const results = await fetch({ endpoint: host === "localhost" ? hub.url : `http://localhost:${port()}` });
    expect(results.map(({ status }) => status)).toEqual(Array(4).fill("downloaded"));
  });
});

describe("what cannot be had", () => {
  it.each([
    [404, "NOT_FOUND", "has no `fixture/words/resolve/main/config.json` (404)", 1],
    [401, "FORBIDDEN", "does not offer", 1],
    [403, "FORBIDDEN", "does not offer", 1],
    [503, "UNAVAILABLE", "answers 503", 3],
    [429, "UNAVAILABLE", "answers 429", 3],
  ])("is told by its status %i, and tried again only where that may help", async (status, code, message, attempts) => {
    hub.next("config.json", answer(status), answer(status), answer(status));
    const results = await fetch();
    expect(results).toMatchObject([{ status: "failed", error: { code, message: expect.stringContaining(message) } }]);
    expect(hub.requests).toHaveLength(attempts);
    expect(await names()).toEqual([]);
  });

  it("is told when nobody answers", async () => {
    const [result] = await fetch({ endpoint: "http://127.0.0.1:9" });
    expect(result).toMatchObject({
      error: { code: "BACKEND_UNREACHABLE", message: expect.stringContaining("does not come from 127.0.0.1:9") },
    });
  });

  it("is told before it begins when there is no room for it", async () => {
    const huge = FIXTURE_EMBEDDER.files.map((file) => ({ ...file, bytes: 1e15 }));
    expect(await fetch({}, { ...FIXTURE_EMBEDDER, files: huge })).toMatchObject([
      { status: "failed", error: { code: "STORAGE_FULL", hint: expect.stringContaining("CHEST_MODELS_DIR") } },
    ]);
    expect(hub.requests).toEqual([]);
  });

  it("is told when the folder is a file", async () => {
    const file = join(modelsDir, "taken");
    await writeFile(file, "");
    await expect(fetch({ modelsDir: file })).rejects.toMatchObject({ hint: expect.stringMatching(/CHEST_MODELS_DIR/) });
  });
});

it("takes away what earlier runs left and no run can use", async () => {
  await put("config.json.tmp", "old");
  await put("onnx/model.onnx.part", "of another kind");
  await put("tokenizer.json", "");
  await fetch();
  expect(await names()).toEqual(WHOLE);
});

it("waits for another download, and then finds everything there", async () => {
  const events: FetchEvent[] = [];
  let isHeld = true;
  const lock = async () => (isHeld ? undefined : { release: async () => undefined });
  const second = fetch({ lock, onEvent: (event) => events.push(event) });
  await expect.poll(() => events).toEqual([{ kind: "waiting" }]);
  await fetch();
  isHeld = false;
  expect((await second).map(({ status }) => status)).toEqual(Array(4).fill("cached"));
});

it("tells how far it is", async () => {
  const events: FetchEvent[] = [];
  await fetch({ onEvent: (event) => events.push(event) });
  const total = (await original(WEIGHTS)).length;
  expect(events).toContainEqual({ kind: "progress", file: WEIGHTS, received: total, total });
});

it("ends at the signal, and keeps what it has", async () => {
  const stop = new AbortController();
  hub.next(WEIGHTS, stallAfter(50_000));
  const running = fetch({
    silenceMs: 60_000,
    signal: stop.signal,
    onEvent: (event) => event.kind === "progress" && event.file === WEIGHTS && stop.abort(new Error("enough")),
  });
  await expect(running).rejects.toThrow("enough");
  expect(await names()).toContain("model_quantized.onnx.part");
});
