import { assertSpoken, ChestError, endpoints, HEADERS, WIRE_VERSION } from "@chest/contracts";
import { storableProjectKey } from "@chest/core/access";
import { readProject } from "@chest/files/project";
import { asWord, quoted } from "@chest/runtime/shell-words";
import { isDown, ownToken } from "../../connect/mend.ts";
import { startCommand } from "../../connect/start-command.ts";
import type { Check, Finding } from "../check.ts";
import { compareClocks } from "../clock.ts";
import { failed, type InspectedClient, LOCAL_MODE } from "./target.ts";

export const health: Check<InspectedClient> = {
  id: "client.network.health",
  title: "the backend answers",
  async run({ remote }, signal) {
    if (!remote) return LOCAL_MODE;
    const { backend } = remote;
    try {
      const { db, version } = await backend.call(endpoints.healthz, { signal, tries: 1 });
      return { status: "ok", message: `${backend.url} answers: wire ${version}, database ${db}` };
    } catch (error) {
      const start = error instanceof ChestError && isDown(error) ? await startCommand(backend.url) : undefined;
      return failed(error, start);
    }
  },
};

export const capabilities: Check<InspectedClient> = {
  id: "client.network.capabilities",
  title: "the backend accepts this client and its token",
  async run({ remote, env }, signal) {
    if (!remote) return LOCAL_MODE;
    const { backend } = remote;
    try {
      const answer = await backend.call(endpoints.capabilities, { signal, tries: 1 });
      assertSpoken(answer);
      const { server_version, min_required_client_version: minimum } = answer;
      const message = `release ${server_version} takes wire ${minimum} and newer; this client speaks ${WIRE_VERSION}`;
      return { status: "ok", message };
    } catch (error) {
      const own = error instanceof ChestError && error.code === "UNAUTHORIZED" ? ownToken(error, env) : undefined;
      if (own)
        return failed(error, `chest-index setup --yes --docker ${quoted(backend.url)} --token-file ${quoted(own)}`);
      const { token, tokenFile } = remote.reach;
      const isOfMember = error instanceof ChestError && error.code === "UNAUTHORIZED" && /^cht_\d+_/.test(token ?? "");
      return isOfMember ? withNewToken(failed(error), backend.url, tokenFile) : failed(error);
    }
  },
};

/** Adds the way back for a member whose token is refused, which only an admin can give. */
function withNewToken(finding: Finding, url: string, tokenFile = "FILE"): Finding {
  const again = `chest-index setup --yes --docker ${quoted(url)} --token-file ${quoted(tokenFile)}`;
  const lines = [
    "it has ended, was revoked, or is another backend's; what is saved meanwhile waits in the outbox",
    `an admin makes another one with \`chest-index token create --member NAME\`; in a file, \`${again}\` takes it`,
  ];
  return { ...finding, message: [finding.message, ...lines].join("\n") };
}

export const clock: Check<InspectedClient> = {
  id: "client.clock",
  title: "this clock and the backend's agree",
  run: async ({ remote }, signal) => (remote ? compareClocks(remote.backend, signal) : LOCAL_MODE),
};

export const project: Check<InspectedClient> = {
  id: "client.project",
  title: "the project of this folder is open to the token",
  async run({ remote, env, cwd }, signal) {
    if (!remote) return LOCAL_MODE;
    const named = env.CHEST_PROJECT || readProject(cwd, env);
    const key = named && storableProjectKey(named);
    if (!key) return { status: "skip", message: "this folder is no project" };
    const headers = { [HEADERS.project]: key };
    const ask = () => remote.backend.call(endpoints.capabilities, { signal, tries: 1, headers });
    // An older backend does not list its clients; other checks report a backend that does not answer.
    const caller = (await ask().catch(() => undefined))?.caller;
    if (!caller) return { status: "skip", message: "the backend does not tell" };
    if (!caller.is_project_closed) return { status: "ok", message: key };
    const { projects } = await remote.backend.call(endpoints.whoami, { signal, tries: 1 });
    const member = asWord(caller.member);
    const isLimited = projects !== undefined && !projects.includes(key);
    return {
      status: "warn",
      message: `${key} is closed to ${isLimited ? `this token, which is limited to ${projects.join(", ") || "no project"}` : caller.member}: nothing of it is recalled, and writes to it are refused\nan admin of the backend opens it`,
      fix: isLimited
        ? `chest-index token create --member ${member} --projects ${asWord([...projects, key].join(","))}`
        : `chest-index project access ${asWord(key)} --add ${member}`,
    };
  },
};
