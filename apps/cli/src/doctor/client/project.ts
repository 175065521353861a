import { endpoints, HEADERS } from "@chest/contracts";
import { storableProjectKey } from "@chest/core";
import { readProject } from "@chest/files/project";
import { asWord } from "@chest/runtime/shell-words";
import type { Check } from "../check.ts";
import { type InspectedClient, LOCAL_MODE } from "./target.ts";

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
