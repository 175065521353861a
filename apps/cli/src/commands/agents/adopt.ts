import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { adoptInto, unadoptFrom } from "../../agents/claude/adopted-block.ts";
import { readShipped } from "../../agents/claude/shipped.ts";
import { editFile } from "../../agents/settings-files/edit-file.ts";
import { ownCommand } from "../../terminal/command-context.ts";

const FILES = ["CLAUDE.md", "AGENTS.md"] as const;

const ARGS = {
  folder: { type: "positional", description: "The project's folder; this one by default", required: false },
  file: { type: "string", description: "Its instruction file: CLAUDE.md or AGENTS.md by default", valueHint: "name" },
  "dry-run": { type: "boolean", description: "Show what would happen, and change nothing" },
  force: { type: "boolean", description: "Also where the block was edited" },
} as const;

export const adopt = ownCommand({
  meta: { name: "adopt", description: "Add the rules for agents to a project's instruction file, between markers" },
  args: ARGS,
  async run(args, { output }) {
    const path = fileOf(args);
    const rules = readShipped("rules/chest-memory.md").replace(/(?<!\n)\n*$/, "\n");
    const edit = adoptInto(rules, path, { isForced: args.force === true });
    const change = await editFile(path, edit, { isDry: args["dry-run"] === true });
    output.show(`${path}: ${args["dry-run"] ? "would be " : ""}${change}`);
    output.document({ path, change, dry_run: args["dry-run"] === true });
  },
});

export const unadopt = ownCommand({
  meta: { name: "unadopt", description: "Remove those rules from a project's instruction file" },
  args: ARGS,
  async run(args, { output }) {
    const path = fileOf(args);
    const edit = unadoptFrom(path, { isForced: args.force === true });
    const change = await editFile(path, edit, { isDry: args["dry-run"] === true });
    output.show(`${path}: ${args["dry-run"] ? "would be " : ""}${change}`);
    output.document({ path, change, dry_run: args["dry-run"] === true });
  },
});

/** Finds the instruction file of a command: the existing one, or the first of the possible ones. */
function fileOf({
  folder,
  file,
}: {
  readonly folder?: string | undefined;
  readonly file?: string | undefined;
}): string {
  const root = resolve(folder ?? ".");
  const name = file ?? FILES.find((each) => existsSync(join(root, each))) ?? FILES[0];
  return resolve(root, name);
}
