import { useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { createSpotlight, Spotlight } from "@mantine/spotlight";
import "@mantine/spotlight/styles.css";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { sessionPages } from "../api/pages.ts";
import { queries } from "../api/queries.ts";
import { text } from "../i18n/index.ts";
import * as icons from "../parts/icons.tsx";
import { findMemories } from "../parts/memory-picker.tsx";
import { memberName } from "../parts/words/member-name.ts";
import { destinations, type Me } from "./destinations.ts";
import { recentMemories } from "./recent.ts";

const [store, palette] = createSpotlight();
const TYPING_MS = 120;
const MOST_NAMES = 5;

interface PaletteProps {
  readonly me: Me;
  readonly calls: number;
  signOut(): void;
}

interface Command {
  readonly label: string;
  /** Further search words for the command. */
  readonly words?: string;
  readonly Icon: ComponentType;
  run(): void;
}

/** Command palette: memories, entities, members, sessions, pages, what can be done, and what was open last. */
export function Palette({ me, calls, signOut }: PaletteProps) {
  const navigate = useNavigate();
  const [query, setQuery] = useState("");
  useEffect(() => palette.open(), [calls]);
  const typed = query.trim();
  const [asked] = useDebouncedValue(typed, TYPING_MS);
  const { data: memories = [] } = useQuery({
    queryKey: ["memories", "pick", asked],
    queryFn: () => findMemories(asked).catch(() => []),
    enabled: asked !== "",
    placeholderData: keepPreviousData,
  });
  const { data: entities } = useQuery({ ...queries.entities({ offset: 0, limit: 200 }), enabled: typed !== "" });
  const isAdmin = me.scopes.includes("admin");
  const { data: people } = useQuery({ ...queries.members(), enabled: isAdmin && typed !== "" });
  const has = (label: string) => label.toLowerCase().includes(typed.toLowerCase());
  const commands = useCommands(me, signOut).filter(({ label, words = "" }) => typed !== "" && has(`${label} ${words}`));
  const pages = destinations(me).filter(({ name }) => has(name));
  const known =
    typed === ""
      ? []
      : (entities?.entities.filter(({ name }) => has(name) || has(memberName(name))).slice(0, MOST_NAMES) ?? []);
  const members =
    typed === ""
      ? []
      : (people?.members.filter(({ name }) => has(name) || has(memberName(name))).slice(0, MOST_NAMES) ?? []);
  const { data: worked } = useInfiniteQuery({ ...sessionPages(), enabled: typed !== "" });
  const sessions =
    typed === ""
      ? []
      : (worked?.pages.flatMap((page) => page.sessions).filter(({ name }) => has(name ?? "")) ?? []).slice(
          0,
          MOST_NAMES,
        );
  const recent = typed === "" ? recentMemories(me.member) : [];
  const openMemory = (id: string) => void navigate({ to: "/memories/$id", params: { id } });
  return (
    <Spotlight.Root store={store} query={query} onQueryChange={setQuery} shortcut={null} scrollable maxHeight={460}>
      <Spotlight.Search
        placeholder={text.palette.placeholder}
        aria-label={text.palette.placeholder}
        leftSection={<icons.SearchIcon />}
      />
      <Spotlight.ActionsList>
        <Group label={text.palette.recent}>
          {recent.map(({ id, title }) => (
            <Spotlight.Action key={id} label={title} onClick={() => openMemory(String(id))} />
          ))}
        </Group>
        <Group label={text.palette.pages}>
          {pages.map(({ to, name, Icon }) => (
            <Spotlight.Action key={to} label={name} leftSection={<Icon />} onClick={() => void navigate({ to })} />
          ))}
        </Group>
        <Group label={text.palette.actions}>
          {commands.map(({ label, Icon, run }) => (
            <Spotlight.Action key={label} label={label} leftSection={<Icon />} onClick={run} />
          ))}
        </Group>
        <Group label={text.insight.memories}>
          {typed !== "" &&
            memories.map(({ value, label }) => (
              <Spotlight.Action key={value} label={label} onClick={() => openMemory(value)} />
            ))}
        </Group>
        <Group label={text.sessions.title}>
          {sessions.map(({ session_id: id, author, name = "" }) => (
            <Spotlight.Action
              key={`${author} ${id}`}
              label={name}
              leftSection={<icons.SessionIcon />}
              onClick={() => void navigate({ to: "/sessions/$id", params: { id }, search: { author } })}
            />
          ))}
        </Group>
        <Group label={text.entities.title}>
          {known.map(({ name }) => (
            <Spotlight.Action
              key={name}
              label={name}
              leftSection={<icons.EntityIcon />}
              onClick={() => void navigate({ to: "/entities/$name", params: { name } })}
            />
          ))}
        </Group>
        <Group label={text.people.title}>
          {members.map(({ name }) => (
            <Spotlight.Action
              key={name}
              label={memberName(name)}
              leftSection={<icons.PeopleIcon />}
              onClick={() => void navigate({ to: "/search", search: { author: name } })}
            />
          ))}
        </Group>
        {typed !== "" && (
          <Spotlight.Action
            label={text.palette.searchFor(typed)}
            leftSection={<icons.SearchIcon />}
            onClick={() => void navigate({ to: "/search", search: { q: typed } })}
          />
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

/** Group with a heading; nothing where it would be empty. */
const Group = ({ label, children }: { readonly label: string; readonly children: ReactNode }) =>
  Array.isArray(children) && children.length > 0 ? (
    <Spotlight.ActionsGroup label={label}>{children}</Spotlight.ActionsGroup>
  ) : null;

function useCommands({ scopes }: Me, signOut: () => void): readonly Command[] {
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme("light");
  const toPeople = (tab: string) => () => void navigate({ to: "/people", search: { tab } });
  return [
    ...(scopes.includes("write")
      ? [{ label: text.newMemory.title, Icon: icons.PlusIcon, run: () => void navigate({ to: "/new" }) }]
      : []),
    ...(scopes.includes("admin")
      ? [{ label: text.people.addMember, Icon: icons.PeopleIcon, run: toPeople("members") }]
      : []),
    { label: text.people.makeToken, words: "token", Icon: icons.ConnectIcon, run: toPeople("tokens") },
    { label: text.people.tabs.signIns, Icon: icons.PeopleIcon, run: toPeople("sign-ins") },
    {
      label: text.nav.theme,
      words: "dark light theme",
      Icon: icons.ThemeIcon,
      run: () => setColorScheme(scheme === "dark" ? "light" : "dark"),
    },
    { label: text.nav.signOut, words: "sign out log out", Icon: icons.ConnectIcon, run: signOut },
  ];
}
