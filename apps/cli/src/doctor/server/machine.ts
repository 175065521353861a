import type { HostFacts, HostFinding } from "@chest/contracts";
import { type HostCheck, judgeHost } from "@chest/core/doctor";
import { RELEASE } from "@chest/runtime";
import { quoted } from "@chest/runtime/shell-words";
import { isUnit } from "../../connect/service.ts";
import { updateHere } from "../../connect/start-command.ts";
import type { Check, Finding } from "../check.ts";
import { from, type InspectedServer, indexCommand, offlineCommand, restartCommand } from "./target.ts";

/**
 * Check whose judgement is in core. A backend of this release judges it; otherwise this program judges the backend's
 * facts or those of the store's file. `here` adds facts that only this machine knows, such as a container around the
 * backend.
 */
const about = (
  id: HostCheck,
  title: string,
  here: (found: Finding, facts: HostFacts, inspected: InspectedServer) => Promise<Finding> = async (found) => found,
): Check<InspectedServer> => ({
  id: `server.${id}`,
  title,
  run: (inspected) =>
    from(inspected.host(), async (facts, source) => {
      const judged =
        facts.findings?.find((finding) => finding.id === id) ?? judgeHost(id, facts, { now: inspected.now(), source });
      return here(await asFinding(judged, inspected), facts, inspected);
    }),
});

/** Turns a judgement into a finding, with a repair command that suits the way the server runs here. */
export async function asFinding(
  { status, message, mend }: Omit<HostFinding, "id">,
  inspected: InspectedServer,
): Promise<Finding> {
  const fix = mend && (await commandOf(mend, inspected));
  if (status === "note") {
    const more = fix === undefined ? "" : `; \`${fix}\` changes that`;
    return { status: "ok", message: `note: ${message}${more}` };
  }
  return status === "ok" || status === "skip" ? { status, message } : { status, message, fix };
}

async function commandOf(
  { by, commands = [] }: NonNullable<HostFinding["mend"]>,
  inspected: InspectedServer,
): Promise<string | undefined> {
  if (by === "restart") return restartCommand(inspected);
  if (by === "update") return updateHere();
  const form = {
    index: indexCommand,
    offline: offlineCommand,
    shell: async (_: InspectedServer, line: string) => line,
  };
  return (await Promise.all(commands.map((line) => form[by](inspected, line)))).join(" && ");
}

const isAmiss = ({ status }: Finding): boolean => status === "warn" || status === "fail";

const version: Check<InspectedServer> = {
  id: "server.version",
  title: "it and this program are of one release",
  run: (inspected) =>
    from(inspected.host(), async ({ server_version }, source) => {
      if (source === "file") return { status: "skip", message: "only a running backend can tell" };
      if (server_version === RELEASE) return { status: "ok", message: server_version };
      const message = `the backend is ${server_version}, this program is ${RELEASE}`;
      return { status: "warn", message, fix: server_version > RELEASE ? updateHere() : undefined };
    }),
};

const disk = about("disk", "there is room", async (found, _facts, { docker, service }) => {
  if (!isAmiss(found)) return found;
  const prune = (await docker()) ? ["docker system prune"] : [];
  const vacuum = isUnit(await service()) ? ["sudo journalctl --vacuum-size=200M"] : [];
  return { ...found, fix: [...prune, ...vacuum].join("; ") || undefined };
});

const volume = about(
  "volume",
  "the store is on a local disk that stays",
  async (found, { place: { files } }, { docker, container }) => {
    const running = await (await docker())?.inspect(container.name);
    const { name } = container;
    if (isAmiss(found)) {
      const folder = files.find(({ what }) => what === "folder")?.path ?? ".";
      const fix = running
        ? `docker run --rm --user root --volumes-from ${name} --volume chest-local:/local ${running.image} cp -a /data/. /local`
        : `sudo cp -a ${quoted(`${folder}/.`)} /var/lib/chest && echo CHEST_DATA_DIR=/var/lib/chest | sudo tee -a /etc/chest/chest.env && sudo systemctl restart chest`;
      return { ...found, fix };
    }
    if (!running || running.isDataKept) return found;
    return {
      status: "warn",
      message: "/data is not a named volume: what is stored is lost with the container; a copy in one serves the next",
      fix: `docker stop ${name} && docker run --rm --user root --volumes-from ${name} --volume chest-data:/kept ${running.image} cp -a /data/. /kept; docker start ${name}`,
    };
  },
);

export const machineChecks = {
  config: about("config", "every setting takes effect"),
  version,
  schema: about("schema", "the store is of the backend's release"),
  disk,
  volume,
  permissions: about("permissions", "no one else can read what is stored"),
  wal: about("wal", "the log is checkpointed into the store"),
  text: about("text", "index and rows agree"),
  vectors: about("vectors", "memories can be found by meaning"),
  embedder: about("embedder", "a process makes vectors"),
  identity: about("identity", "the store's vectors are of the model that is configured"),
  maintenance: about("maintenance", "the store is maintained"),
  backup: about("backup", "there is a backup, and a new one"),
  tokens: about("tokens", "no one is refused for an expired token"),
  webhooks: about("webhooks", "webhooks reach their receivers"),
};
