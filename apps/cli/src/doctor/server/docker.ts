import type { Container } from "../../connect/docker.ts";
import type { Check, Finding } from "../check.ts";
import { judgeCompose } from "./compose-files.ts";
import type { InspectedServer } from "./target.ts";

const NO_DOCKER: Finding = { status: "skip", message: "no docker here, or its daemon does not answer" };
const ABSENT: Finding = { status: "skip", message: "there is no such container: the server runs outside of it" };

/** Inspects the container if there is one. A missing container is a failure only when the user named it. */
function inContainer(judge: (container: Container, inspected: InspectedServer) => Finding | Promise<Finding>) {
  return async (inspected: InspectedServer): Promise<Finding> => {
    const { name, isAsked } = inspected.container;
    const docker = await inspected.docker();
    if (!docker) return isAsked ? { status: "fail", message: NO_DOCKER.message, fix: "docker info" } : NO_DOCKER;
    const container = await docker.inspect(name);
    if (container) return judge(container, inspected);
    if (!isAsked) return ABSENT;
    return { status: "fail", message: `there is no container \`${name}\``, fix: "docker ps -a --format '{{.Names}}'" };
  };
}

export const dockerChecks: readonly Check<InspectedServer>[] = [
  {
    id: "server.docker.daemon",
    title: "docker answers",
    async run({ docker, container }) {
      if (await docker()) return { status: "ok", message: "it does" };
      return container.isAsked ? { status: "fail", message: NO_DOCKER.message, fix: "docker info" } : NO_DOCKER;
    },
  },
  {
    id: "server.docker.container",
    title: "the container runs",
    run: inContainer(({ status }, { container: { name } }) =>
      status === "running"
        ? { status: "ok", message: `\`${name}\` is running` }
        : { status: "fail", message: `\`${name}\` is ${status}`, fix: `docker start ${name}` },
    ),
  },
  {
    id: "server.docker.health",
    title: "its health check passes",
    run: inContainer(({ health }, { container: { name } }) => {
      if (health === undefined) return { status: "skip", message: "it has no health check" };
      if (health === "healthy") return { status: "ok", message: health };
      const status = health === "starting" ? "warn" : "fail";
      return { status, message: `it is ${health}`, fix: `docker logs --tail 50 ${name}` };
    }),
  },
  {
    id: "server.compose.override",
    title: "the files it was started with are there, and applied",
    run: inContainer(judgeCompose),
  },
  {
    id: "server.compose.deploy_files",
    title: "the image holds the skill and the rules for agents",
    run: inContainer(async (_container, { docker, container: { name } }) => {
      const script =
        "for (const f of ['skills/chest-memory/SKILL.md', 'rules/chest-memory.md']) if (!require('fs').existsSync('/opt/chest/apps/mcp/dist/claude/' + f)) console.log(f)";
      const missing =
        (await (await docker())?.exec(name, ["node", "-e", script]))?.trim().split("\n").filter(Boolean) ?? [];
      if (missing.length === 0) return { status: "ok", message: "they are there" };
      return { status: "warn", message: `missing: ${missing.join(", ")}`, fix: "docker compose build --pull" };
    }),
  },
];

export const mode: Check<InspectedServer> = {
  id: "server.env.mode",
  title: "the container is a backend, not a client of one",
  async run({ docker, container }) {
    const found = await (await docker())?.inspect(container.name);
    if (!found) return { status: "ok", message: "a backend ignores CHEST_MODE" };
    const modeInContainer = found.env.get("CHEST_MODE");
    if (!modeInContainer || modeInContainer === "local") return { status: "ok", message: modeInContainer ?? "not set" };
    return {
      status: "fail",
      message: `CHEST_MODE=${modeInContainer} is set in the container`,
      fix: "grep -rn CHEST_MODE .env compose*.yaml",
    };
  },
};
