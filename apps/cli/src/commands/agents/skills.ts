import { hostname } from "node:os";
import { ChestError } from "@chest/contracts";
import { SKILL_TAG, skillSlug } from "@chest/core/resources";
import { readProject } from "@chest/files/project";
import { claudeFolder } from "../../agents/claude/folder.ts";
import { type SkillFile, type SkillFolder, skillFolders, skillsIn } from "../../agents/skill-files.ts";
import { type Flags, readConfig } from "../../connect/config.ts";
import { atWorkbench, type Workbench } from "../../connect/tools.ts";
import { commandGroup, PROJECT_HERE, reachingCommand, type Shell } from "../../terminal/command-context.ts";
import { counted } from "../../terminal/parse-numbers.ts";

/** Tag of every skill, by which they are listed. */
const TAG = "skill";
const HASH_TAG = "sha:";
/** Tag of a personal skill that names the machine it is on. */
const MACHINE_TAG = "on:";
const PAGE = 200;
/** Last second of the year 9999, because a skill does not expire while its file exists. */
const NEVER = 253_402_300_799;
const HEAD = /^(\S+) \((.+?)\): /;

interface Stored {
  readonly id: number;
  readonly content: string;
  readonly tags: readonly string[];
  readonly category?: string;
  readonly visibility: string;
  readonly author: string;
  readonly project?: string;
}

const NAME = { type: "positional", description: "The skill's name", required: true } as const;

type Place = Flags & { readonly project?: string | undefined };

/** Opens the workbench of a command, in the project of this folder. */
async function at<T>(
  args: Place,
  { env, output }: Shell,
  work: (bench: Workbench, project: string | undefined) => Promise<T>,
) {
  const project = args.project ?? readProject(process.cwd(), env);
  const done = await atWorkbench(readConfig(env, args), project, (bench) => work(bench, project));
  return { output, done };
}

/** Lists every stored skill with its name and the file named at the beginning of its text. */
async function stored({ execute }: Workbench): Promise<(Stored & { name: string; path: string })[]> {
  const found: Stored[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const query = { view: "tag", tag: TAG, limit: PAGE, offset };
    const page = (await execute("chest_inspect", query)) as { items: Stored[]; has_more: boolean };
    found.push(...page.items);
    if (!page.has_more) break;
  }
  return found.flatMap((each) => {
    const [, name = "", path = ""] = HEAD.exec(each.content) ?? [];
    return each.category === "skill" && name !== "" ? [{ ...each, name, path }] : [];
  });
}

const scan = reachingCommand({
  meta: {
    name: "scan",
    description: "Remember the skills of this user and of this folder's project, and forget gone ones",
  },
  args: {
    folder: { type: "positional", description: "A folder of skills, instead of the usual ones", required: false },
    ...PROJECT_HERE,
  },
  async run(args, { env, output }) {
    const named = args.folder === undefined ? [] : [args.folder];
    const folders = skillFolders(named, claudeFolder(env), process.cwd());
    const read = folders.map((folder) => ({ folder, files: skillsIn(folder) }));
    if (named.length > 0 && read[0]?.files === undefined) throw noFolder(named[0] ?? "");
    const project = args.project ?? readProject(process.cwd(), env);
    const report: ScanReport = { added: [], changed: [], unchanged: 0, removed: [] };
    const config = readConfig(env, args);
    // Personal skills have no project, so that they are found in all projects.
    for (const place of project === undefined ? [undefined] : [undefined, project]) {
      const here = read.filter(({ folder }) => folder.isOfProject === (place !== undefined));
      await atWorkbench(config, place, async (bench) => {
        const known = await stored(bench);
        for (const { folder, files = [] } of here) await bring(folder, files, known, place, bench, report);
      });
    }
    for (const name of report.added) output.show(`added ${name}`);
    for (const name of report.changed) output.show(`changed ${name}`);
    for (const name of report.removed) output.show(`removed ${name}`);
    output.say(counted(report.added.length + report.changed.length + report.unchanged, "skill"));
    output.document({ ok: true, ...report });
  },
});

interface ScanReport {
  readonly added: string[];
  readonly changed: string[];
  unchanged: number;
  readonly removed: string[];
}

/** Makes the stored skills of a folder match its files. */
async function bring(
  folder: SkillFolder,
  files: readonly SkillFile[],
  known: readonly (Stored & { name: string; path: string })[],
  project: string | undefined,
  bench: Workbench,
  report: ScanReport,
): Promise<void> {
  const here = known.filter((each) => isFrom(each, folder, project));
  for (const file of files) await keep(file, folder, here, bench, report);
  const gone = here.filter(({ path }) => !files.some((file) => file.path === path));
  for (const each of gone) await archiveSkill(each, bench, report);
}

