import type { HookBackend } from "../backend/memory-backend.ts";
import type { EventContext } from "../hook-event.ts";
import type { HookInput } from "../process/hook-input.ts";
import { openJournal } from "../session/session-journal.ts";

interface HappeningOptions {
  readonly dataDir: string;
  readonly session: string;
  readonly input?: Partial<HookInput>;
  readonly place: Partial<HookBackend>;
  readonly project?: string;
  readonly transcript?: string;
  /** The file of a store on this machine; without it the place is a backend. */
  readonly storePath?: string;
}

/** One event of a session at a place named `here`, with time enough. `said` fills with what the agent gets to read, `opened` with projects. */
export function eventOf({ dataDir, session, input, place, project, transcript, storePath }: HappeningOptions) {
  const said: string[] = [];
  const opened: (string | undefined)[] = [];
  const whole: HookBackend = {
    ask: async () => ({ context: undefined, ids: [] }),
    take: async (_, lines, fromLine) => fromLine + lines.length,
    keep: async () => {},
    close: async () => {},
    ...place,
  };
  const eventContext: EventContext = {
    session,
    dataDir,
    project,
    transcript,
    folder: dataDir,
    mayNote: true,
    isShownAt: () => true,
    journal: openJournal(dataDir, session, input?.agent),
    input: {
      session,
      agent: undefined,
      event: undefined,
      transcript: undefined,
      cwd: dataDir,
      source: undefined,
      reason: undefined,
      prompt: undefined,
      response: undefined,
      tool: undefined,
      toolInput: {},
      toolResponse: undefined,
      error: undefined,
      isInterrupted: false,
      isStopActive: false,
      isOpen: false,
      ...input,
    },
    budget: { signal: new AbortController().signal, leftMs: () => 5000 },
    memory: {
      name: storePath ?? "here",
      isRemote: storePath === undefined,
      hasOutbox: true,
      open: async (_, of) => {
        opened.push(of);
        return whole;
      },
    },
    canSay: true,
    say: (context) => void said.push(context),
  };
  return { eventContext, said, opened };
}
