import { Button } from "@mantine/core";
import { useState } from "react";
import { number, text } from "../../i18n/index.ts";

/** Longer text is drawn in part: a browser takes seconds for a million characters. */
const MOST = 20_000;

/** Text as it was stored: never read as markup, and kept from turning the direction of what is around it. */
export function StoredText({ text: stored }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  const isCut = stored.length > MOST && !isWhole;
  return (
    <>
      <div className="stored" dir="auto">
        {isCut ? stored.slice(0, MOST) : stored}
      </div>
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
