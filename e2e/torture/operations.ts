import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { z } from "zod";
import { type Schema, spoilt, valuesOf } from "./parts/from-schema.ts";

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Content {
  readonly content?: { readonly "application/json"?: { readonly schema: Schema } };
}

/** An operation of the API, with its documented inputs and answers. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  readonly takes: z.ZodType | undefined;
  readonly answers: Readonly<Record<string, z.ZodType | undefined>>;
}

export interface Request {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Backend and token that requests are sent with. */
export interface ApiAddress {
  readonly url: string;
  readonly token: string;
}

/** Lists the documented operations, with those that delete permanently at the end. */
export async function documented({ url }: Pick<ApiAddress, "url">): Promise<Operation[]> {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Record<string, unknown>>>;
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [], requestBody, responses }]): Operation[] => {
      const answers = Object.entries(responses as Record<string, Content>).map(([status, answer]) => {
        const schema = schemaIn(answer);
        return [status, schema && checkOf(schema)] as const;
      });
      const body = requestBody === undefined ? undefined : schemaIn(requestBody as Content);
      // Pages and metrics are not JSON.
      if (answers.every(([, schema]) => schema === undefined)) return [];
      return [
        {
          method: method.toUpperCase(),
          path,
          body,
          takes: body && checkOf(body),
          answers: Object.fromEntries(answers),
          parameters: parameters as Parameter[],
        },
      ];
    }),
  );
  const isLast = ({ method, path }: Operation) => Number(method === "DELETE") + Number(path === "/api/purge");
  return operations.sort((one, other) => isLast(one) - isLast(other));
}

const checkOf = (schema: Schema) => z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);

const schemaIn = ({ content }: Content): Schema | undefined => content?.["application/json"]?.schema;

/** Builds a call of each tool over MCP; the documentation of the MCP route applies to all. */
export async function overMcp({ url, token }: ApiAddress): Promise<Operation[]> {
  const answer = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: headersFor(token, "/mcp"),
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
  const { result } = (await answer.json()) as { result: { tools: { name: string; inputSchema: Schema }[] } };
  const rpc = z.looseObject({ jsonrpc: z.literal("2.0") });
  return result.tools.map(({ name, inputSchema }) => {
    const params: Schema = {
      type: "object",
      required: ["name", "arguments"],
      properties: { name: { const: name }, arguments: inputSchema },
    };
    const body: Schema = {
      type: "object",
      required: ["jsonrpc", "id", "method", "params"],
      properties: { jsonrpc: { const: "2.0" }, id: { const: 1 }, method: { const: "tools/call" }, params },
    };
    return {
      method: "POST",
      path: "/mcp",
      parameters: [],
      body,
      takes: undefined,
      answers: { 200: rpc, default: z.unknown() },
    };
  });
}

const headersFor = (token: string, path: string) => ({
  authorization: `Bearer ${token}`,
  "content-type": "application/json",
  // On other routes, a client that accepts an event stream would get one, which never ends.
  accept: path === "/mcp" ? "application/json, text/event-stream" : "application/json",
  // Uses a new session each time, which is recorded with each write.
  "x-chest-session": randomUUID(),
});

/** Generates calls that fit the documentation. */
export function requestsOf({ parameters, body }: Operation): fc.Arbitrary<Request> {
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  const required = parameters.filter((each) => each.required).map(({ name }) => name);
  return fc.record({
    parameters: valuesOf({ type: "object", properties, required }) as fc.Arbitrary<Record<string, unknown>>,
    body: body === undefined ? fc.constant(undefined) : valuesOf(body),
  });
}

/** Generates calls with a fault in one place. */
export function spoiltRequestsOf(operation: Operation): fc.Arbitrary<Request> {
  const whole = requestsOf(operation);
  const inParameters = spoilt(whole.map(({ parameters }) => parameters));
  const isObject = (value: unknown) => typeof value === "object" && value !== null;
  return fc.oneof(
    ...(operation.body === undefined ? [] : [fc.record({ ...EMPTY, body: spoilt(valuesOf(operation.body)) })]),
    fc
      .tuple(whole, inParameters)
      .map(([request, parameters]) => ({ ...request, ...(isObject(parameters) ? { parameters } : {}) }) as Request),
  );
}

const EMPTY = { parameters: fc.constant({ id: 1, name: "alice", sessionId: "s" }) };

export function send(
  { method, path, parameters: known }: Operation,
  { parameters, body }: Request,
  { url: origin, token }: ApiAddress,
) {
  const parametersIn = (place: Parameter["in"]) =>
    known.flatMap(({ name, in: where }) =>
      where === place && name in parameters ? [[name, spoken(parameters[name])] as const] : [],
    );
  const address = parametersIn("path").reduce(
    (url, [name, value]) => url.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  const query = new URLSearchParams(Object.fromEntries(parametersIn("query")));
  // A client cannot send characters that a header may not contain.
  const extra = parametersIn("header").map(([name, value]) => [name, value.replace(/[^\x20-\x7e]/g, "?")]);
  return fetch(`${origin}${address}${query.size > 0 ? `?${query}` : ""}`, {
    method,
    headers: { ...headersFor(token, path), ...Object.fromEntries(extra) },
    ...(method === "GET" || body === undefined ? {} : { body: JSON.stringify(body) ?? "" }),
  });
}

const spoken = (value: unknown): string =>
  (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).slice(0, 4000).toWellFormed();
