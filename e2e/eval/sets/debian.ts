import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_LIMITS } from "@chest/core/tool";
import { seeded } from "../../support/random.ts";
import type { Document, EvalSet, Question } from "../eval-set.ts";
import { CACHE } from "../store.ts";

/** Description of a package in one language. */
interface Description {
  readonly packageName: string;
  readonly short: string;
  readonly long: string;
}

// Apt's code of each language, and the letters that its texts contain.
const LANGUAGES = {
  en: { code: "en", letters: /[a-z]/giu },
  ja: { code: "ja", letters: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/gu },
  zh: { code: "zh_CN", letters: /\p{Script=Han}/gu },
  ko: { code: "ko", letters: /\p{Script=Hangul}/gu },
} as const;
type Language = keyof typeof LANGUAGES;
const NAMES = Object.keys(LANGUAGES) as Language[];

const MANY = 20_000;
const LEAST_CHARS = { en: 160, ja: 60, zh: 50, ko: 60 };

/**
 * Builds sets of package descriptions: the short description asks, the long one answers. The packages and the size of
 * the store are equal in all languages, so that languages can be compared. Without apt or a mirror it prints a notice
 * and returns undefined.
 */
export function debianSets(): { sets: EvalSet[]; rest: Document[] } | undefined {
  const lists = fetchLists();
  if (!lists) return undefined;
  const usable = Object.fromEntries(NAMES.map((name) => [name, usableIn(lists, name)])) as Record<
    Language,
    Map<string, Description>
  >;
  const inAll = [...usable.en.keys()].filter((name) => NAMES.every((language) => usable[language].has(name)));
  const stored = Math.min(...NAMES.map((language) => usable[language].size));
  const sets = NAMES.map((language) => {
    const others = shuffled([...usable[language].keys()].filter((name) => !inAll.includes(name)));
    const all = [...inAll, ...others].slice(0, stored).map((name) => usable[language].get(name) as Description);
    return {
      name: `debian-${language}`,
      documents: all.map((description) => documentOf(description, language)),
      questions: all.slice(0, inAll.length).map((description) => questionOf(description, language)),
    };
  });
  return { sets, rest: restOf(usable, sets) };
}

/** Further descriptions that enlarge a store: all translated ones, and English ones. */
function restOf(usable: Record<Language, Map<string, Description>>, sets: readonly EvalSet[]): Document[] {
  const inSets = new Set(sets.flatMap(({ documents }) => documents.map(({ key }) => key)));
  const others = (language: Language) =>
    [...usable[language].values()]
      .map((description) => documentOf(description, language))
      .filter(({ key }) => !inSets.has(key));
  const translated = NAMES.filter((language) => language !== "en").flatMap(others);
  return [...translated, ...shuffled(others("en")).slice(0, Math.max(0, MANY - translated.length))];
}

const documentOf = ({ packageName, long }: Description, language: Language): Document => ({
  key: `debian-${language}/${packageName}`,
  about: packageName,
  content: long,
});

const questionOf = ({ packageName, short }: Description, language: Language): Question => ({
  key: packageName, // The package name puts a question into the same part in every language.
  lang: language,
  kind: "short description",
  text: short,
  answers: [`debian-${language}/${packageName}`],
});

function shuffled<T>(items: readonly T[]): T[] {
  const random = seeded(3);
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** Selects one description per wording that is written in its language and says more than its heading. */
function usableIn(lists: string, language: Language): Map<string, Description> {
  const { letters } = LANGUAGES[language];
  const seen = new Set<string>();
  const usable = new Map<string, Description>();
  for (const description of read(lists, language)) {
    const { packageName, short, long } = description;
    const first = long.split("\n", 1)[0] ?? "";
    const isWritten = [short, long].every((text) => (text.match(letters)?.length ?? 0) >= 0.4 * text.length);
    if (!isWritten || long.length < LEAST_CHARS[language] || long.length > DEFAULT_LIMITS.contentChars) continue;
    if (short.length < (language === "en" ? 20 : 8)) continue;
    if (seen.has(short) || seen.has(first)) continue;
    seen.add(short).add(first);
    usable.set(packageName, description);
  }
  return usable;
}

function read(lists: string, language: Language): Description[] {
  const text = readFileSync(join(lists, `${language}.txt`), "utf8");
  return text.split("\n\n").flatMap((entry) => {
    const [, packageName] = /^Package: (\S+)$/m.exec(entry) ?? [];
    const [, short, long] = /^Description-(?!md5)\w+: (.+)\n([\s\S]+)$/m.exec(entry) ?? [];
    if (!packageName || !short || !long) return [];
    return [{ packageName, short: short.trim(), long: unwrapped(long) }];
  });
}

const UNSPACED = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}、。，]/u;

/** Joins each paragraph into one line; Japanese and Chinese need no blank at a line break. */
function unwrapped(long: string): string {
  const paragraphs = long.split(/^ \.$/m).map((paragraph) =>
    paragraph
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean)
      .reduce((text, line) => {
        const isGlued = UNSPACED.test(text.at(-1) ?? "") && UNSPACED.test(line[0] ?? "");
        return text === "" || isGlued ? text + line : `${text} ${line}`;
      }, ""),
  );
  return paragraphs.filter(Boolean).join("\n");
}

/** Fetches the package lists of each language with apt, from this machine's mirror. @returns their folder. */
function fetchLists(): string | undefined {
  const folder = join(CACHE, "debian");
  if (NAMES.every((name) => existsSync(join(folder, `${name}.txt`)))) return folder;
  const lists = join(folder, "lists");
  mkdirSync(join(lists, "partial"), { recursive: true });
  const only = NAMES.map((name) => LANGUAGES[name].code).join(",");
  const options = [
    `Dir::State::lists=${lists}`,
    `Acquire::Languages=${only}`,
    "Acquire::IndexTargets::deb::Packages::DefaultEnabled=false",
    // Hooks that this machine runs after its own updates must not run here.
    "APT::Update::Post-Invoke=",
    "APT::Update::Post-Invoke-Success=",
    ...sourcesOnly(),
  ];
  try {
    execFileSync("apt-get", ["update", "-q", ...options.flatMap((option) => ["-o", option])], {
      stdio: "pipe",
      timeout: 120_000,
    });
    for (const name of NAMES) writeFileSync(join(folder, `${name}.txt`), unpacked(lists, LANGUAGES[name].code));
    return folder;
  } catch (error) {
    console.error("chest: no Debian descriptions: apt could not fetch them", (error as Error).message.split("\n")[0]);
    for (const name of NAMES) rmSync(join(folder, `${name}.txt`), { force: true });
    return undefined;
  } finally {
    rmSync(lists, { recursive: true, force: true });
  }
}

/** Package sources of other vendors are left out. */
function sourcesOnly(): string[] {
  const sources = ["/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list"].find(existsSync);
  return sources ? ["Dir::Etc::sourceparts=-", `Dir::Etc::sourcelist=${sources}`] : [];
}

function unpacked(lists: string, code: string): Buffer {
  const escaped = code.replace("_", "%5f");
  const [largest] = globSync(`*_main_i18n_Translation-${escaped}*`, { cwd: lists })
    .map((file) => execFileSync("/usr/lib/apt/apt-helper", ["cat-file", join(lists, file)], { maxBuffer: 2 ** 29 }))
    .sort((a, b) => b.length - a.length);
  if (!largest) throw new Error(`the mirror has no descriptions in ${code}`);
  return largest;
}
