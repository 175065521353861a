import newPlugin from "@jsep-plugin/new";
import jsep from "jsep";
import {
  DEFAULT_WITHIN,
  KEY_SCOPES,
  type Key,
  MAX_DEPTH,
  matchKeyOf,
  projectKeys,
  type Scene,
  type Within,
} from "./situation.ts";

jsep.plugins.register(newPlugin);

const MAX_EXPRESSION = 2000;
const MAX_NODES = 200;
const MAX_LEVELS = 40;
export const MAX_KEYS = 50;
export const MAX_KEY_CHARS = 100;

/** Error for an unsupported part of an expression, with its position from 1. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/** Value of a part. A renamed project has several keys, each equal to it. */
type ExpressionValue = boolean | number | string | readonly string[] | undefined;
type Evaluate = (scene: Scene) => ExpressionValue;
type Node = jsep.Expression;

const places = new WeakMap<Node, number>();

interface Parser {
  readonly index: number;
  gobbleSpaces(): void;
  gobbleToken(): Node | false;
  parse(): Node;
}

/** jsep's parser, including the token positions that its nodes lack. */
const { Jsep } = jsep as unknown as { readonly Jsep: new (text: string) => Parser };
class PlacingParser extends Jsep {
  override gobbleToken(): Node | false {
    this.gobbleSpaces();
    const start = this.index;
    const node = super.gobbleToken();
    if (node) places.set(node, start);
    return node;
  }
}

/**
 * Compiles an expression over keys, dates and the conversation. It is interpreted, never executed: only the listed
 * kinds of node are allowed. Throws `Refused`.
 */
export function compileExpression(text: string): (scene: Scene) => boolean {
  if (text.length > MAX_EXPRESSION)
    throw new Refused(`is longer than ${MAX_EXPRESSION} characters`, MAX_EXPRESSION + 1);
  const compiler = new Compiler();
  const evaluate = compiler.compile(parsed(text), 0, 1);
  const value = compiler.constantOf(evaluate);
  if (value) throw new Refused(`is always ${Boolean(value.is)}: ask for keys, a date or the context`, 1);
  return (scene) => Boolean(evaluate(scene));
}

function parsed(text: string): Node {
  try {
    return new PlacingParser(text).parse();
  } catch (error) {
    if (error instanceof RangeError) throw new Refused("is nested too deeply", 1);
    const { index, description } = error as { index?: number; description?: string };
    throw new Refused(`cannot be read: ${description ?? "it is not an expression"}`, (index ?? 0) + 1);
  }
}

/** Value of a part that is the same in every scene. */
interface Constant {
  readonly is: ExpressionValue;
}

class Compiler {
  #nodes = 0;
  readonly #constants = new Map<Evaluate, Constant>();
  /** Least and greatest value of numeric parts. */
  readonly #ranges = new Map<Evaluate, readonly [least: number, most: number]>();

  /** Undefined for a part that depends on the scene. */
  constantOf(part: Evaluate): Constant | undefined {
    return this.#constants.get(part);
  }

  compile(node: Node, parentAt: number, level: number): Evaluate {
    const at = this.#enter(node, parentAt, level);
    switch (node.type) {
      case "Literal": {
        const value = literal(node, at);
        return this.#constant(value);
      }
      case "UnaryExpression":
        return this.#unary(node, at, level);
      case "BinaryExpression":
      case "LogicalExpression":
        return this.#binary(node, at, level);
      case "CallExpression":
        return this.#call(node, at, level);
      case "MemberExpression":
        return this.#member(node, at);
      default:
        throw new Refused(NOT_TAKEN[node.type] ?? `${node.type} is not allowed`, at + 1);
    }
  }

