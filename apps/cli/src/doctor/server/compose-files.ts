import { existsSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { quoted } from "@chest/runtime/shell-words";
import type { Container } from "../../connect/docker.ts";
import type { Finding } from "../check.ts";

const OVERRIDES = [
  "compose.override.yaml",
  "compose.override.yml",
  "docker-compose.override.yml",
  "docker-compose.override.yaml",
];
/** Project name in compose.yaml. */
const PROJECT = "chest";

/** Compares the compose files a container was made from with the files that are there now. */
export function judgeCompose({ labels, createdAt }: Pick<Container, "labels" | "createdAt">): Finding {
  const files = labels["com.docker.compose.project.config_files"]?.split(",");
  if (files === undefined) return { status: "skip", message: "it was not started by compose" };
  const folder = labels["com.docker.compose.project.working_dir"] ?? ".";
  const project = labels["com.docker.compose.project"] ?? PROJECT;
  const up = (all: readonly string[]) => upCommand(folder, project, all);

  const gone = files.filter((file) => !existsSync(file));
  if (gone.length > 0) {
    return {
      status: "warn",
      message: `${gone.join(", ")} is not there: the next \`docker compose up\` starts something else`,
      fix: `cd ${quoted(folder)} && docker compose config --quiet`,
    };
  }
  const override = OVERRIDES.map((name) => join(folder, name)).find(existsSync);
  if (override !== undefined && !files.includes(override)) {
    return {
      status: "warn",
      message: `${override} is not applied: the container was started without it, by ${files.map((file) => basename(file)).join(", ")}`,
      fix: up([...files, override]),
    };
  }
  const changed = files.filter((file) => statSync(file).mtime > createdAt);
  if (changed.length > 0) {
    return {
      status: "warn",
      message: `${changed.join(", ")} was changed after the container was made, at ${createdAt.toISOString()}: the change is not applied`,
      fix: up(files),
    };
  }
  return { status: "ok", message: files.join("\n") };
}

/** Compose reads compose.yaml and its override by default; other files must be named. */
function upCommand(folder: string, project: string, files: readonly string[]): string {
  const names = files.map((file) => basename(file));
  const isUsual = files.every((file) => join(folder, basename(file)) === file) && names[0] === "compose.yaml";
  const isPlain = isUsual && names.slice(1).every((name) => OVERRIDES.includes(name));
  const named = isPlain ? "" : files.map((file) => ` --file ${quoted(file)}`).join("");
  return `cd ${quoted(folder)} && docker compose${project === PROJECT ? "" : ` --project-name ${project}`}${named} up -d`;
}
