import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { judgeCompose } from "./compose-files.ts";

const MADE_AT = new Date("2026-11-20T10:00:00Z");
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "chest-compose-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(name: string, at = "2026-11-19T10:00:00Z"): string {
  const file = join(folder, name);
  writeFileSync(file, "services: {}\n");
  utimesSync(file, new Date(at), new Date(at));
  return file;
}

/** Describes a container that compose made from files of this folder. */
const madeOf = (files: readonly string[], project = "chest") =>
  judgeCompose({
    createdAt: MADE_AT,
    labels: {
      "com.docker.compose.project": project,
      "com.docker.compose.project.config_files": files.join(","),
      "com.docker.compose.project.working_dir": folder,
    },
  });

it("is fine where all files exist, and none is newer or left out", () => {
  const files = [put("compose.yaml"), put("compose.override.yaml")];
  expect(madeOf(files)).toEqual({ status: "ok", message: files.join("\n") });
});

it("reports an override that was copied there after the start", () => {
  const files = [put("compose.yaml")];
  const override = put("compose.override.yaml");
  expect(madeOf(files)).toEqual({
    status: "warn",
    message: `${override} is not applied: the container was started without it, by compose.yaml`,
    fix: `cd '${folder}' && docker compose up -d`,
  });
  expect(madeOf(files, "mine")).toMatchObject({ fix: `cd '${folder}' && docker compose --project-name mine up -d` });
});

it("reports an override that is missing among the files of the stack with TLS", () => {
  const files = [put("compose.yaml"), put("compose.tls.yaml")];
  const override = put("compose.override.yml");
  expect(madeOf(files)).toMatchObject({
    status: "warn",
    fix: `cd '${folder}' && docker compose${[...files, override].map((file) => ` --file '${file}'`).join("")} up -d`,
  });
});

it("reports a file that was changed since", () => {
  const files = [put("compose.yaml"), put("compose.override.yaml", "2026-11-20T10:00:01Z")];
  expect(madeOf(files)).toEqual({
    status: "warn",
    message: `${files[1]} was changed after the container was made, at 2026-11-20T10:00:00.000Z: the change is not applied`,
    fix: `cd '${folder}' && docker compose up -d`,
  });
});

it("reports a missing file, and skips a container that compose did not make", () => {
  const gone = join(folder, "compose.yaml");
  expect(madeOf([gone])).toMatchObject({ status: "warn", message: expect.stringContaining(`${gone} is not there`) });
  expect(judgeCompose({ createdAt: MADE_AT, labels: {} })).toMatchObject({ status: "skip" });
});
