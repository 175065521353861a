import { answersOf } from "@chest/store/access/answers";

/** Stored answers by key, each with its memory: purging the memory deletes the answer. */
export const ANSWERS = answersOf((answer) => ({ memory_id: memoryOf(answer) }));

function memoryOf(answer: unknown): number | null {
  if (typeof answer !== "object" || answer === null || !("memory_id" in answer)) return null;
  return typeof answer.memory_id === "number" ? answer.memory_id : null;
}
