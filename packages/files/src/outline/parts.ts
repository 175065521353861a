import type { Part } from "@chest/core/ports";
import type { Node } from "web-tree-sitter";
import { ABOVE, KINDS } from "./kinds.ts";
import { rowsOf } from "./rows.ts";

/** Most lines of one part: a longer class is split by its methods, a longer function by its statements. */
const LONG = 40;
// Some texts nest without end, such as a sum over thousands of lines.
const DEEPEST = 40;

/** The statements of a program, in their order; imports that follow each other are one. */
export function partsOf(root: Node): Part[] {
  const parts: Part[] = [];
  for (const part of partsIn(root, undefined, 0)) {
    const last = parts.at(-1);
    if (last?.kind === "import" && part.kind === "import") parts.splice(-1, 1, { ...last, end: part.end });
    else parts.push(part);
  }
  return parts;
}

function* partsIn(parent: Node, within: string | undefined, depth: number): Generator<Part> {
  for (const node of parent.namedChildren) {
    if (ABOVE.has(node.type)) continue;
    const { start, end } = rowsOf(node);
    const subject = unwrapped(node);
    const kind = KINDS[subject.type] ?? "block";
    const own = { kind, name: kind === "import" ? undefined : nameWithin(within, nameOf(subject), kind), start, end };
    const inner = end - start > LONG && depth < DEEPEST ? [...partsIn(subject, own.name, depth + 1)] : [];
    yield* inner.length > 1 ? apart(own, inner) : [own];
  }
}

/** A head, what is inside, and the closing line with the last of it. */
function apart(own: Part, inner: readonly Part[]): Part[] {
  const below = inner.filter(({ end }) => end > own.start + 1);
  const last = below.at(-1);
  if (!last) return [own];
  return [{ ...own, end: own.start + 1 }, ...below.slice(0, -1), { ...last, end: own.end }];
}

function nameWithin(within: string | undefined, name: string | undefined, kind: string): string | undefined {
  if (within === undefined) return name;
  return name !== undefined && kind !== "block" ? `${within}.${name}` : within;
}

/** Returns the declaration inside an export or behind decorators. */
function unwrapped(node: Node): Node {
  const subject = node.childForFieldName("declaration") ?? node.childForFieldName("definition");
  return subject && !(node.type in KINDS) ? unwrapped(subject) : node;
}

function nameOf(node: Node): string | undefined {
  if (node.type === "impl_item") {
    const [trait, type] = [node.childForFieldName("trait"), node.childForFieldName("type")];
    return trait ? `${trait.text} for ${type?.text}` : type?.text;
  }
  const name = node.childForFieldName("name")?.text;
  const receiver = node.childForFieldName("receiver")?.text.match(/(?<!\w)(\w+)[^\w]*\)$/)?.[1];
  if (name !== undefined) return receiver ? `${receiver}.${name}` : name;
  return firstNamed(node);
}

/** The first name of a declaration of several; for a call or an assignment, its target. */
function firstNamed(node: Node): string | undefined {
  const first = node.namedChildren.find(({ type }) => !ABOVE.has(type));
  const target = ["name", "function", "left"].map((field) => first?.childForFieldName(field)).find((found) => found);
  return target && /^[\w.$]{1,60}$/.test(target.text) ? target.text : undefined;
}
