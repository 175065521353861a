import type { ComponentType } from "react";
import type { Get } from "../api/queries.ts";
import { text } from "../i18n/index.ts";
import * as icons from "../parts/icons.tsx";

/** Member who is signed in, as the backend names it. */
export type Me = Get<"/api/sign-in">;

export interface Destination {
  readonly to:
    | "/"
    | "/search"
    | "/inbox"
    | "/entities"
    | "/files"
    | "/work"
    | "/sessions"
    | "/preview"
    | "/people"
    | "/activity"
    | "/insight"
    | "/health"
    | "/connect";
  readonly name: string;
  /** Second key of the shortcut: `g`, then this letter. */
  readonly key: string;
  readonly Icon: ComponentType;
}

/** Destinations under one heading; the first group has none. */
export interface DestinationGroup {
  readonly name?: string;
  readonly destinations: readonly Destination[];
}

/** Pages that this member can do something with, in the groups of the navigation. */
export function destinationGroups({ scopes }: Me): readonly DestinationGroup[] {
  const { nav } = text;
  const operated: readonly Destination[] = [{ to: "/health", key: "h", name: nav.health, Icon: icons.HealthIcon }];
  return [
    {
      destinations: [
        { to: "/", key: "d", name: nav.home, Icon: icons.HomeIcon },
        { to: "/search", key: "s", name: nav.search, Icon: icons.SearchIcon },
        { to: "/inbox", key: "i", name: nav.inbox, Icon: icons.InboxIcon },
        { to: "/work", key: "w", name: nav.work, Icon: icons.WorkIcon },
      ],
    },
    {
      name: nav.knowledge,
      destinations: [
        { to: "/entities", key: "e", name: nav.entities, Icon: icons.EntityIcon },
        { to: "/files", key: "f", name: nav.files, Icon: icons.FileIcon },
        { to: "/sessions", key: "o", name: nav.sessions, Icon: icons.SessionIcon },
        { to: "/preview", key: "v", name: nav.preview, Icon: icons.PreviewIcon },
      ],
    },
    {
      name: nav.team,
      destinations: [
        { to: "/activity", key: "a", name: nav.activity, Icon: icons.ActivityIcon },
        { to: "/insight", key: "n", name: nav.insight, Icon: icons.InsightIcon },
        { to: "/people", key: "p", name: nav.people, Icon: icons.PeopleIcon },
      ],
    },
    {
      name: nav.operation,
      destinations: [
        ...(scopes.includes("operate") ? operated : []),
        { to: "/connect", key: "c", name: nav.connect, Icon: icons.ConnectIcon },
      ],
    },
  ];
}

export const destinations = (me: Me): readonly Destination[] =>
  destinationGroups(me).flatMap((group) => group.destinations);
