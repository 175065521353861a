import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative, resolve, sep } from "node:path";
import { skillSlug } from "@chest/core/resources";
import { readFrontMatter } from "@chest/core/transcript";

/** A skill as its file tells of it. */
export interface SkillFile {
  /** Name as it is asked for. */
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  /** Path from the project's folder or from `~`, without names of this machine that others must not read. */
  readonly path: string;
  /** Hash of the whole file, so that any change of it is noticed. */
  readonly hash: string;
}

/** Folder whose subfolders hold a `SKILL.md` each. */
export interface SkillFolder {
  readonly folder: string;
  /** Beginning of the paths of its skills. */
  readonly shownAs: string;
  /** Whether it belongs to a project, and its skills to everyone who works there. */
  readonly isOfProject: boolean;
}

const MAX_BYTES = 1_048_576;
const MAX_DESCRIPTION = 2000;
const MAX_SKILLS = 500;
const IN_PROJECT = [join(".claude", "skills"), join(".agents", "skills")];

/** Folders of skills: the ones that are named, else those of this user and of the project in a folder. */
export function skillFolders(named: readonly string[], claudeFolder: string, projectFolder: string): SkillFolder[] {
  const own = named.length > 0 ? named : [join(claudeFolder, "skills"), join(homedir(), ".agents", "skills")];
  const ofUser = own.map((each) => {
    const folder = resolve(each);
    return { folder, shownAs: displayPath(folder), isOfProject: false };
  });
  if (named.length > 0 || resolve(projectFolder) === homedir()) return ofUser;
  const ofProject = IN_PROJECT.map((path) => ({
    folder: join(projectFolder, path),
    shownAs: path.replaceAll(sep, "/"),
    isOfProject: true,
  }));
  return [...ofUser, ...ofProject];
}

/** Skills of a folder by name; undefined where there is no such folder. */
export function skillsIn({ folder, shownAs }: SkillFolder): SkillFile[] | undefined {
  let names: string[];
  try {
    names = readdirSync(folder).sort();
  } catch {
    return undefined;
  }
  return names.slice(0, MAX_SKILLS).flatMap((name) => {
    const text = smallText(join(folder, name, "SKILL.md"));
    const slug = skillSlug(name);
    if (text === undefined || slug === "") return [];
    const { fields, body } = readFrontMatter(text);
    const firstLine = body.split("\n").find((line) => line.trim() !== "") ?? "";
    const description = (fields.description ?? firstLine.replace(/^#+\s*/, "")).replace(/\s+/g, " ").trim();
    const hash = createHash("sha256").update(text).digest("hex").slice(0, 12);
    const path = `${shownAs}/${name}/SKILL.md`;
    return [{ slug, title: fields.name ?? name, description: description.slice(0, MAX_DESCRIPTION), path, hash }];
  });
}

function smallText(path: string): string | undefined {
  try {
    const { size } = statSync(path);
    return size > MAX_BYTES ? undefined : readFileSync(path, "utf8");
  } catch {
    return undefined; // A folder without a skill.
  }
}

function displayPath(folder: string): string {
  const way = relative(homedir(), folder);
  const isInside = way !== "" && !way.startsWith("..") && resolve(way) !== way;
  return (isInside ? `~/${way}` : folder).replaceAll(sep, "/");
}
