import { join } from "node:path";
import { expect, it } from "vitest";
import { readTarget } from "./target.ts";

const dataDir = join(import.meta.dirname, "no-data-here");
const target = async (env: Record<string, string>, url?: string) =>
  (
    await readTarget(
      { CHEST_DATA_DIR: dataDir, ...env },
      {
        url,
        token: "t".repeat(32),
        tokenFile: undefined,
        caFile: undefined,
        isLocal: false,
        dataDir,
        askToken: undefined,
      },
    )
  ).profile;

it("names files so that they are found from any folder", async () => {
  expect(await target({ CHEST_DB_PATH: "stores/mine.db" })).toEqual({
    mode: "local",
    db_path: join(process.cwd(), "stores/mine.db"),
  });
  expect(await target({ CHEST_CA_FILE: "certs/ca.pem" }, "https://chest.example")).toMatchObject({
    ca_file: join(process.cwd(), "certs/ca.pem"),
  });
});
