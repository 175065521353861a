import type { EntityKind } from "@chest/core/memory";
import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { ENTITY_KINDS } from "./api/queries.ts";
import { text } from "./i18n/index.ts";
import type { Narrowed } from "./parts/narrowing.tsx";
import { Nothing, Problem, useTitle } from "./parts/page.tsx";
import { Root } from "./shell/root.tsx";

/** Filters of the search, as its address holds them. */
export interface SearchFilters {
  readonly q?: string;
  readonly project?: string;
  readonly layer?: string;
  readonly entity?: string;
  readonly tag?: string;
  readonly category?: string;
  readonly author?: string;
  readonly since?: string;
  readonly until?: string;
  readonly state?: "archived" | "superseded" | "journal";
  readonly sort?: "recent" | "use";
  readonly view?: "table";
}

const words = (input: unknown): string | undefined => {
  const text = typeof input === "number" ? String(input) : input;
  return typeof text === "string" && text !== "" ? text : undefined;
};
const oneOf = <T extends string>(input: unknown, ...known: readonly T[]): T | undefined =>
  known.find((each) => each === input);

function readFilters(input: Record<string, unknown>): SearchFilters {
  const read = {
    q: words(input.q),
    project: words(input.project),
    layer: words(input.layer),
    entity: words(input.entity),
    tag: words(input.tag),
    category: words(input.category),
    author: words(input.author),
    since: words(input.since),
    until: words(input.until),
    state: oneOf(input.state, "archived", "superseded", "journal"),
    sort: oneOf(input.sort, "recent", "use"),
    view: oneOf(input.view, "table"),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

function readTab({ tab }: Record<string, unknown>): { readonly tab?: string } {
  const known = words(tab);
  return known === undefined ? {} : { tab: known };
}

/** Picks the named parameters of an address that have a value, as text. */
function readWords<Name extends string>(input: Record<string, unknown>, ...names: readonly Name[]) {
  const read = names.flatMap((name) => {
    const value = words(input[name]);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(read) as { readonly [Key in Name]?: string };
}

interface SessionSearch extends Narrowed {
  readonly tab?: string;
}

/** Filters of the sentences of Activity, and those of the audit log below them. */
interface ActivitySearch extends Narrowed {
  readonly member?: string;
  readonly op?: string;
}

const root = createRootRoute({ component: Root, notFoundComponent: UnknownPage });
const at = <P extends string>(path: P) => ({ getParentRoute: () => root, path }) as const;

const home = createRoute({
  ...at("/"),
  validateSearch: ({ since }: Record<string, unknown>): { readonly since?: "day" | "week" } => {
    const known = oneOf(since, "day", "week");
    return known === undefined ? {} : { since: known };
  },
  component: lazyRouteComponent(() => import("./pages/home/home.tsx"), "Home"),
});
const signIn = createRoute({
  ...at("/sign-in"),
  validateSearch: (input: Record<string, unknown>): { readonly link?: string; readonly sso?: string } => ({
    ...(words(input.link) && { link: String(input.link) }),
    ...(words(input.sso) && { sso: String(input.sso) }),
  }),
  component: lazyRouteComponent(() => import("./shell/sign-in.tsx"), "SignIn"),
});
const search = createRoute({
  ...at("/search"),
  validateSearch: readFilters,
  component: lazyRouteComponent(() => import("./pages/search/search.tsx"), "Search"),
});
const memory = createRoute({
  ...at("/memories/$id"),
  component: lazyRouteComponent(() => import("./pages/memory/memory.tsx"), "MemoryPage"),
});
const newMemory = createRoute({
  ...at("/new"),
  validateSearch: (input: Record<string, unknown>): { readonly title?: string; readonly project?: string } =>
    readWords(input, "title", "project"),
  component: lazyRouteComponent(() => import("./pages/new-memory.tsx"), "NewMemory"),
});
const inbox = createRoute({
  ...at("/inbox"),
  validateSearch: (input: Record<string, unknown>): { readonly tab?: string; readonly part?: "mine" | "snoozed" } => {
    const part = oneOf(input.part, "mine", "snoozed");
    return { ...readTab(input), ...(part === undefined ? {} : { part }) };
  },
  component: lazyRouteComponent(() => import("./pages/inbox/inbox.tsx"), "Inbox"),
});
const entities = createRoute({
  ...at("/entities"),
  validateSearch: ({ kind }: Record<string, unknown>): { readonly kind?: EntityKind } => {
    const known = oneOf(kind, ...ENTITY_KINDS);
    return known === undefined ? {} : { kind: known };
  },
  component: lazyRouteComponent(() => import("./pages/entities.tsx"), "Entities"),
});
const entity = createRoute({
  ...at("/entities/$name"),
  component: lazyRouteComponent(() => import("./pages/entity.tsx"), "EntityPage"),
});
const files = createRoute({
  ...at("/files"),
  validateSearch: ({ path }: Record<string, unknown>): { readonly path?: string } => {
    const known = words(path);
    return known === undefined ? {} : { path: known };
  },
  component: lazyRouteComponent(() => import("./pages/files.tsx"), "Files"),
});
const work = createRoute({
  ...at("/work"),
  validateSearch: readTab,
  component: lazyRouteComponent(() => import("./pages/work.tsx"), "Work"),
});
const sessions = createRoute({
  ...at("/sessions"),
  validateSearch: (input: Record<string, unknown>): SessionSearch => ({
    ...readTab(input),
    ...readWords(input, "author", "project", "day"),
  }),
  component: lazyRouteComponent(() => import("./pages/sessions/sessions.tsx"), "Sessions"),
});
const session = createRoute({
  ...at("/sessions/$id"),
  validateSearch: (input: Record<string, unknown>): { readonly author?: string } => readWords(input, "author"),
  component: lazyRouteComponent(() => import("./pages/sessions/session.tsx"), "SessionPage"),
});
const preview = createRoute({
  ...at("/preview"),
  validateSearch: (
    input: Record<string, unknown>,
  ): { readonly prompt?: string; readonly project?: string; readonly member?: string } =>
    readWords(input, "prompt", "project", "member"),
  component: lazyRouteComponent(() => import("./pages/preview/preview.tsx"), "PreviewPage"),
});
const conversation = createRoute({
  ...at("/conversations/$id"),
  validateSearch: ({ project }: Record<string, unknown>): { readonly project?: string } => {
    const known = words(project);
    return known === undefined ? {} : { project: known };
  },
  component: lazyRouteComponent(() => import("./pages/sessions/conversation.tsx"), "ConversationPage"),
});
const people = createRoute({
  ...at("/people"),
  validateSearch: readTab,
  component: lazyRouteComponent(() => import("./pages/people/people.tsx"), "People"),
});
const activity = createRoute({
  ...at("/activity"),
  validateSearch: (input: Record<string, unknown>): ActivitySearch =>
    readWords(input, "author", "project", "day", "member", "op"),
  component: lazyRouteComponent(() => import("./pages/activity.tsx"), "Activity"),
});
const insight = createRoute({
  ...at("/insight"),
  component: lazyRouteComponent(() => import("./pages/insight/insight.tsx"), "Insight"),
});
const health = createRoute({
  ...at("/health"),
  component: lazyRouteComponent(() => import("./pages/health/health.tsx"), "Health"),
});
/** Settings stand within Health; links to their own page lead there. */
const settings = createRoute({
  ...at("/settings"),
  beforeLoad: () => redirect({ to: "/health", replace: true, throw: true }),
});
const connect = createRoute({
  ...at("/connect"),
  component: lazyRouteComponent(() => import("./pages/connect.tsx"), "Connect"),
});

const authorize = createRoute({
  ...at("/authorize/$uid"),
  validateSearch: (input: Record<string, unknown>): { readonly why?: string } => {
    const why = words(input.why);
    return why === undefined ? {} : { why };
  },
  component: lazyRouteComponent(() => import("./pages/authorize.tsx"), "Authorize"),
});

/** The route is in the hash of the address, so the page works under any prefix and reloads without routes on the server. */
export const router = createRouter({
  history: createHashHistory(),
  routeTree: root.addChildren([
    ...[home, signIn, search, memory, newMemory, inbox, entities, entity, files, work],
    ...[sessions, session, preview, conversation, people, activity, insight, health, settings, connect, authorize],
  ]),
  defaultPreload: "intent",
  scrollRestoration: true,
  // Scroll positions are kept by address, because an entry that was opened from outside has no stable key.
  getScrollRestorationKey: ({ href }) => href,
  defaultErrorComponent: ({ error, reset }) => <Problem error={error} retry={reset} />,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

function UnknownPage() {
  useTitle(text.common.unknownPage);
  return (
    <Nothing>
      {text.common.unknownPage} <Link to="/search">{text.common.backToSearch}</Link>
    </Nothing>
  );
}
