/** Sessions of an invented team's agents, for pictures of the page: requests and their results. */
interface DemoSession {
  readonly id: string;
  readonly member: string;
  readonly asks: readonly string[];
  readonly edits: readonly string[];
  /** Command that failed, with its output. */
  readonly failure?: readonly [command: string, output: string];
  readonly says: string;
}

const SESSIONS: readonly DemoSession[] = [
  {
    id: "4be1-rate-limits",
    member: "mika",
    asks: ["Why do clients of acme-api get 429 at night?", "Limit by member then, and keep the worker's own budget."],
    edits: ["/home/dev/api/src/limits/budget.ts", "/home/dev/api/src/limits/budget.test.ts"],
    failure: [
      "npx vitest run src/limits",
      "FAIL src/limits/budget.test.ts\nAssertionError: expected 900 to be 600\n  at src/limits/budget.test.ts:41:27",
    ],
    says: "The nightly import used the same token as the clients, so both shared one budget.\n\nNext steps:\n- [ ] Raise the alert to 800 a minute\n- [ ] Tell support about the new limit",
  },
  {
    id: "91ad-invoice-rounding",
    member: "rosa",
    asks: ["The invoice of March is off by a cent: where are invoices rounded?"],
    edits: ["/home/dev/api/src/billing/round.ts"],
    says: "Root cause: the total was rounded, but the tax office checks each line. Rounding per line fixes it.\n\nI still need to add the case with 0.125 to the tests.",
  },
];

type Ask = (path: string, body: string, type: string, member: string) => Promise<void>;

/** Plays the sessions through the hooks of a backend. @param ask posts as a member */
export async function playSessions(ask: Ask): Promise<void> {
  for (const { id, member, asks, edits, failure, says } of SESSIONS) {
    const lines: string[] = [];
    const line = (type: "user" | "assistant", content: unknown, more: object = {}) => {
      const timestamp = new Date(Date.now() - 600_000 + lines.length * 60_000).toISOString();
      const uuid = `${id}-${lines.length}`;
      const message = { role: type, content };
      lines.push(JSON.stringify({ sessionId: id, uuid, timestamp, cwd: "/home/dev/api", type, message, ...more }));
    };
    const use = (nth: number, name: string, input: object) => ({ type: "tool_use", id: `${id}-t${nth}`, name, input });
    line("user", asks[0]);
    if (failure) {
      line("assistant", [use(0, "Bash", { command: failure[0] })]);
      line("user", [{ type: "tool_result", tool_use_id: `${id}-t0`, is_error: true, content: failure[1] }]);
    }
    for (const [nth, file] of edits.entries())
      line("assistant", [use(nth + 1, "Edit", { file_path: file, old_string: "a", new_string: "b" })]);
    for (const prompt of asks.slice(1)) line("user", prompt);
    line("assistant", [{ type: "text", text: says }]);
    const json = "application/json";
    for (const prompt of asks) await ask("/api/hooks/prompt", JSON.stringify({ session_id: id, prompt }), json, member);
    await ask("/api/hooks/sync-session", lines.map((each) => `${each}\n`).join(""), "application/x-ndjson", member);
    await ask("/api/hooks/session-end", JSON.stringify({ session_id: id }), json, member);
  }
}
