import { Button, Group } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { updateMemory } from "../api/changes.ts";
import { answer, chest } from "../api/client.ts";
import { text } from "../i18n/index.ts";
import { useChange } from "./use-change.ts";

export type Verdict = "useful" | "wrong";

/** Says that a memory was of use, or that it is wrong; both can be taken back. */
export function useVerdict() {
  const { change, isPending, undo } = useChange();
  const judge = (id: number, verdict: Verdict) =>
    change({
      async run() {
        const { memory } = await answer(chest.GET("/api/memories/{id}", { params: { path: { id } } }));
        await updateMemory({ memory_id: id, verdict });
        return memory.confidence;
      },
      message: verdict === "useful" ? text.verdict.usefulDone : text.verdict.wrongDone,
      undo: (confidence) =>
        updateMemory({
          memory_id: id,
          confidence,
          reason: text.common.undo,
          ...(verdict === "useful" && { verdict: "withdrawn" as const }),
        }),
    });
  return { judge, isPending, undo };
}

/** The two verdicts as buttons. */
export function VerdictButtons({ id }: { readonly id: number }) {
  const { judge, isPending } = useVerdict();
  return (
    <Group gap={4} className="verdict" wrap="nowrap">
      {(["useful", "wrong"] as const).map((verdict) => (
        <Button
          key={verdict}
          size="compact-xs"
          variant="subtle"
          color="gray"
          disabled={isPending}
          onClick={() => judge(id, verdict)}
        >
          {text.verdict[verdict]}
        </Button>
      ))}
    </Group>
  );
}

const ROW = "[data-memory]";

/**
 * Handles keys in a list of rows with memory ids: `j` and `k` move the focus, `y` and `n` judge the focused memory, `u`
 * reverts the last verdict.
 */
export function useVerdictKeys(mayJudge: boolean) {
  const { judge, undo } = useVerdict();
  const focused = () => document.activeElement?.closest<HTMLElement>(ROW);
  const move = (by: 1 | -1) => {
    const rows = [...document.querySelectorAll<HTMLElement>(ROW)];
    const now = focused();
    const at = now ? rows.indexOf(now) : -1;
    rows[Math.max(0, Math.min(rows.length - 1, at + by))]?.querySelector("a")?.focus();
  };
  const give = (verdict: Verdict) => {
    const id = focused()?.dataset.memory;
    if (mayJudge && id !== undefined) judge(Number(id), verdict);
  };
  useHotkeys([
    ["j", () => move(1)],
    ["k", () => move(-1)],
    ["y", () => give("useful")],
    ["n", () => give("wrong")],
    ["u", undo],
  ]);
}
