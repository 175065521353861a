import { afterEach, expect, it } from "vitest";
import { openSqliteApp, type SqliteApp } from "./testing/sqlite-app.ts";

let backend: SqliteApp | undefined;
afterEach(() => backend?.close());

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
}
interface Route {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

type Method = "GET" | "POST" | "DELETE";

const NUL = "a\u0000b";

it("answers U+0000 in every field, path and query of every route, and never with an internal error", async () => {
  backend = await openSqliteApp({ CHEST_RATE_LIMIT_PER_MIN: "0", CHEST_WRITE_RATE_LIMIT_PER_MIN: "0" });
  const { paths } = (await backend.get("/openapi.json")).body as { paths: Record<string, Record<string, Route>> };
  const statuses: string[] = [];
  let asked = 0;
  const ask = async (method: Method, url: string, payload?: object, headers: Record<string, string> = {}) => {
    if (method === "GET" && url.startsWith("/events")) headers.accept = "application/json";
    const answer = await (backend as SqliteApp).ask(method, url, payload, { headers });
    asked++;
    if (answer.status === 500) statuses.push(`${method} ${url} ${JSON.stringify(payload)}`);
  };
  for (const [path, methods] of Object.entries(paths)) {
    if (path === "/api/models" || path === "/api/purge") continue;
    for (const [method, { parameters = [], requestBody }] of Object.entries(methods)) {
      const verb = method.toUpperCase() as Method;
      const plain = path.replace(/\{\w+\}/g, "1");
      await ask(verb, path.replace(/\{\w+\}/g, "a%00b"));
      await ask(verb, plain, undefined, { "x-chest-project": "host/a%00b" });
      for (const { in: place, name } of parameters) {
        if (place === "query") await ask(verb, `${plain}?${name}=a%00b`);
      }
      const schema = requestBody?.content["application/json"]?.schema;
      const names = Object.keys(schema?.properties ?? {});
      for (const name of names) {
        for (const value of [NUL, [NUL], { [NUL]: NUL }]) {
          await ask(verb, plain, { ...A_BODY, [name]: value });
        }
      }
    }
  }
  expect(asked).toBeGreaterThan(300);
  expect(statuses).toEqual([]);
});

/** Fields that many routes require, so that the U+0000 in another field is the only fault. */
const A_BODY = {
  entity_name: "acme",
  entity_kind: "project",
  layer: "learning",
  content: "the smew dives at noon",
  query: "smew",
  memory_id: 1,
  session_id: "s-1",
  prompt: "where does the smew dive",
};
