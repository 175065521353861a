import { ChestError } from "@chest/contracts";
import { alikeHint, lookAlike, repositoryKeyOf, storableProjectKey } from "@chest/core";
import { readProject } from "@chest/files/project";
import { type Env, StartError } from "@chest/runtime";
import { atDesk } from "../connect/access-admin.ts";
import { configOf, type Target } from "./target.ts";

/**
 * Tells of an older project that looks like the one of a folder, with the command that makes them one; undefined where there is
 * none, or none that this member may see.
 */
export async function alikeProject(target: Target, env: Env, cwd: string): Promise<string | undefined> {
  try {
    const named = env.CHEST_PROJECT || readProject(cwd, env);
    if (!named) return undefined;
    const key = storableProjectKey(named);
    const projects = await atDesk(configOf(target, env), (desk) => desk.listProjects({ like: key }));
    const own = projects.find((each) => [each.key, ...(each.aliases ?? [])].some((one) => isSame(one, key)));
    // An older backend lists all projects, and says nothing of those that look alike.
    const older = own ? own.similar?.[0] : projects.find((each) => lookAlike(each.key, key))?.key;
    return older && alikeHint(own?.key ?? key, older, { isThere: own !== undefined });
  } catch (error) {
    // The setup is through: what the backend refuses here has a step, or a check of the doctor, of its own.
    if (error instanceof ChestError || error instanceof StartError) return undefined;
    throw error;
  }
}

const isSame = (one: string, key: string): boolean => one === key || one === repositoryKeyOf(key);
