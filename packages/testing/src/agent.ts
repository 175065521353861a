import { ChestError } from "@chest/contracts";
import type { Caller } from "@chest/core/access";
import type { Call } from "@chest/core/executor";
import type { Operation } from "@chest/core/operation";
import { localExecutor } from "@chest/core/pipeline";
import { TOOLS } from "@chest/core/tools";
import { expect } from "vitest";
import { aCall, aCaller } from "./fakes.ts";
import type { Forgotten, Inspected, Listed, Recalled, Remembered, Updated } from "./tool-answers.ts";
import type { EngineFixture } from "./tools/engine-fixture.ts";

type Input = Readonly<Record<string, unknown>>;

/** An agent in a project and under a name that no other caller in this engine has. */
export interface Agent {
  readonly caller: Caller;
  /** An entity's name of its own. */
  readonly entity: string;
  /** Calls a tool by the front door; an answer that its output schema does not admit fails the test. */
  call(tool: string, input: unknown, over?: Partial<Call>): Promise<unknown>;
  remember(over?: Input, call?: Partial<Call>): Promise<Remembered>;
  /** Remembers and gives the id. */
  store(content: string, over?: Input): Promise<number>;
  recall(input: Input): Promise<Recalled>;
  /** Recalls and gives the ids in order. */
  find(query: string, over?: Input): Promise<readonly number[]>;
  update(input: Input, call?: Partial<Call>): Promise<Updated>;
  list(input?: Input): Promise<Listed>;
  inspect(input: Input): Promise<Inspected>;
  forget(input: Input, call?: Partial<Call>): Promise<Forgotten>;
  /** Runs an operation that is no tool: a list, or its notes. */
  answer<Asked, Answer>(operation: Operation<Asked, Answer>, input: object): Promise<Answer>;
  /** The refusal of a call that must be one. */
  refused(tool: string, input: unknown, over?: Partial<Call>): Promise<ChestError>;
}

let agents = 0;

export function anAgent(fixture: EngineFixture, over: Partial<Caller> = {}): Agent {
  agents += 1;
  const member = { id: 1000 + agents, name: `member-${agents}` };
  const caller = aCaller({ member, project: `host/org/project-${agents}`, ...over });
  const entity = `acme-${agents}`;
  const executor = localExecutor(TOOLS, fixture.engine, fixture.ports);
  let facts = 0;

  async function call(tool: string, input: unknown, with_: Partial<Call> = {}): Promise<unknown> {
    const answer = await executor.execute(tool, input, aCall({ caller, ...with_ }));
    TOOLS.find(({ name }) => name === tool)?.output.parse(answer);
    return answer;
  }

  const remember = (input: Input = {}, with_?: Partial<Call>) => {
    facts += 1;
    const fact = { entity_name: entity, entity_kind: "project", layer: "learning", content: `fact ${facts}` };
    return call("chest_remember", { ...fact, ...input }, with_) as Promise<Remembered>;
  };
  // Unless a test says how many it wants, it is about all that is found.
  const recall = (input: Input) =>
    call("chest_recall", { ...("query" in input && { limit: 200 }), ...input }) as Promise<Recalled>;
  return {
    caller,
    entity,
    call,
    remember,
    recall,
    answer: (operation, input) => executor.answer(operation, input, aCall({ caller })),
    store: async (content, input) => (await remember({ content, ...input })).memory_id,
    find: async (query, input) => (await recall({ query, ...input })).memories.map(({ id }) => id),
    update: (input, with_) => call("chest_update_memory", input, with_) as Promise<Updated>,
    list: (input = {}) => call("chest_list_entities", input) as Promise<Listed>,
    inspect: (input) => call("chest_inspect", input) as Promise<Inspected>,
    forget: (input, with_) => call("chest_forget", input, with_) as Promise<Forgotten>,
    async refused(tool, input, with_) {
      const error = await call(tool, input, with_).then(
        (answer) => expect.fail(`an answer where a refusal was due: ${JSON.stringify(answer).slice(0, 200)}`),
        (reason: unknown) => reason,
      );
      if (error instanceof ChestError) return error;
      throw error;
    },
  };
}
