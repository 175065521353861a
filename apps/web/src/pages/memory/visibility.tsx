import { Button, Group, Radio, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { stillAs, updateMemory } from "../../api/changes.ts";
import { queries, type WholeMemory } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { nameOf } from "../../parts/memory-bits.tsx";
import { opennessOf } from "../../parts/project-names.tsx";
import { useChange } from "../../parts/use-change.ts";
import { type Visibility as Readers, readersOf, readVisibility, VISIBILITIES } from "../../parts/visibilities.ts";
import type { Me } from "../../shell/destinations.ts";

interface VisibilityProps {
  readonly memory: WholeMemory["memory"];
  readonly me: Me;
}

/** Shows who may read a memory; its author moves it anywhere, an admin to fewer readers. */
export function Visibility({ memory, me }: VisibilityProps) {
  const [isOpen, setOpen] = useState(false);
  const { change, isPending } = useChange();
  const now = readVisibility(memory.visibility);
  const [chosen, setChosen] = useState<Readers>(now);
  const isAuthor = memory.author === me.member;
  const reachable = VISIBILITIES.filter(
    (each) =>
      (each !== "project" || memory.project !== undefined) &&
      (isAuthor || VISIBILITIES.indexOf(each) <= VISIBILITIES.indexOf(now)),
  );
  const canChange =
    memory.state === "live" &&
    me.scopes.includes("write") &&
    (isAuthor || me.scopes.includes("admin")) &&
    reachable.length > 1;
  const save = () => {
    setOpen(false);
    change({
      run: () => updateMemory({ memory_id: memory.id, visibility: chosen, expected_version: memory.version }),
      message: text.memory.visibleNow(nameOf(text.memory.visibilities, chosen)),
      // Only its author raises what an admin has lowered.
      ...(isAuthor
        ? {
            undo: async () => updateMemory({ ...(await stillAs(memory.id, { visibility: chosen })), visibility: now }),
          }
        : {}),
    });
  };
  return (
    <Group gap="xs">
      {readersOf(memory, me.member)}
      {canChange && (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => {
            setChosen(now);
            setOpen(true);
          }}
          loading={isPending}
          aria-label={`${text.common.change}: ${text.memory.changeVisibility}`}
        >
          {text.common.change}
        </Button>
      )}
      <Who visibility={now} project={memory.project} />
      <Dialog title={text.memory.changeVisibility} isOpen={isOpen} close={() => setOpen(false)}>
        <Stack>
          <Radio.Group
            aria-label={text.memory.changeVisibility}
            value={chosen}
            onChange={(value) => setChosen(readVisibility(value))}
          >
            <Stack gap="xs">
              {reachable.map((each) => (
                <Radio
                  key={each}
                  value={each}
                  label={nameOf(text.memory.visibilities, each)}
                  description={nameOf(text.memory.visibilityHints, each)}
                />
              ))}
            </Stack>
          </Radio.Group>
          <Group justify="end">
            <Button variant="default" onClick={() => setOpen(false)}>
              {text.common.cancel}
            </Button>
            <Button onClick={save} disabled={chosen === now}>
              {text.common.save}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </Group>
  );
}

/** Says who that is: a closed project names its members. */
function Who({ visibility, project: key }: { readonly visibility: Readers; readonly project: string | undefined }) {
  const { data } = useQuery(queries.projects());
  const project = visibility === "project" ? data?.projects.find((each) => each.key === key) : undefined;
  return (
    <span className="meta">
      {project?.access === "members" ? opennessOf(project) : nameOf(text.memory.visibilityHints, visibility)}
    </span>
  );
}
