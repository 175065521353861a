import type { ComponentType } from "react";
import { text } from "../i18n/index.ts";
import * as icons from "../parts/icons.tsx";

/** Member who is signed in, as the backend names it. */
export interface Me {
  readonly member: string;
  readonly role: string;
  readonly scopes: readonly string[];
  readonly sign_in?: number | undefined;
  readonly server_version: string;
}

export interface Destination {
  readonly to:
    | "/search"
    | "/inbox"
    | "/entities"
    | "/files"
    | "/work"
    | "/sessions"
    | "/people"
    | "/activity"
    | "/insight"
    | "/health"
    | "/settings"
    | "/connect";
  readonly name: string;
  readonly Icon: ComponentType;
}

/** Pages that this member can do something with, in the order of the navigation. */
export function destinations({ scopes }: Me): readonly Destination[] {
  const operates = scopes.includes("operate");
  return [
    { to: "/search", name: text.nav.search, Icon: icons.SearchIcon },
    { to: "/inbox", name: text.nav.inbox, Icon: icons.InboxIcon },
    { to: "/entities", name: text.nav.entities, Icon: icons.EntityIcon },
    { to: "/files", name: text.nav.files, Icon: icons.FileIcon },
    { to: "/work", name: text.nav.work, Icon: icons.WorkIcon },
    { to: "/sessions", name: text.nav.sessions, Icon: icons.SessionIcon },
    { to: "/people", name: text.nav.people, Icon: icons.PeopleIcon },
    { to: "/activity", name: text.nav.activity, Icon: icons.ActivityIcon },
    { to: "/insight", name: text.nav.insight, Icon: icons.InsightIcon },
    ...(operates ? [{ to: "/health", name: text.nav.health, Icon: icons.HealthIcon } as const] : []),
    ...(operates ? [{ to: "/settings", name: text.nav.settings, Icon: icons.SettingsIcon } as const] : []),
    { to: "/connect", name: text.nav.connect, Icon: icons.ConnectIcon },
  ];
}
