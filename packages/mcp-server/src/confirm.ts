import { ChestError } from "@chest/contracts";
import type { Next, Stage, ToolCall } from "@chest/core/executor";
import { isObject } from "@chest/core/tool";

/** Outcome of a question to the user. */
export type Confirmation = "accepted" | "declined" | "cancelled" | "timeout" | "no_elicitation";

/** Ends a call whose client must first put the question to the human, and then call again with the answer. */
export class InputNeeded extends ChestError {
  readonly question: string;

  constructor(question: string) {
    super("DECLINED", "the human has not been asked yet", { hint: "send the call again with the human's answer" });
    this.question = question;
  }
}

/** Asks the user for confirmation. */
export type Confirm = (question: string, signal: AbortSignal) => Promise<Confirmation>;

/** For an `interactive` destructive call: runs it dry, asks the user, then runs it without `interactive`. */
export const confirmDestructive =
  (confirm: Confirm): Stage =>
  async (asked, next) => {
    const { tool, call } = asked;
    const isAsking = tool.effects.destructive && "interactive" in tool.input.shape;
    if (!isAsking || !isInteractive(asked.input)) return next(asked);
    const { interactive: _, ...input } = asked.input;
    const would = await dryRun(next, { tool, call }, input);
    if (isSomething(would)) refuseUnless(await confirm(questionFor(would), call.signal), would);
    // A call for many memories is a preview without `confirm`; the user has confirmed it now.
    return next({ ...asked, input: would.matched === undefined ? input : { ...input, confirm: true } });
  };

type Input = Readonly<Record<string, unknown>>;

/** Input that the schema refuses is passed on, because the tool reports it. A dry run asks no one. */
const isInteractive = (input: unknown): input is Input =>
  isObject(input) && input.interactive === true && input.dry_run !== true;

/** A separate call, which must not use the idempotency key of the real one. */
const dryRun = (next: Next, { tool, call: { idempotencyKey: _, ...call } }: Omit<ToolCall, "input">, input: Input) =>
  next({ tool, input: { ...input, dry_run: true }, call });

/** Whether one memory, or a sweep, would archive something. */
const isSomething = ({ would_archive, affected }: Input): boolean => would_archive !== null && affected !== 0;

function questionFor({ memory_id, preview, affected, matched }: Input): string {
  if (matched !== undefined) return `Archive ${affected} of ${matched} memories that match?\n${preview ?? ""}`;
  if (typeof affected === "number") return `Archive ${affected} memories that are hardly used?`;
  const what = typeof preview === "string" ? `\n${preview}` : "";
  return `Archive memory ${memory_id}?${what}`;
}

const SAID: Readonly<Record<Exclude<Confirmation, "accepted">, string>> = {
  declined: "the human said no",
  cancelled: "the human did not decide",
  timeout: "the human did not answer in time",
  no_elicitation: "there is no way to ask the human here",
};

function refuseUnless(reply: Confirmation, { memory_id, affected }: Input): void {
  if (reply === "accepted") return;
  const kept = memory_id === undefined ? `${affected} memories were kept` : `memory ${memory_id} was kept`;
  throw new ChestError("DECLINED", `${kept}: ${SAID[reply]}`, {
    hint:
      reply === "no_elicitation"
        ? "ask the human yourself, then call without `interactive`"
        : "leave it, unless the human asks for it again",
    details: { declined: true, ...(memory_id === undefined ? {} : { memory_id }), reason: reply },
  });
}
