import { answersOf } from "@chest/store/access/answers";

/** Answers by their keys, with the memory that each is about: a purge of it takes the answer away. */
export const ANSWERS = answersOf((answer) => ({ memory_id: memoryOf(answer) }));

function memoryOf(answer: unknown): number | null {
  if (typeof answer !== "object" || answer === null || !("memory_id" in answer)) return null;
  return typeof answer.memory_id === "number" ? answer.memory_id : null;
}
