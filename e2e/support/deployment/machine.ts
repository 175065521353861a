import { availableParallelism, cpus, totalmem } from "node:os";

/** Describes the machine that figures were measured on. */
export function thisMachine(): string {
  const model = cpus()[0]?.model.trim() || "an unnamed processor";
  return `${availableParallelism()} × ${model}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`;
}
