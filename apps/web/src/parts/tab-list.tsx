import { Tabs, type TabsListProps } from "@mantine/core";
import { useEffect, useRef } from "react";

/** Tabs, of which the open one is in sight: on a phone they are one line that scrolls. */
export function TabList(props: TabsListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tabs = [...(list.current?.children ?? [])];
    const reveal = () =>
      list.current?.querySelector("[data-active]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    reveal();
    // Counts that come later make the tabs before it wider.
    const observer = new ResizeObserver(reveal);
    for (const tab of tabs) observer.observe(tab);
    return () => observer.disconnect();
  });
  return <Tabs.List ref={list} {...props} />;
}
