import { Tabs, type TabsListProps } from "@mantine/core";
import { useEffect, useRef } from "react";

/** Tabs that scroll in one line on a phone and keep the open tab visible. */
export function TabList(props: TabsListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tabs = [...(list.current?.children ?? [])];
    const reveal = () =>
      list.current?.querySelector("[data-active]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    reveal();
    // The tabs before it become wider when their counts are loaded.
    const observer = new ResizeObserver(reveal);
    for (const tab of tabs) observer.observe(tab);
    return () => observer.disconnect();
  });
  return <Tabs.List ref={list} {...props} />;
}
