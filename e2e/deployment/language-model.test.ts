import { type LlmStandIn, openLlmStandIn } from "@chest/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Backend, startBackend } from "../support/backend.ts";
import { runCli } from "../support/clients/cli.ts";
import { cleanEnv } from "../support/process.ts";

describe("an operator of a backend", () => {
  let server: LlmStandIn;
  let backend: Backend | undefined;
  beforeEach(async () => {
    server = await openLlmStandIn();
  });
  afterEach(async () => {
    await backend?.stop();
    await server.close();
  });

  const tested = async (over: NodeJS.ProcessEnv) => {
    backend = await startBackend({ env: over });
    return asked();
  };
  const asked = async () => {
    if (!backend) throw new Error("there is no backend");
    const env = cleanEnv({ CHEST_MODE: "remote", CHEST_REMOTE_URL: backend.url, CHEST_API_TOKEN: backend.token });
    const { exitCode, stdout, stderr } = await runCli(["llm", "test"], env);
    return { exitCode, said: stdout + stderr };
  };

  it("is shown whether the language model writes, and why not", async () => {
    const env = { CHEST_LLM_PROVIDER: "openai", CHEST_LLM_URL: server.url, CHEST_LLM_MODEL: "stand-in" };
    expect(await tested(env)).toMatchObject({
      exitCode: 0,
      said: expect.stringMatching(/openai: stand-in\nit writes: \d+ ms/),
    });
    await backend?.stop();
    server.reply = () => ({ status: 500 });
    expect(await tested(env)).toMatchObject({
      exitCode: 1,
      said: expect.stringContaining("it does not write: failed (HTTP 500)"),
    });
    server.reply = () => ({ status: 401 });
    expect((await asked()).said).toMatch(/failed \(HTTP 401\)[\s\S]*hint: .*CHEST_LLM_API_KEY/);
    server.reply = () => ({ raw: "<html>" });
    expect((await asked()).said).toMatch(/failed \(its answer is not of this API\)[\s\S]*hint: .*CHEST_LLM_URL/);
    expect((await asked()).said).toMatch(/does not write: unavailable[\s\S]*hint: .*is paused/);
    expect(backend?.log()).not.toMatch(/Write the word|one word/);
  });

  it("is shown where there is none", async () => {
    expect(await tested({})).toMatchObject({
      exitCode: 1,
      said: expect.stringContaining("no language model is configured"),
    });
  });
});
