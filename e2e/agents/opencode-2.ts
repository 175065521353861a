import { pathToFileURL } from "node:url";

// OpenCode's second release is on no registry that tests ask. This stands for what it documents of plugins: a module whose default
// export has `setup`, hooks by name, events by subscription. Arguments: the plugin's file, the session's folder. Stdin: steps.

type Hook = (event: object) => Promise<void> | void;

interface Step {
  /** A hook by the name of its domain and its own, or an event that subscribers get. */
  readonly hook?: string;
  readonly emits?: string;
  readonly event: Record<string, unknown>;
}

const [, , file = "", directory = ""] = process.argv;
const { steps, messages } = JSON.parse(await new Response(process.stdin as never).text()) as {
  readonly steps: readonly Step[];
  readonly messages: readonly object[];
};

const hooks = new Map<string, Hook>();
const hooksOf = (domain: string) => async (name: string, hook: Hook) => void hooks.set(`${domain}.${name}`, hook);
const waiting: object[] = [];
let wake = () => {};
let isFollowed = false;

async function* subscribe({ signal }: { readonly signal: AbortSignal }) {
  isFollowed = true;
  while (!signal.aborted) {
    const event = waiting.shift();
    if (event) yield event;
    else
      await new Promise<void>((resolve) => {
        wake = resolve;
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
  }
}

const { default: plugin } = await import(pathToFileURL(file).href);
const end = await plugin.setup({
  location: { directory },
  session: {
    hook: hooksOf("session"),
    get: async ({ sessionID }: { sessionID: string }) => ({
      location: { directory },
      ...(sessionID === "ses_child" ? { parentID: "ses_1" } : {}),
    }),
    context: async () => messages,
  },
  tool: { hook: hooksOf("tool") },
  event: { subscribe },
});
for (const { hook, emits, event } of steps) {
  if (emits) waiting.push({ type: emits, data: event });
  else await hooks.get(hook ?? "")?.(event);
  wake();
}
while (waiting.length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
await end();
process.stdout.write(JSON.stringify({ id: plugin.id, isFollowed, steps }));
