import Database from "better-sqlite3";

/** Finds the exact nearest vectors of each query, over all vectors or those of one space, best first. */
export function exactNearest(
  path: string,
  questions: readonly Float32Array[],
  best: number,
  space?: string,
): number[][] {
  const db = new Database(path, { readonly: true });
  const lists = questions.map((): { id: number; score: number }[] => []);
  const rows = db
    .prepare(
      "SELECT m.id, v.vector FROM memories m JOIN vectors v ON v.memory_id = m.id WHERE ?1 IS NULL OR m.space = ?1",
    )
    .iterate({ 1: space ?? null }) as IterableIterator<{ readonly id: number; readonly vector: Buffer }>;
  for (const { id, vector } of rows) {
    const numbers = new Float32Array(vector.buffer, vector.byteOffset, vector.length / 4);
    for (const [at, question] of questions.entries())
      keep(lists[at] ?? [], { id, score: dot(question, numbers) }, best);
  }
  db.close();
  return lists.map((list) => list.map(({ id }) => id));
}

function keep(list: { id: number; score: number }[], hit: { id: number; score: number }, best: number): void {
  if (list.length === best && hit.score <= (list.at(-1)?.score ?? 0)) return;
  list.push(hit);
  list.sort((a, b) => b.score - a.score);
  list.length = Math.min(list.length, best);
}

function dot(a: Float32Array, b: Float32Array): number {
  let [even, odd] = [0, 0];
  for (let i = 0; i < a.length; i += 2) {
    even += (a[i] as number) * (b[i] as number);
    odd += (a[i + 1] as number) * (b[i + 1] as number);
  }
  return even + odd;
}
