import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  inputRequired,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { drawsViews } from "../chat-view.ts";
import { type Confirm, InputNeeded } from "../confirm.ts";
import { YES_OR_NO } from "../elicit.ts";
import { answerFor, CAPABILITIES, implementation, type Surface } from "../server.ts";
import { zodValidator } from "../validator.ts";

/** Lists change with the release alone; a client may keep them for so long, and share them between its users. */
const LISTS = { ttlMs: 60 * 60_000, cacheScope: "public" } as const;

/**
 * The catalogue as an MCP server without a handshake: each request states its protocol (2026-07-28), client and abilities. An
 * older client that falls back to a handshake in mid-connection is served by it as well.
 */
export function createSessionlessServer(surface: Surface): Server {
  const server = new Server(implementation(surface.version), {
    capabilities: CAPABILITIES,
    instructions: surface.instructions,
    jsonSchemaValidator: zodValidator,
    cacheHints: {
      "server/discover": LISTS,
      "tools/list": LISTS,
      "prompts/list": LISTS,
      "resources/list": LISTS,
      "resources/templates/list": LISTS,
    },
  });
  answerFor(surface, {
    answer: (method, answer) =>
      server.setRequestHandler(method, { params: ANY }, (params, context) =>
        rounds.run(roundOf(context), async () => {
          const { signal, _meta } = context.mcpReq;
          try {
            return await answer({ method, params }, { signal, _meta });
          } catch (error) {
            if (error instanceof InputNeeded) return asking(error.question);
            throw error;
          }
        }),
      ),
    drawsViews: () => rounds.getStore()?.drawsViews ?? false,
  });
  return server;
}

const ANY = z.looseObject({});

/** One request of a call. A client sends the call again with the human's answers, so a call may take several. */
interface Round {
  readonly client: string | undefined;
  readonly canAsk: boolean;
  readonly drawsViews: boolean;
  readonly answers: Readonly<Record<string, unknown>>;
}

const rounds = new AsyncLocalStorage<Round>();

function roundOf({ mcpReq: { envelope, inputResponses } }: ServerContext): Round {
  const stated = ENVELOPE.safeParse(envelope ?? {}).data;
  return {
    client: stated?.[CLIENT_INFO_META_KEY]?.name,
    canAsk: stated?.[CLIENT_CAPABILITIES_META_KEY]?.elicitation !== undefined,
    drawsViews: drawsViews(stated?.[CLIENT_CAPABILITIES_META_KEY]),
    answers: inputResponses ?? {},
  };
}

const ENVELOPE = z.object({
  [CLIENT_INFO_META_KEY]: z.object({ name: z.string() }).optional(),
  [CLIENT_CAPABILITIES_META_KEY]: z
    .object({ elicitation: z.unknown().optional(), extensions: z.unknown().optional() })
    .optional(),
});

/** Name of the client whose request this is. */
export const clientHere = (): string | undefined => rounds.getStore()?.client;

/** Takes the human's answer from the request, or ends the call with the question. */
export const confirmHere: Confirm = async (question) => {
  const round = rounds.getStore();
  if (!round?.canAsk) return "no_elicitation";
  const answer = ANSWER.safeParse(round.answers[keyOf(question)]).data;
  if (!answer) throw new InputNeeded(question);
  if (answer.action === "cancel") return "cancelled";
  return answer.action === "accept" && answer.content?.confirm === true ? "accepted" : "declined";
};

const ANSWER = z.object({
  action: z.enum(["accept", "decline", "cancel"]),
  content: z.looseObject({ confirm: z.boolean().optional() }).nullish(),
});

/** The key is derived from the question's text, so that the question is asked again once the memory has changed. */
const keyOf = (question: string): string =>
  `confirm-${createHash("sha256").update(question).digest("hex").slice(0, 16)}`;

const asking = (message: string) =>
  inputRequired({
    inputRequests: { [keyOf(message)]: inputRequired.elicit({ message, requestedSchema: YES_OR_NO }) },
  });
