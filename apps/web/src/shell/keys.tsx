import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { destinations, type Me } from "./destinations.ts";

const KeyList = lazy(async () => ({ default: (await import("./key-list.tsx")).KeyList }));

const FIELDS = "input, textarea, select, [contenteditable=true], [role=dialog]";
const AFTER_G_MS = 1200;

/** Keys that work on every page: `g` and a letter goes somewhere, `?` shows all keys. */
export function Keys({ me }: { readonly me: Me }) {
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const known = useMemo(() => destinations(me), [me]);
  useEffect(() => {
    let begunAt = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      if (ctrlKey || metaKey || altKey || (target instanceof Element && target.closest(FIELDS))) return;
      const isAfterG = performance.now() - begunAt < AFTER_G_MS;
      begunAt = key === "g" && !isAfterG ? performance.now() : Number.NEGATIVE_INFINITY;
      const to = isAfterG ? known.find((each) => each.key === key)?.to : undefined;
      if (key === "?") setOpen(true);
      if (key === "c" && !isAfterG && me.scopes.includes("write")) {
        event.preventDefault();
        return void navigate({ to: "/new" });
      }
      if (to === undefined) return;
      // Stops the event, so that the open page does not handle the letter as its own shortcut.
      event.preventDefault();
      event.stopImmediatePropagation();
      void navigate({ to });
    };
    document.addEventListener("keydown", onKey, { capture: true });
    return () => document.removeEventListener("keydown", onKey, { capture: true });
  }, [known, navigate, me.scopes]);
  if (!isOpen) return null;
  return (
    <Suspense>
      <KeyList known={known} close={() => setOpen(false)} />
    </Suspense>
  );
}
