import createClient, { type Client, type ClientOptions } from "openapi-fetch";
import type { paths } from "./generated/schema.ts";

export type { paths } from "./generated/schema.ts";

export interface ChestOptions {
  /** Address of the backend, with the prefix of a proxy if there is one. */
  readonly url: string;
  /** Token of a member; left out on the page, where the session cookie speaks for the browser. */
  readonly token?: string;
  /** Key of the project to work in, like `host/org/repo`; without it every project that the caller may open. */
  readonly project?: string;
  readonly fetch?: NonNullable<ClientOptions["fetch"]>;
}

export type Chest = Client<paths>;

/** Opens a typed client of a backend. Every write carries an idempotency key, so that a repeat of the request is done once. */
export function openChest({ url, token, project, fetch }: ChestOptions): Chest {
  const client = createClient<paths>({
    baseUrl: url.replace(/(?<!\/)\/+$/, ""),
    ...(fetch === undefined ? {} : { fetch }),
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(project === undefined ? {} : { "X-Chest-Project": encodeURIComponent(project) }),
    },
  });
  client.use({
    onRequest({ request }) {
      if (request.method !== "GET" && !request.headers.has("Idempotency-Key"))
        request.headers.set("Idempotency-Key", crypto.randomUUID());
      return request;
    },
  });
  return client;
}
