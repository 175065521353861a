import { randomUUID } from "node:crypto";
import type { Request } from "./requests.ts";
import type { Section } from "./texts.ts";

const FROM = { "x-chest-client": "chest-bench/1.0.0; wire=1.6.0" };

/** Builds the request with which a Chest client stores a section. */
export const rememberRequest = ({ about, text }: Section): Request => ({
  path: "/api/tools/chest_remember",
  headers: { ...FROM, "idempotency-key": randomUUID(), "x-chest-project": "bench" },
  body: { entity_name: about, entity_kind: "project", layer: "learning", content: text, force: true },
});

/** Adds the headers of a session in a project to a request. */
export const inSession = (request: Request, session: string, project?: string): Request => ({
  ...request,
  headers: {
    ...request.headers,
    "x-chest-session": session,
    ...(project !== undefined && { "x-chest-project": encodeURIComponent(project) }),
  },
});

/** Builds a recall by an agent in a project, or over all projects that it may open. */
export const recallRequest = (query: string, project = "bench"): Request => ({
  path: "/api/tools/chest_recall",
  headers: { ...FROM, "x-chest-project": encodeURIComponent(project) },
  body: { query },
});

export const recallEverywhereRequest = (query: string): Request => ({
  path: "/api/tools/chest_recall",
  headers: FROM,
  body: { query, project: "*" },
});

/** Builds a page's request for a view, in a project. */
export const viewRequest = (view: string, project: string): Request => ({
  path: "/api/tools/chest_inspect",
  headers: { ...FROM, "x-chest-project": encodeURIComponent(project) },
  body: { view },
});

/** Builds an agent's request for a briefing. */
export const contextRequest = (project: string, task: string | undefined): Request => ({
  path: "/api/tools/chest_context",
  headers: { ...FROM, "x-chest-project": encodeURIComponent(project) },
  body: task === undefined ? {} : { task },
});
