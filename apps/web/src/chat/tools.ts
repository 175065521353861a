import type { RecalledRow } from "@chest/core/recall";
import type { ViewItem } from "@chest/core/views";
import type { App } from "@modelcontextprotocol/ext-apps";

/** Memory in an answer of a tool, with or without the fields that recall adds. */
export type AnsweredMemory = RecalledRow & { readonly [Key in "entity" | "layer"]: NonNullable<RecalledRow[Key]> };

/** Pair of memories that contradict each other. */
export type Pair = ViewItem<"contradictions">;

export type How = "keep_this" | "keep_other" | "both_hold" | "merge" | "reopen";

/** Calls a tool through the host. Throws the tool's error message. */
async function call(app: App, name: string, input: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { isError, content, structuredContent } = await app.callServerTool({ name, arguments: input });
  if (isError) throw new Error(refusalIn(content));
  return { ...(structuredContent as object | undefined) };
}

function refusalIn(content: readonly { readonly type: string }[]): string {
  const text = content.map((part) => ("text" in part ? String(part.text) : "")).join("\n");
  try {
    const { message, hint } = JSON.parse(text).error;
    return [message, hint].filter(Boolean).join(": ");
  } catch {
    return text;
  }
}

/** Settles a pair if both versions are still those on the screen, or reopens it whatever its versions are. */
export async function settle(app: App, { newer, older }: Pair, how: How, reason?: string): Promise<void> {
  const shown = how === "reopen" ? {} : { expected_version: newer.version, against_version: older.version };
  const said = reason === undefined ? {} : { reason };
  await call(app, "chest_update_memory", { memory_id: newer.id, settle: how, against: older.id, ...shown, ...said });
  if (!app.getHostCapabilities()?.updateModelContext) return;
  const text = `The user settled memory ${newer.id} against memory ${older.id}: ${how}.`;
  await app.updateModelContext({ content: [{ type: "text", text }] });
}

/** Finds the unsettled pairs that contain a memory. */
export async function conflictsOf(app: App, id: number): Promise<Pair[]> {
  const { items = [] } = await call(app, "chest_inspect", { view: "contradictions", project: "*", limit: 200 });
  return (items as Pair[]).filter(({ newer, older }) => newer.id === id || older.id === id);
}
