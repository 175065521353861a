import { stripVTControlCharacters } from "node:util";
import { renderUsage } from "citty";
import type { FoundCommand } from "./usage.ts";

const ROOT = "chest-index COMMAND [OPTIONS]";

/** How a command is typed, in one line; that of the whole program where none was found. */
export async function usageLine(found: FoundCommand | undefined): Promise<string> {
  if (!found || found.path === "") return ROOT;
  const page = stripVTControlCharacters(await usagePage(found));
  return /^USAGE (.+)$/m.exec(page)?.[1]?.trim() ?? ROOT;
}

/** All that a command takes, as `--help` shows it. */
export function usagePage({ command, path }: FoundCommand): Promise<string> {
  const before = ["chest-index", ...path.split(" ").slice(0, -1)].join(" ");
  return renderUsage(command, path === "" ? undefined : { meta: { name: before } });
}
