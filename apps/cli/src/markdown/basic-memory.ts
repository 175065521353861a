import { basename } from "node:path";
import { categoryOf, type ForeignMemory, type ForeignRead, secondsOf, textsOf } from "@chest/core/archive";
import { readNote } from "./note.ts";
import { cutAtParagraphs, filesIn } from "./read-folder.ts";

const OBSERVATION = /^\s*-\s+\[([^\][()]{1,100})\]\s+(.+?)\s*$/;
const RELATION = /^\s*-\s+(.+?)\s+\[\[([^\]]+)\]\]/;
// Check boxes look like a category of one character.
const IS_BOX = /^[ xX-]$/;

/**
 * Reads the notes of a Basic Memory project. Each observation becomes a memory about its note, and so does the
 * remaining text. Relations become links between the texts of notes.
 */
export function readBasicMemory(folder: string): ForeignRead {
  const notes = filesIn(folder, ".md").map(({ path, text }) => {
    const { fields, body } = readNote(text, path);
    const title = typeof fields.title === "string" ? fields.title : basename(path, ".md");
    return { path, fields, title, ...partsOf(body) };
  });
  const keys = new Map<string, string>();
  for (const { path, title, fields } of notes) {
    for (const name of [path.replace(/\.md$/, ""), fields.permalink, title]) {
      if (typeof name === "string") keys.set(name.toLowerCase(), path);
    }
  }
  return notes.flatMap(({ path, fields, title, observations, relations, rest }): ForeignMemory[] => {
    const shared = {
      about: { name: title.slice(0, 500), kind: "concept" as const },
      createdAt: secondsOf(fields.created ?? fields.date),
    };
    const tags = textsOf(fields.tags).map(asTag);
    const links = relations.map(({ type, to }) => ({
      type: type.replace(/\s+/g, "_"),
      to: keys.get(to.toLowerCase()) ?? to,
    }));
    // In a note without other text, its relations become the text, so that the links have a source.
    const noteText = rest === "" && links.length > 0 ? relations.map(({ line }) => line).join("\n") : rest;
    const texts = noteText === "" ? [] : cutAtParagraphs(noteText);
    return [
      ...texts.map((content, at) => ({
        ...shared,
        ref: path,
        key: at === 0 ? path : `${path}#${at + 1}`,
        content,
        title,
        tags,
        links: at === 0 ? links : [],
      })),
      ...observations.map(({ category, content }, at) => ({
        ...shared,
        ref: `${path}, observation ${at + 1}`,
        key: `${path}: ${category}`,
        content,
        category: categoryOf(category),
        tags: [...tags, ...(categoryOf(category) ? [] : [asTag(category)])],
      })),
    ];
  });
}

const asTag = (word: string): string => word.trim().replace(/^#/, "").replace(/\s+/g, "-");

function partsOf(body: string) {
  const observations: { category: string; content: string }[] = [];
  const relations: { type: string; to: string; line: string }[] = [];
  const rest: string[] = [];
  let isCode = false;
  for (const line of body.split(/\r?\n/)) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    const [, category = "", content = ""] = (isCode ? null : OBSERVATION.exec(line)) ?? [];
    const [, type = "", to = ""] = (isCode ? null : RELATION.exec(line)) ?? [];
    if (content !== "" && !IS_BOX.test(category)) observations.push({ category, content });
    else if (to !== "") relations.push({ type, to: to.split("|")[0] ?? to, line: line.trim() });
    else rest.push(line);
  }
  const isHeading = (line: string) => /^#{1,6}\s/.test(line) || line.trim() === "";
  return { observations, relations, rest: rest.every(isHeading) ? "" : rest.join("\n").trim() };
}
