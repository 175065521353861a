import type { Caller } from "@chest/core/access";
import { onPrompt } from "@chest/core/hooks";
import { localExecutor } from "@chest/core/pipeline";
import { promptRecallInput, recallForPrompt } from "@chest/core/recall";
import { readResource } from "@chest/core/resources";
import { TOOLS } from "@chest/core/tools";
import { describe, expect, it } from "vitest";
import { inShort } from "../../../../deploy/local/test-extent.ts";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import { aCall, aCaller, TINY_IDENTITY, testPorts, tinyEmbedder } from "../fakes.ts";

const PROJECT = "host/org/unseen";
const ALICE = aCaller({ member: { id: 901, name: "alice" }, project: PROJECT });
const BOB = aCaller({ member: { id: 902, name: "bob" }, project: PROJECT });

/** Private memories of another member: beside each visible memory, and after all of them. */
interface Hidden {
  beside(nth: number): string;
  readonly after?: readonly string[];
  /** The session it is stored in. */
  readonly session?: string;
  readonly hasVectors?: boolean;
}

const SUBJECTS =
  "walrus otter heron lynx badger stoat marten falcon osprey kestrel plover dunlin sandpiper curlew godwit redshank".split(
    " ",
  );
const VERBS = "counts guards moves repairs measures signs deletes restores copies compares".split(" ");
const THINGS =
  "ledger manifest bucket gateway socket replica quorum archive invoice shipment voucher tariff depot ferry harbour pilot beacon buoy".split(
    " ",
  );
const LONG_QUESTION = [...SUBJECTS, ...VERBS, ...THINGS].join(" ");

/** Each word in other memories than the next, some in many and some in few. */
function visibleText(nth: number): string {
  const of = (words: readonly string[], step: number) => words[(nth * step + (nth >> 2)) % words.length];
  const tail = Array.from({ length: nth % 5 }, (_, at) => of(THINGS, at + 3)).join(" ");
  return `the ${of(SUBJECTS, 1)} ${of(VERBS, 3)} the ${of(THINGS, 5)} and the reconciliation of the ${of(SUBJECTS, 7)} ${tail}`.trim();
}

const VISIBLE = 48;
/** Number of hidden memories between any two visible ones: ids reveal how many there are, not their content. */
const BETWEEN = inShort(2, 5);
const ALPHABET = "abcdefghijklmnopqrstuvwxyz";
/** Words that differ from a typed one by a typo, in every place and letter. */
const slipsOf = (typed: string): string[] =>
  Array.from({ length: typed.length - 3 }, (_, at) => at + 3).flatMap((at) =>
    [...ALPHABET].map((letter) => typed.slice(0, at) + letter + typed.slice(at + 1)),
  );

const TYPO = "reconciliatoin";
const nothing: Hidden = { beside: () => "" };
const WORLDS: readonly (readonly [string, Hidden])[] = [
  [
    "half of the words of a question",
    { beside: (nth) => [...SUBJECTS, ...THINGS.slice(0, 9)].slice(0, 5 + (nth % 30)).join(" ") },
  ],
  ["the other half of them", { beside: () => [...VERBS, ...THINGS.slice(9)].join(" ") }],
  ["very long texts", { beside: (nth) => `${"nothing in particular ".repeat(80)} ${nth}` }],
  [
    "every slip of a word that was mistyped",
    {
      beside: (nth) =>
        slipsOf(TYPO)
          .slice(nth * 6, nth * 6 + 6)
          .join(" "),
    },
  ],
  ["the mistyped word itself", { beside: () => `${TYPO} ${TYPO}` }],
  ["the same words in the same session", { beside: visibleText, session: "shift-1" }],
  [
    "so much that what was frequent is rare",
    {
      beside: () => "",
      after: Array.from({ length: 1100 }, (_, nth) => `${VERBS[nth % 3]} ${THINGS[nth % 5]} note ${nth}`),
    },
  ],
  ["a word longer than a page of the index", { beside: (nth) => `rec${"o".repeat(5000)}${nth}` }],
  ["vectors", { beside: (nth) => `vector ${nth}`, hasVectors: true }],
];

