import { createSpotlight, Spotlight } from "@mantine/spotlight";
import "@mantine/spotlight/styles.css";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { text } from "../i18n/index.ts";
import { SearchIcon } from "../parts/icons.tsx";
import { destinations, type Me } from "./destinations.ts";

const [store, palette] = createSpotlight();

/** Command palette: pages by name, and the memory by words. */
export function Palette({ me, calls }: { readonly me: Me; readonly calls: number }) {
  const navigate = useNavigate();
  const [query, setQuery] = useState("");
  useEffect(() => palette.open(), [calls]);
  const words = query.trim();
  const found = destinations(me).filter(({ name }) => name.toLowerCase().includes(words.toLowerCase()));
  return (
    <Spotlight.Root store={store} query={query} onQueryChange={setQuery} shortcut={null}>
      <Spotlight.Search
        placeholder={text.palette.placeholder}
        aria-label={text.palette.placeholder}
        leftSection={<SearchIcon />}
      />
      <Spotlight.ActionsList>
        {found.map(({ to, name, Icon }) => (
          <Spotlight.Action key={to} label={name} leftSection={<Icon />} onClick={() => void navigate({ to })} />
        ))}
        {words !== "" && (
          <Spotlight.Action
            label={text.palette.searchFor(words)}
            leftSection={<SearchIcon />}
            onClick={() => void navigate({ to: "/search", search: { q: words } })}
          />
        )}
        {found.length === 0 && words === "" && <Spotlight.Empty>{text.palette.nothing}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
