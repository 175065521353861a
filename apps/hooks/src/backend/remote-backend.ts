import { openTransport, readBaseUrl } from "@chest/client/bare";
import { ChestError, ERRORS, type ErrorCode, HEADERS, WIRE_VERSION, writeClientHeader } from "@chest/contracts";
import { RELEASE } from "@chest/runtime/version";
import type { Budget } from "../process/deadline.ts";
import { isObject, textOf } from "../process/hook-input.ts";
import type { RemoteSettings } from "../process/settings.ts";
import type { HookBackend } from "./memory-backend.ts";

/** A backend. One try for each request, as long as the budget lasts. */
export function remotePlace(
  { url, token, ca, proxy }: RemoteSettings,
  project: string | undefined,
  budget: Budget,
): HookBackend {
  const base = readBaseUrl(url);
  const transport = openTransport({ ca, proxy });

  async function send(session: string | undefined, path: string, body: string, type = "application/json") {
    const headers = {
      accept: "application/json",
      authorization: `Bearer ${token}`,
      "content-type": type,
      [HEADERS.requestId]: `hook-${process.pid}-${Date.now().toString(36)}`,
      [HEADERS.client]: writeClientHeader({ name: "chest-hook", version: RELEASE, wire: WIRE_VERSION }),
      ...(session === undefined ? {} : { "x-session-id": session }),
      ...(project === undefined ? {} : { [HEADERS.project]: encodeURIComponent(project) }),
    };
    const timeoutMs = Math.max(1, budget.leftMs());
    const request = { method: "POST", url: new URL(`${base}${path}`), headers, body, timeoutMs };
    const { status, body: answer } = await transport.send({ ...request, signal: budget.signal });
    return readAnswer(status, answer);
  }

  return {
    async ask(question, request) {
      const { context, shown, handoff, unsaved } = await send(
        textOf(request.session_id),
        `/api/hooks/${question}`,
        JSON.stringify(request),
      );
      const ids = Array.isArray(shown) ? shown.filter((id) => Number.isInteger(id)) : [];
      return { context: textOf(context), ids, isPending: handoff === "pending", isAsked: unsaved === "asked" };
    },
    async take(session, lines, fromLine) {
      const { slimLine } = await import("./slim-line.ts");
      const body = lines.map((line) => `${slimLine(line)}\n`).join("");
      const path = `/api/hooks/sync-session?from_line=${fromLine}`;
      const answer = await send(session, path, body, "application/x-ndjson");
      return typeof answer.next_line === "number" ? answer.next_line : fromLine;
    },
    async keep(session, occasion, left) {
      await send(session, `/api/hooks/${occasion}`, JSON.stringify({ session_id: session, ...left }));
    },
    close: async () => transport.close(),
  };
}

function readAnswer(status: number, text: string): Readonly<Record<string, unknown>> {
  const answer = parsed(text);
  if (status === 200 && answer?.ok === true) return answer;
  const error = isObject(answer?.error) ? answer.error : {};
  if (isCode(error.code)) {
    throw new ChestError(error.code, "refused", isObject(error.details) ? { details: error.details } : {});
  }
  throw new ChestError("BACKEND_PROTOCOL_ERROR", "no answer of a backend", { details: { status } });
}

const isCode = (code: unknown): code is ErrorCode => typeof code === "string" && Object.hasOwn(ERRORS, code);

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // A proxy's page: said by its status.
  }
}
