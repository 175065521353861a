import { type ChildProcess, fork } from "node:child_process";
import { ChestError, type ErrorCode } from "@chest/contracts";
import { localCaller, openAccessAdmin } from "@chest/core/access";
import { localExecutor } from "@chest/core/pipeline";
import { type Engine, type Lease, systemClock } from "@chest/core/ports";
import { TOOLS } from "@chest/core/tools";
import { aCall, aCaller, TINY_IDENTITY, testPorts } from "../fakes.ts";

export { TINY_IDENTITY };

type Input = Readonly<Record<string, unknown>>;

/** A call of a tool by a member in a project, by plain values that cross a process. */
export interface PeerCall {
  readonly member: { readonly id: number; readonly name: string };
  readonly project: string;
  readonly tool: string;
  readonly input: Input;
  readonly idempotencyKey?: string;
}

/** Operations that one process does on its engine when the test asks for them. */
function operationsOf(engine: Engine) {
  const ports = { ...testPorts(), clock: systemClock };
  const executor = localExecutor(TOOLS, engine, ports);
  const admin = openAccessAdmin(engine.access, localCaller(undefined), systemClock);
  let lease: Lease | undefined;
  return {
    call: ({ member, project, tool, input, idempotencyKey }: PeerCall) =>
      executor.execute(
        tool,
        input,
        aCall({ caller: aCaller({ member, project }), idempotencyKey, request: { tool, input } }),
      ),
    createToken: async (member: string) => {
      await admin.addMember({ name: member });
      const { id, token } = await admin.createToken({ member, scopes: ["read"] });
      return { id, token };
    },
    revokeToken: async (id: number) => void (await admin.revokeToken({ id })),
    isBearer: async (token: string) => (await engine.access.bearer(token)) !== undefined,
    closeProject: async (key: string) => void (await admin.setProject({ key, access: "members" })),
    claim: async ({ claimant, limit }: { readonly claimant: string; readonly limit: number }) => {
      const claimed = await engine.pending.claim({
        identity: TINY_IDENTITY,
        cursor: 0,
        limit,
        leaseMs: 60_000,
        claimant,
      });
      return claimed.items.map(({ id }) => id);
    },
    takeLease: async () => {
      lease = await engine.lifecycle.lease();
      return lease !== undefined;
    },
    releaseLease: async () => void (await lease?.release()),
    accesses: async ({ ids, member }: { readonly ids: readonly number[]; readonly member: PeerCall["member"] }) => {
      const { memories } = engine.as(aCall({ caller: aCaller({ member }) }));
      const found = await memories.accesses(ids, systemClock.now(), new Date(0));
      return ids.map((id) => found.get(id)?.total ?? 0);
    },
    close: () => engine.close(),
  };
}

type Operations = ReturnType<typeof operationsOf>;
type OperationName = keyof Operations;

interface PeerRequest {
  readonly id: number;
  readonly name: OperationName;
  readonly given: unknown;
}

type PeerReply =
  | { readonly id: number; readonly value?: unknown }
  | { readonly id: number; readonly code: ErrorCode | undefined; readonly message: string };

/** Answers the test's operations over an engine until it is told to close. Runs in a process of its own. */
export function servePeer(engine: Engine): void {
  const operations = operationsOf(engine);
  process.on("message", async ({ id, name, given }: PeerRequest) => {
    const reply = await (operations[name] as (input: unknown) => Promise<unknown>)(given).then(
      (value): PeerReply => ({ id, value }),
      (error: unknown): PeerReply => ({
        id,
        code: error instanceof ChestError ? error.code : undefined,
        message: String(error),
      }),
    );
    process.send?.(reply);
    if (name === "close") process.disconnect();
  });
  process.send?.({ id: 0, value: "ready" } satisfies PeerReply);
}

/** An engine in another process, asked by the same operations. */
export type Peer = {
  readonly [Name in OperationName]: (
    ...input: Parameters<Operations[Name]>
  ) => Promise<Awaited<ReturnType<Operations[Name]>>>;
} & {
  /** Ends its process at once, as a crash would. */
  kill(): Promise<void>;
};

/**
 * Starts a program that opens an engine and calls `servePeer`.
 * @param args place of the store, in the form that the program takes
 */
export async function startPeer(program: string, args: readonly string[]): Promise<Peer> {
  const child = fork(program, args, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  let asked = 0;

  child.on("message", (reply: PeerReply) => {
    const asker = waiting.get(reply.id);
    waiting.delete(reply.id);
    // JSON drops `undefined`, so a reply without a value has no such key.
    if (!("message" in reply)) return asker?.resolve(reply.value);
    asker?.reject(reply.code ? new ChestError(reply.code, reply.message) : new Error(reply.message));
  });
  child.on("exit", () => {
    for (const { reject } of waiting.values()) reject(new Error("the other process has ended"));
  });
  const answer = (id: number) => new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  await answer(0);

  const ask = (name: OperationName, input: unknown) => {
    asked += 1;
    const answered = answer(asked);
    child.send({ id: asked, name, given: input } satisfies PeerRequest);
    return answered;
  };
  return peerOver(child, ask, ended);
}

function peerOver(
  child: ChildProcess,
  ask: (name: OperationName, input: unknown) => Promise<unknown>,
  ended: Promise<void>,
): Peer {
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  const close = async () => {
    if (!child.connected) return ended;
    await ask("close", undefined);
    await ended;
  };
  return new Proxy({ kill, close } as Peer, {
    get(own, name: string) {
      // `await` reads `then` of any value, which must not become a call.
      if (name === "then") return undefined;
      return name in own ? own[name as keyof Peer] : (input: unknown) => ask(name as OperationName, input);
    },
  });
}