  #constant(is: ExpressionValue): Evaluate {
    const part: Evaluate = () => is;
    this.#constants.set(part, { is });
    return part;
  }

  #within(part: Evaluate, range: readonly [number, number]): Evaluate {
    this.#ranges.set(part, range);
    return part;
  }

  #rangeOf(part: Evaluate): readonly [number, number] | undefined {
    const is = this.#constants.get(part)?.is;
    return typeof is === "number" ? [is, is] : this.#ranges.get(part);
  }

  #enter(node: Node, parentAt: number, level: number): number {
    const at = places.get(node) ?? parentAt;
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES) throw new Refused(`has more than ${MAX_NODES} parts`, at + 1);
    if (level > MAX_LEVELS) throw new Refused("is nested too deeply", at + 1);
    return at;
  }

  #unary(node: Node, at: number, level: number): Evaluate {
    const { operator, argument } = node as jsep.UnaryExpression;
    const value = this.compile(argument, at, level + 1);
    const constant = this.#constants.get(value);
    if (operator === "!") return constant ? this.#constant(!constant.is) : (scene) => !value(scene);
    if (operator === "-" && typeof constant?.is === "number") return this.#constant(-constant.is);
    if (operator === "-") {
      return (scene) => {
        const given = value(scene);
        return typeof given === "number" ? -given : undefined;
      };
    }
    throw new Refused(`\`${operator}\` is not allowed`, at + 1);
  }

  #binary(node: Node, at: number, level: number): Evaluate {
    const { operator, left, right } = node as jsep.BinaryExpression;
    const compare = Object.hasOwn(COMPARE, operator) ? COMPARE[operator] : undefined;
    if (operator !== "&&" && operator !== "||" && !compare) {
      throw new Refused(`\`${operator}\` is not allowed: compare, or join with \`&&\` and \`||\``, at + 1);
    }
    // A chain such as `a || b || c` is a left-leaning tree, and does not count as nesting.
    const isChain = !compare && (left as jsep.BinaryExpression).operator === operator;
    const [first, second] = [this.compile(left, at, isChain ? level : level + 1), this.compile(right, at, level + 1)];
    const constant = this.#constantOf(operator, first, second);
    if (constant) return this.#constant(constant.is);
    if (operator === "&&") return (scene) => Boolean(first(scene)) && Boolean(second(scene));
    if (operator === "||") return (scene) => Boolean(first(scene)) || Boolean(second(scene));
    return (scene) => compare?.(first(scene), second(scene));
  }

  /** Value of a comparison or a logical operation that does not depend on the scene. */
  #constantOf(operator: string, left: Evaluate, right: Evaluate): Constant | undefined {
    const [a, b] = [this.#constants.get(left), this.#constants.get(right)];
    if (operator === "&&" || operator === "||") {
      const deciding = operator === "||";
      if ([a, b].some((side) => side && Boolean(side.is) === deciding)) return { is: deciding };
      return a && b ? { is: !deciding } : undefined;
    }
    if (a && b) return { is: COMPARE[operator]?.(a.is, b.is) };
    const [one, other] = [this.#rangeOf(left), this.#rangeOf(right)];
    if (!one || !other) return undefined;
    const ends = [
      [one[0], other[1]],
      [one[1], other[0]],
    ].map(([x, y]) => COMPARE[operator]?.(x, y));
    if (/^[<>]/.test(operator)) return ends[0] === ends[1] ? { is: ends[0] } : undefined;
    return one[1] < other[0] || other[1] < one[0] ? { is: operator.startsWith("!") } : undefined;
  }

  #call(node: Node, at: number, level: number): Evaluate {
    const { callee, arguments: given } = node as jsep.CallExpression;
    if (callee.type === "Identifier") return this.#match(String(callee.name), given, at, level);
    if (callee.type === "MemberExpression") return this.#datePart(callee as jsep.MemberExpression, given, at);
    throw new Refused("only `match_keys`, `match_keys_all` and the parts of `new Date()` can be called", at + 1);
  }

  /** Compiles `new Date().getMonth()` and similar calls, for the time of evaluation. */
  #datePart({ object, property, computed }: jsep.MemberExpression, input: Node[], at: number): Evaluate {
    const name = !computed && property.type === "Identifier" ? String(property.name) : "";
    const isDate =
      object.type === "NewExpression" &&
      (object.callee as Node).type === "Identifier" &&
      (object.callee as jsep.Identifier).name === "Date" &&
      (object.arguments as Node[]).length === 0;
    const part = Object.hasOwn(DATE_PARTS, name) ? DATE_PARTS[name] : undefined;
    if (!isDate || !part || input.length > 0) {
      const names = Object.keys(DATE_PARTS).join(", ");
      throw new Refused(`only the parts of \`new Date()\` can be called so: ${names}, without arguments`, at + 1);
    }
    this.#nodes += 2;
    const read: Evaluate = ({ situation: { now } }) => part(now);
    const range = DATE_RANGES[name];
    return range ? this.#within(read, range) : read;
  }

  /** Compiles `context.conversation_id`, `context.project` and `context.participants.NAME`. */
  #member(node: Node, at: number): Evaluate {
    const path = pathOf(node as jsep.MemberExpression);
    this.#nodes += path?.length ?? 0;
    const [root, field, name] = path ?? [];
    if (root === "context" && path?.length === 2) {
      if (field === "conversation_id") return ({ situation }) => situation.conversationId;
      if (field === "project") return ({ situation }) => projectKeys(situation);
    }
    if (root === "context" && field === "participants" && path?.length === 3 && name !== undefined) {
      if (FORBIDDEN.has(name)) throw new Refused(`\`${name}\` is not a known name`, at + 1);
      return ({ situation: { participants = {} } }) =>
        Object.hasOwn(participants, name) ? participants[name] : undefined;
    }
    throw new Refused(
      "only `context.conversation_id`, `context.project` and `context.participants.NAME` can be read",
      at + 1,
    );
  }

  #match(name: string, input: Node[], at: number, level: number): Evaluate {
    if (name !== "match_keys" && name !== "match_keys_all") {
      throw new Refused(
        `\`${name.slice(0, 40)}\` cannot be called: only \`match_keys\` and \`match_keys_all\``,
        at + 1,
      );
    }
    for (const each of input) this.#enter(each, at, level + 1);
    // Expressions from another system pass the text to search; it is always the conversation.
    const isContext = input[0]?.type === "Identifier" || input[0]?.type === "MemberExpression";
    if (isContext && !CONTEXTS.has(pathOf(input[0] as jsep.MemberExpression)?.join(".") ?? "")) {
      throw new Refused(
        "keys are looked for in `context` or `context.messages` alone",
        (places.get(input[0] as Node) ?? at) + 1,
      );
    }
    const [keys, scope, depth, ...others] = isContext ? input.slice(1) : input;
    if (others[0]) throw new Refused(`\`${name}\` takes keys, a role and a depth`, (places.get(others[0]) ?? at) + 1);
    const wanted = this.#keys(keys, at, level);
    const within: Within = { scope: readScope(scope, at), depth: readDepth(depth, at) };
    if (name === "match_keys_all") return (scene) => scene.holdsAll(wanted, within);
    return this.#within((scene) => scene.matches(wanted, within), [0, Number.POSITIVE_INFINITY]);
  }

  #keys(node: Node | undefined, at: number, level: number): Key[] {
    const start = (node && places.get(node)) ?? at;
    const elements = node?.type === "ArrayExpression" ? (node as jsep.ArrayExpression).elements : [node];
    if (elements.length === 0 || elements.length > MAX_KEYS) {
      throw new Refused(`there must be 1 to ${MAX_KEYS} keys`, start + 1);
    }
    return elements.map((element) => {
      if (element) this.#enter(element, start, level + 1);
      const own = ((element && places.get(element)) ?? start) + 1;
      const value = element?.type === "Literal" ? element.value : undefined;
      if (typeof value !== "string") throw new Refused("a key is a text in quotes", own);
      const key = value.length <= MAX_KEY_CHARS ? matchKeyOf(value) : undefined;
      if (!key) throw new Refused(`a key has 1 to ${MAX_KEY_CHARS} characters`, own);
      return key;
    });
  }
}