/** Tells whether a stored skill came from this folder. */
const isFrom = (each: Stored & { path: string }, { shownAs, isOfProject }: SkillFolder, project: string | undefined) =>
  each.path.startsWith(`${shownAs}/`) &&
  each.visibility === (isOfProject ? "project" : "private") &&
  each.project === project;

const machineTag = (): string => `${MACHINE_TAG}${skillSlug(hostname()) || "here"}`;

async function keep(
  { slug, title, description, path, hash }: SkillFile,
  { isOfProject }: SkillFolder,
  here: readonly (Stored & { path: string })[],
  { execute }: Workbench,
  report: ScanReport,
): Promise<void> {
  const content = `${slug} (${path}): ${description}`;
  const own = isOfProject ? [] : [machineTag()];
  const found = here.find((each) => each.path === path);
  if (!found) {
    await execute("chest_remember", {
      content,
      title,
      category: "skill",
      name: `${SKILL_TAG}${slug}`,
      tags: [TAG, `${SKILL_TAG}${slug}`, `${HASH_TAG}${hash}`, ...own],
      evidence: [path],
      source_type: "code",
      visibility: isOfProject ? "project" : "private",
      expires_at: NEVER,
      force: true,
    });
    report.added.push(slug);
    return;
  }
  const missing = [`${HASH_TAG}${hash}`, ...own].filter((tag) => !found.tags.includes(tag));
  if (missing.length === 0) {
    report.unchanged += 1;
    return;
  }
  const old = found.tags.filter((tag) => tag.startsWith(HASH_TAG) && tag !== `${HASH_TAG}${hash}`);
  const change = { content, title, add_tags: missing, ...(old.length > 0 ? { remove_tags: old } : {}) };
  await execute("chest_update_memory", { memory_id: found.id, ...change });
  report.changed.push(slug);
}

/**
 * Archives a skill whose file is gone. If another machine of this user has the skill as well, only this machine's tag
 * is removed.
 */
async function archiveSkill(
  { id, name, tags, visibility }: Stored & { name: string },
  { execute }: Workbench,
  report: ScanReport,
): Promise<void> {
  const machines = tags.filter((tag) => tag.startsWith(MACHINE_TAG));
  if (visibility === "private" && !machines.includes(machineTag())) return;
  const reason = "its file is gone";
  const change = machines.length > 1 ? { remove_tags: [machineTag()] } : { archived: true };
  await execute("chest_update_memory", { memory_id: id, ...change, reason });
  report.removed.push(name);
}

const list = reachingCommand({
  meta: { name: "list", description: "Skills that are remembered here" },
  args: PROJECT_HERE,
  async run(args, shell) {
    const { output, done } = await at(args, shell, stored);
    output.rows(done.map(({ id, name, path, visibility }) => [String(id), name, visibility, path]));
    if (done.length === 0) output.say("no skills: `chest-index skills scan` finds them");
    output.document({
      ok: true,
      skills: done.map(({ id, name, path, visibility }) => ({ id, name, path, visibility })),
    });
  },
});

const show = reachingCommand({
  meta: { name: "show", description: "One skill: what it is for, and its file" },
  args: { name: NAME, ...PROJECT_HERE },
  async run(args, shell) {
    const uri = `chest://skill/${encodeURIComponent(args.name)}`;
    const { output, done } = await at(args, shell, ({ read }) => read(uri));
    for (const line of String(done.content).split("\n")) output.show(line);
    output.document(done);
  },
});

const remove = reachingCommand({
  meta: { name: "remove", description: "Forget a skill; the next scan that finds its file brings it back" },
  args: { name: NAME, ...PROJECT_HERE },
  async run(args, shell) {
    const wanted = skillSlug(args.name);
    const { output, done } = await at(args, shell, async (bench) => {
      const found = (await stored(bench)).filter(({ name }) => name === wanted);
      if (found.length === 0) throw noSkill(args.name);
      for (const { id } of found) await bench.execute("chest_update_memory", { memory_id: id, archived: true });
      return found.map(({ id }) => id);
    });
    output.show(`${wanted} forgotten`);
    output.document({ ok: true, archived: done });
  },
});

const noFolder = (folder: string) =>
  new ChestError("NOT_FOUND", `\`${folder.slice(0, 200)}\` is not a folder that can be read`, {
    hint: "name the folder that holds a folder with a `SKILL.md` for each skill",
  });

const noSkill = (name: string) =>
  new ChestError("NOT_FOUND", `no skill \`${name.slice(0, 80)}\` is remembered here`, {
    hint: "`chest-index skills list` shows them",
  });

export const skills = commandGroup({
  meta: { name: "skills", description: "Skills beside the agent, as memories: scan, list, show, remove" },
  subCommands: { scan, list, show, remove },
});