/** Requirement that memories hidden by others have no effect on an answer. */
export function unseenContract(open: OpenEngine): void {
  /** All answers that Alice gets while Bob has hidden memories. */
  async function answersBeside({ beside, after = [], session, hasVectors = false }: Hidden) {
    const embedder = tinyEmbedder();
    embedder.vector = Float32Array.of(1, 0, 0, 0);
    const ports = testPorts({ embedder });
    const engine = await open({ clock: ports.clock, active: TINY_IDENTITY });
    const executor = localExecutor(TOOLS, engine, ports);
    const call = (caller: Caller, tool: string, input: Record<string, unknown>) =>
      executor.execute(tool, input, aCall({ caller }));
    const remember = (caller: Caller, content: string, over: Record<string, unknown>) =>
      call(caller, "chest_remember", {
        entity_name: "Unseen",
        entity_kind: "project",
        layer: "learning",
        content,
        force: true,
        ...over,
      });
    const inSession = (caller: Caller, id: string | undefined) => ({
      ...caller,
      client: { ...caller.client, session: id },
    });
    const hide = async (text: string, nth: number) => {
      const hidden = (await remember(inSession(BOB, session), `${text} hidden ${nth}`, {
        visibility: "private",
        importance: (nth % 10) / 10,
        tags: ["tally"],
      })) as { memory_id: number };
      if (!hasVectors) return;
      await engine.as(aCall({ caller: BOB })).write(async (tx) => {
        const memory = await tx.memories.byId(hidden.memory_id);
        if (memory) await tx.vectors.put(memory, TINY_IDENTITY, Float32Array.of(1, nth / 100, 0, 0));
      });
    };
    try {
      for (let nth = 0; nth < VISIBLE; nth++) {
        await remember(inSession(ALICE, `shift-${nth % 3}`), visibleText(nth), {
          visibility: nth % 4 === 0 ? "private" : "project",
          importance: 0.5,
          tags: nth % 3 === 0 ? ["tally"] : [],
        });
        await Promise.all(Array.from({ length: BETWEEN }, (_, more) => hide(beside(nth), nth * BETWEEN + more)));
        ports.clock.advance(60_000);
      }
      // So few at once that none waits too long on a busy machine.
      for (let at = 0; at < after.length; at += 50)
        await Promise.all(after.slice(at, at + 50).map((text, nth) => hide(text, at + nth)));
      return await toldTo(ALICE);
    } finally {
      await engine.close();
    }

    async function toldTo(caller: Caller): Promise<Record<string, string>> {
      const queries = [
        LONG_QUESTION,
        TYPO,
        `${TYPO} of the walrus`,
        "walrus",
        "which otter guards the quorum of the harbour",
        "hidden reconciliation",
        "copies compares",
        "nothing that anybody wrote about zeppelins",
      ];
      const recalls = queries.flatMap((query) => [
        { query },
        // Short enough for its budget: the tokens of ids that are made by chance differ.
        ...[0, 8, 16].map((offset) => ({ query, format: "raw", limit: 8, offset, max_tokens: 6000 })),
        { query, project: "*", include_archived: true, sort: "importance" },
        { query, tags: ["tally"], offset: 3, limit: 5 },
      ]);
      const told: [string, unknown][] = [];
      for (const [nth, input] of recalls.entries())
        told.push([
          `${nth}: ${input.query.slice(0, 30)}`,
          await call(caller, "chest_recall", { ...input, mark_accessed: false }),
        ]);
      told.push(["by entity", await call(caller, "chest_recall", { entity_name: "Unseen", mark_accessed: false })]);
      told.push(["entities", await call(caller, "chest_list_entities", {})]);
      told.push(["file", await call(caller, "chest_recall_file", { path_substring: "unseen" })]);
      told.push(["consolidate", await call(caller, "chest_consolidate", { dry_run: true, min_age_days: 0 })]);
      const store = engine.as(aCall({ caller }));
      const toolPorts = { ...ports, store, signal: new AbortController().signal };
      for (const uri of ["memory://stats", "memory://hot", "memory://recent", "memory://layer/learning"])
        told.push([uri, await readResource(uri, store).catch((error: Error) => error.message)]);
      for (const query of queries) {
        told.push([`hook ${query.slice(0, 30)}`, await recallForPrompt(promptRecallInput.parse({ query }), toolPorts)]);
        told.push([
          `prompt ${query.slice(0, 30)}`,
          await onPrompt({ prompt: query, shown: [], files: [], is_first: false }, toolPorts, caller),
        ]);
      }
      // Made by chance for each row.
      return Object.fromEntries(told.map(([of, answer]) => [of, JSON.stringify(answer).replace(/"uid":"[^"]+"/g, "")]));
    }
  }

  describe("does not tell in any answer that others hid", () => {
    let plain: Promise<Record<string, string>> | undefined;

    it.each(WORLDS)(
      "%s",
      async (_, hidden) => {
        plain ??= answersBeside(nothing);
        const [one, other] = [await plain, await answersBeside(hidden)];
        expect(Object.values(one).filter((answer) => answer.includes("reconciliation")).length).toBeGreaterThan(20);
        expect(Object.keys(one).filter((of) => one[of] !== other[of])).toEqual([]);
      },
      120_000,
    );
  });
}
