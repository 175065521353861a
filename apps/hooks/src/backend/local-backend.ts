import { localCaller } from "@chest/core/access";
import { RELEASE } from "@chest/runtime/version";
import { openBriefly } from "@chest/store-sqlite/brief";
import type { Budget } from "../process/deadline.ts";
import type { LocalSettings } from "../process/settings.ts";
import type { HookBackend } from "./memory-backend.ts";
import { migrations } from "./migrations.ts";

const CLOCK = { now: () => new Date() };

/** Opens this machine's store for one event. Undefined if there is none, or it is of another release. */
export async function localPlace(
  { dbPath, table }: LocalSettings,
  project: string | undefined,
  { budget, mayWrite }: { readonly budget: Budget; readonly mayWrite: boolean },
): Promise<HookBackend | undefined> {
  const { leftMs } = budget;
  const store = await openBriefly({ path: dbPath, mayWrite, migrations: migrations(), clock: CLOCK, leftMs });
  if (!store) return undefined;
  const caller = localCaller(project, { name: "chest-hook", version: RELEASE });
  const { signal } = budget;
  const as = (op: string) => store.as({ caller, requestId: op, signal, request: { tool: op, input: null } });

  return {
    async ask(question, request) {
      const { answer } = await import("./local-answers.ts");
      const ports = { store: as(question), clock: CLOCK, signal };
      const { context, shown = [], handoff, unsaved } = await answer(question, request, ports, { caller, table });
      return { context, ids: shown, isPending: handoff === "pending", isAsked: unsaved === "asked" };
    },
    async take(session, lines, fromLine) {
      const { captureTranscript } = await import("./local-capture.ts");
      const ports = { store: as("sync-session"), clock: CLOCK };
      const report = await captureTranscript(() => lines, { fromLine, session }, ports, caller);
      return report?.nextLine ?? fromLine;
    },
    async keep(session, occasion, left) {
      const { onPreCompact, onSessionEnd } = await import("./local-capture.ts");
      await (occasion === "precompact" ? onPreCompact : onSessionEnd)(
        { session_id: session, ...left },
        as(occasion),
        caller,
      );
    },
    close: () => store.close(),
  };
}
