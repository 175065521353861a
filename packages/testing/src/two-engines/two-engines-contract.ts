import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Peer, PeerCall } from "./peer.ts";

/** Two processes with an engine each over one fresh, empty store, for all tests: each has a project of its own. */
export type OpenTwo = () => Promise<readonly [Peer, Peer]>;

const ALICE = { id: 11, name: "alice" };
const FLUSHED_WITHIN_MS = 10_000;

/** Requirements on engines of several processes that share one store. */
export function twoEnginesContract(name: string, open: OpenTwo): void {
  describe(`${name}, two engines over one store`, () => {
    let peers: readonly [Peer, Peer];
    let project = "";
    let tests = 0;
    beforeAll(async () => {
      peers = await open();
    });
    beforeEach(() => {
      tests += 1;
      project = `host/org/apple-${tests}`;
    });
    afterAll(() => Promise.all(peers.map((peer) => peer.close().catch(() => undefined))));

    const by = (tool: string, input: PeerCall["input"], over: Partial<PeerCall> = {}): PeerCall => ({
      member: ALICE,
      project,
      tool,
      input,
      ...over,
    });
    const fact = (content: string, over: Partial<PeerCall> = {}) =>
      by("chest_remember", { entity_name: "acme", entity_kind: "project", layer: "learning", content }, over);
    const both = <T>(work: (peer: Peer) => Promise<T>): Promise<[T, T]> =>
      Promise.all([work(peers[0]), work(peers[1])]);
    const remember = async (peer: Peer, content: string, over: Partial<PeerCall> = {}): Promise<number> =>
      ((await peer.call(fact(content, over))) as { readonly memory_id: number }).memory_id;
    const find = async (peer: Peer, query: string): Promise<readonly number[]> => {
      const { memories } = (await peer.call(by("chest_recall", { query, max_tokens: 6000 }))) as {
        readonly memories: readonly { readonly id: number }[];
      };
      return memories.map(({ id }) => id);
    };

    it("makes one memory of the same words said to both at once", async () => {
      for (let round = 0; round < 10; round++) {
        const [one, other] = await both((peer) => remember(peer, `the same words of round ${round}`));
        expect(one).toBe(other);
      }
    });

    it("gives one answer to one key used with both at once", async () => {
      for (let round = 0; round < 10; round++) {
        const over = { idempotencyKey: `key-${round}` };
        const [one, other] = await both((peer) => remember(peer, `said once in round ${round}`, over));
        expect(one).toBe(other);
      }
      expect(await find(peers[1], "said once in round")).toHaveLength(10);
    });

    it("makes one entity of a name that both name first", async () => {
      await both((peer) => remember(peer, `from ${peer === peers[0] ? "one" : "the other"} of them`));
      const listed = (await peers[0].call(by("chest_list_entities", {}))) as {
        readonly entities: readonly { readonly name: string; readonly memory_count: number }[];
      };
      expect(listed.entities).toMatchObject([{ name: "acme", memory_count: 2 }]);
    });

    it("finds at one what the other was just told", async () => {
      for (let round = 0; round < 5; round++) {
        const id = await remember(peers[round % 2 === 0 ? 0 : 1], `a wombat digs burrow ${round}`);
        expect(await find(peers[round % 2 === 0 ? 1 : 0], `wombat burrow ${round}`)).toContain(id);
      }
    });

    it("no longer finds at one what the other put out of sight", async () => {
      const id = await remember(peers[0], "an okapi to forget");
      expect(await find(peers[1], "okapi")).toEqual([id]);
      await peers[0].call(by("chest_forget", { memory_id: id }));
      expect(await find(peers[1], "okapi")).toEqual([]);
    });

    it("refuses at one a token that the other has revoked", async () => {
      const { id, token } = await peers[0].createToken("carol");
      expect(await peers[1].isBearer(token)).toBe(true);
      await peers[0].revokeToken(id);
      expect(await peers[1].isBearer(token)).toBe(false);
    });

    it("refuses at one a write into a project that the other has closed", async () => {
      await remember(peers[1], "while it is open");
      await peers[0].closeProject(project);
      await expect(remember(peers[1], "once it is closed")).rejects.toMatchObject({ code: "NOT_FOUND" });
    });

    it("hands no memory to two claimants", async () => {
      for (let row = 0; row < 20; row++) await remember(peers[0], `waits for a vector, number ${row}`);
      const [one, other] = await both((peer) => peer.claim({ claimant: peer === peers[0] ? "a" : "b", limit: 15 }));
      const all = [...one, ...other];
      expect(new Set(all).size).toBe(all.length);
    });

    it("gives the lease on once it is given back", async () => {
      expect(await peers[0].takeLease()).toBe(true);
      await peers[0].releaseLease();
      expect(await peers[1].takeLease()).toBe(true);
      await peers[1].releaseLease();
    });

    it("adds up what is opened at both", async () => {
      const id = await remember(peers[0], "a narwhal is opened twice");
      await both((peer) => peer.call(by("chest_recall", { query: "narwhal", mark_accessed: true })));
      const until = Date.now() + FLUSHED_WITHIN_MS;
      let total = 0;
      while (total < 2 && Date.now() < until) {
        [total = 0] = await peers[1].accesses({ ids: [id], member: ALICE });
        await sleep(50);
      }
      expect(total).toBe(2);
    });

    // The last one, since it kills a process.
    it("gives the lease to one, and to the other once the first has ended", async () => {
      expect(await peers[0].takeLease()).toBe(true);
      expect(await peers[1].takeLease()).toBe(false);
      await peers[0].kill();
      await expect.poll(() => peers[1].takeLease(), { timeout: 60_000, interval: 50 }).toBe(true);
    }, 90_000);
  });
}