const CONTEXTS: ReadonlySet<string> = new Set(["context", "context.messages", "args", "messages"]);
const FORBIDDEN: ReadonlySet<string> = new Set(["constructor", "prototype", "__proto__"]);

const NOT_TAKEN: Readonly<Record<string, string>> = {
  Identifier: "a bare name says nothing: put texts in quotes",
  Compound: "there must be one expression",
  SequenceExpression: "there must be one expression",
  ThisExpression: "`this` is not allowed",
  NewExpression: "of `new Date()` only its parts are numbers, such as `getMonth()`",
  ConditionalExpression: "`? :` is not allowed: join with `&&` and `||`",
  ArrayExpression: "a list is allowed only as keys",
};

const numbers =
  (compare: (a: number, b: number) => boolean) =>
  (a: ExpressionValue, b: ExpressionValue): boolean =>
    typeof a === "number" && typeof b === "number" && compare(a, b);

const COMPARE: Readonly<Record<string, (a: ExpressionValue, b: ExpressionValue) => boolean>> = {
  "<": numbers((a, b) => a < b),
  "<=": numbers((a, b) => a <= b),
  ">": numbers((a, b) => a > b),
  ">=": numbers((a, b) => a >= b),
  "==": isSame,
  "===": isSame,
  "!=": (a, b) => !isSame(a, b),
  "!==": (a, b) => !isSame(a, b),
};

