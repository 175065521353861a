import { stripVTControlCharacters } from "node:util";
import { renderUsage } from "citty";
import type { FoundCommand } from "./usage.ts";

const ROOT = "chest-index COMMAND [OPTIONS]";

/** Formats the usage of a command in one line, or of the whole program for an unknown command. */
export async function usageLine(found: FoundCommand | undefined): Promise<string> {
  if (!found || found.path === "") return ROOT;
  const page = stripVTControlCharacters(await usagePage(found));
  return /^USAGE (.+)$/m.exec(page)?.[1]?.trim() ?? ROOT;
}

/** Formats all arguments of a command, as `--help` shows them. */
export function usagePage({ command, path }: FoundCommand): Promise<string> {
  const before = ["chest-index", ...path.split(" ").slice(0, -1)].join(" ");
  return renderUsage(command, path === "" ? undefined : { meta: { name: before } });
}
