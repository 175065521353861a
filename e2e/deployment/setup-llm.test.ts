import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ProgramResult } from "../support/clients/cli.ts";
import { connectStdioClient } from "../support/clients/stdio-client.ts";
import { freshHomes } from "../support/deployment/homes.ts";
import { fakeClaude } from "../support/deployment/installation.ts";

const fresh = freshHomes();

const setup = (args: readonly string[]): Promise<ProgramResult> => fresh.home.index(["setup", "--yes", ...args]);

describe("a language model of a store beside the agent", () => {
  const OFFER = "chest-index setup --local --llm claude-cli";
  const profile = () => fresh.home.json(".chest-memory", "client.json");

  it("is offered in a line where Claude Code's program is there, until the user has chosen, and asked from then on", async () => {
    expect((await setup(["--local"])).stdout).not.toContain("--llm");
    const claude = await fakeClaude(fresh.home);
    const offered = await setup(["--local"]);
    expect(offered).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(OFFER) });
    expect(await profile()).toEqual({ mode: "local" });

    const chosen = await setup(["--local", "--llm", "claude-cli"]);
    expect(chosen).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^updated +profile/m) });
    expect(await profile()).toEqual({ mode: "local", llm: "claude-cli" });
    const again = await setup([]);
    expect(again.stdout).not.toContain("--llm");
    expect(again.stdout).toMatch(/^unchanged +profile/m);

    const { command, args, env } = (await fresh.home.json(".claude.json")).mcpServers["chest-memory"];
    const { HOME, PATH } = fresh.home.env;
    const { client, stop } = await connectStdioClient({ program: { command, args }, env: { HOME, PATH, ...env } });
    const fact = {
      content: "the gateway listens on port 8443",
      entity_name: "gateway",
      entity_kind: "concept",
      layer: "learning",
    };
    await client.callTool({ name: "chest_remember", arguments: fact });
    const question = { query: "which port does the gateway listen on", format: "answer" };
    await client.callTool({ name: "chest_recall", arguments: question });
    await stop();
    expect(await claude.words()).toContainEqual(expect.arrayContaining(["--print", "--model=haiku"]));

    await setup(["--llm", "off"]);
    expect(await profile()).toEqual({ mode: "local", llm: "off" });
    expect((await setup([])).stdout).not.toContain("--llm");
    await setup(["--remove"]);
    expect(existsSync(fresh.home.path(".chest-memory/client.json"))).toBe(false);
  });

  it.each([
    ["of a name that is unknown", ["--local", "--llm", "gpt"], /`--llm gpt` is not known.*\n.*claude-cli, off/],
    ["whose program is not there", ["--local", "--llm", "claude-cli"], /`claude`, which is not on the PATH/],
    [
      "beside a backend",
      ["--llm", "claude-cli"],
      /is for a store on this machine.*\n.*CHEST_LLM_PROVIDER at the backend/,
    ],
  ])("%s is refused, and nothing is written", async (_, words, said) => {
    const refused = await setup(
      words.includes("--local") ? words : ["--docker", fresh.backend.url, "--token-file", fresh.tokenFile, ...words],
    );
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(said) });
    expect(await fresh.home.files()).toEqual({});
  });
});
