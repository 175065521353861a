import { Button, UnstyledButton } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { number, text } from "../../i18n/index.ts";

const Rendered = lazy(async () => ({ default: (await import("./rendered.tsx")).Rendered }));

/** Longer text is drawn in part: a browser takes seconds for a million characters. */
const MOST = 20_000;

/**
 * Text of a memory. Markdown is rendered and can be shown as source; HTML in it is never interpreted, and its text direction
 * does not affect the page.
 */
export function StoredText({ text: stored }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  const [isRaw, setRaw] = useState(false);
  const isCut = stored.length > MOST && !isWhole;
  const isMarkdown = stored.length <= MOST && looksLikeMarkdown(stored);
  const raw = (
    <div className="stored" dir="auto">
      {isCut ? stored.slice(0, MOST) : stored}
    </div>
  );
  return (
    <>
      {isMarkdown && !isRaw ? (
        <Suspense fallback={raw}>
          <Rendered text={stored} />
        </Suspense>
      ) : (
        raw
      )}
      {isMarkdown && (
        <UnstyledButton className="why-toggle" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
          {text.memory.asWritten}
        </UnstyledButton>
      )}
      {isCut && (
        <p className="lead">
          {text.memory.long(number(stored.length))}{" "}
          <Button size="compact-xs" variant="default" onClick={() => setWhole(true)}>
            {text.common.more}
          </Button>
        </p>
      )}
    </>
  );
}

/** Signs by which people write Markdown: a heading, a list, a fence, code or strong words. */
const LINE_SIGNS = ["# ", "## ", "### ", "- ", "* ", "1. ", "```", "> "] as const;

/** Whether a text is worth to be drawn as Markdown: at least one line or word of it is marked so. */
export function looksLikeMarkdown(text: string): boolean {
  const lines = text.split("\n", 400);
  if (lines.some((line) => LINE_SIGNS.some((sign) => line.trimStart().startsWith(sign)))) return true;
  return hasPair(text, "**") || hasPair(text, "`");
}

function hasPair(text: string, sign: string): boolean {
  const begins = text.indexOf(sign);
  return begins >= 0 && text.indexOf(sign, begins + sign.length + 1) > begins;
}
