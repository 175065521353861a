import { ChestError, type ProjectView } from "@chest/contracts";
import { alikeHint, lookAlike, repositoryKeyOf, storableProjectKey } from "@chest/core/access";
import { readProjectKeys } from "@chest/files/project";
import { type Env, StartError } from "@chest/runtime";
import { withAccessAdmin } from "../connect/access-admin.ts";
import { configOf, type Target } from "./target.ts";

/**
 * Tells of an older project that looks like the one of a folder, with the command that makes them one; undefined where there is
 * none, or none that this member may see.
 */
export async function alikeProject(target: Target, env: Env, cwd: string): Promise<string | undefined> {
  try {
    const keys = env.CHEST_PROJECT ? { key: env.CHEST_PROJECT } : readProjectKeys(cwd, env);
    if (!keys) return undefined;
    const [key, written] = [storableProjectKey(keys.key), keys.written && storableProjectKey(keys.written)];
    const config = configOf(target, env);
    const projects = await withAccessAdmin(config, (admin) => admin.listProjects({ like: key }));
    const own = ofKey(projects, key);
    // An older backend lists all projects, and says nothing of those that look alike.
    const alike = own ? own.similar?.[0] : projects.find((each) => lookAlike(each.key, key))?.key;
    // The remote as it is written was the key before aliases of git and ssh were followed.
    const former =
      alike === undefined && written
        ? ofKey(await withAccessAdmin(config, (admin) => admin.listProjects({ like: written })), written)?.key
        : undefined;
    const older = alike ?? (former === own?.key ? undefined : former);
    return older && alikeHint(own?.key ?? key, older, { isThere: own !== undefined });
  } catch (error) {
    // The setup is through: what the backend refuses here has a step, or a check of the doctor, of its own.
    if (error instanceof ChestError || error instanceof StartError) return undefined;
    throw error;
  }
}

const ofKey = (projects: readonly ProjectView[], key: string): ProjectView | undefined =>
  projects.find((each) => [each.key, ...(each.aliases ?? [])].some((one) => isSame(one, key)));

const isSame = (one: string, key: string): boolean => one === key || one === repositoryKeyOf(key);