/** Compares values; a project equals each of its keys. */
function isSame(a: ExpressionValue, b: ExpressionValue): boolean {
  const others = keysOf(b);
  return keysOf(a).some((one) => others.includes(one));
}

const keysOf = (value: ExpressionValue): readonly ExpressionValue[] => (typeof value === "object" ? value : [value]);

const DATE_PARTS: Readonly<Record<string, (now: Date) => number>> = {
  getFullYear: (now) => now.getFullYear(),
  getMonth: (now) => now.getMonth(),
  getDate: (now) => now.getDate(),
  getDay: (now) => now.getDay(),
  getHours: (now) => now.getHours(),
  getMinutes: (now) => now.getMinutes(),
  getTime: (now) => now.getTime(),
};

const DATE_RANGES: Readonly<Record<string, readonly [number, number]>> = {
  getMonth: [0, 11],
  getDate: [1, 31],
  getDay: [0, 6],
  getHours: [0, 23],
  getMinutes: [0, 59],
};

function literal(node: Node, at: number): ExpressionValue {
  const { value } = node as jsep.Literal;
  if (typeof value !== "boolean" && typeof value !== "number" && typeof value !== "string") {
    throw new Refused("only numbers, texts, `true` and `false` are values", at + 1);
  }
  return value;
}

/** Names of a chain like `a.b.c`; undefined for other nodes. */
function pathOf(node: Node): string[] | undefined {
  const path: string[] = [];
  let at: Node = node;
  while (at.type === "MemberExpression") {
    const { object, property, computed, optional } = at as jsep.MemberExpression;
    if (computed || optional || property.type !== "Identifier" || path.length > 3) return undefined;
    path.unshift(String(property.name));
    at = object;
  }
  return at.type === "Identifier" ? [String(at.name), ...path] : undefined;
}

function readScope(node: Node | undefined, at: number): Within["scope"] {
  if (!node) return DEFAULT_WITHIN.scope;
  const scope = KEY_SCOPES.find((each) => node.type === "Literal" && node.value === each);
  if (scope) return scope;
  throw new Refused(
    `a role is one of ${KEY_SCOPES.map((each) => `"${each}"`).join(", ")}`,
    (places.get(node) ?? at) + 1,
  );
}

function readDepth(node: Node | undefined, at: number): number {
  if (!node) return DEFAULT_WITHIN.depth;
  const depth = node.type === "Literal" ? node.value : undefined;
  if (typeof depth === "number" && Number.isInteger(depth) && depth >= 1 && depth <= MAX_DEPTH) return depth;
  throw new Refused(`a depth is a whole number from 1 to ${MAX_DEPTH}`, (places.get(node) ?? at) + 1);
}
