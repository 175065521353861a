import { Button, Checkbox, NativeSelect, Select, Stack, TagsInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { answer, chest, PAGE_URL } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { number, text } from "../../i18n/index.ts";
import { CopyCode } from "../../parts/copy-code.tsx";
import { nameOf } from "../../parts/memory-bits.tsx";
import { refuse } from "../../parts/notify.tsx";
import type { Me } from "../../shell/destinations.ts";
import { Secret } from "./secret.tsx";

const SCOPES = ["read", "write", "operate", "admin"] as const;
const TERMS_DAYS = [30, 90, 365] as const;
const IN_DAYS = { style: "unit", unit: "day", unitDisplay: "long" } as const;

/** A secret that is shown once, and how an agent gets it. */
export const NewToken = ({ secret }: { readonly secret: string }) => (
  <>
    <p>{text.people.tokenMade}</p>
    <Secret value={secret} />
    <p className="lead">{text.people.tokenUse}</p>
    <CopyCode>{`chest-index setup --docker ${PAGE_URL.href.replace(/\/$/, "")} --token-file FILE`}</CopyCode>
  </>
);

/** Members of the machine and of the shared token: they have no tokens of their own. */
const BUILT_IN = ["local", "shared"];

interface TokenForm {
  readonly member: string | null;
  readonly label: string;
  readonly scopes: readonly (typeof SCOPES)[number][];
  readonly projects: readonly string[];
  readonly expires: string;
}

interface MakeTokenProps {
  readonly me: Me;
  /** Member that the token is for, where it is known already. */
  readonly member?: string;
}

/** Makes a token, and shows it once. */
export function MakeToken({ me, member: chosen }: MakeTokenProps) {
  const queryClient = useQueryClient();
  const isAdmin = me.scopes.includes("admin");
  const { data: known } = useQuery(queries.projects());
  const { data: people } = useQuery({ ...queries.members(), enabled: isAdmin });
  const form = useForm<TokenForm>({
    mode: "controlled",
    initialValues: {
      // The admin is not preselected: most tokens are for another member, who must be chosen.
      member: isAdmin ? (chosen ?? null) : me.member,
      label: "",
      scopes: (["read", "write"] as const).filter((scope) => me.scopes.includes(scope)),
      projects: [],
      expires: "90d",
    },
  });
  const make = useMutation({
    mutationFn({ member, scopes, expires, label, projects }: TokenForm) {
      const limit = projects.length === 0 ? {} : { projects: [...projects] };
      const body = { ...(isAdmin && member !== null && { member }), scopes: [...scopes], expires, label, ...limit };
      return answer(chest.POST("/api/tokens", { body }));
    },
    onError: (error) => refuse(form, error),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["people"] }),
  });
  if (make.data) {
    return (
      <Stack gap="sm">
        <NewToken secret={make.data.token} />
      </Stack>
    );
  }
  const { member, scopes, projects } = form.getValues();
  const names = people?.members.filter(({ name, status }) => status === "active" && !BUILT_IN.includes(name)) ?? [];
  return (
    <form onSubmit={form.onSubmit((values) => make.mutate(values))}>
      <Stack gap="sm">
        {isAdmin && (
          <Select
            label={text.people.of}
            data={names.map(({ name }) => name)}
            placeholder={text.people.choose}
            nothingFoundMessage={text.palette.nothing}
            searchable
            required
            {...form.getInputProps("member")}
          />
        )}
        <TextInput label={text.people.label} maxLength={100} {...form.getInputProps("label")} />
        <Checkbox.Group
          label={text.people.scopes}
          value={[...scopes]}
          error={form.errors.scopes}
          onChange={(chosen) =>
            form.setFieldValue(
              "scopes",
              SCOPES.filter((scope) => chosen.includes(scope)),
            )
          }
        >
          <Stack mt={6} gap={6}>
            {SCOPES.filter((scope) => me.scopes.includes(scope)).map((scope) => (
              <Checkbox key={scope} value={scope} label={scope} description={nameOf(text.people.scopeHints, scope)} />
            ))}
          </Stack>
        </Checkbox.Group>
        <TagsInput
          label={text.people.limit}
          description={text.people.limitHint}
          data={known?.projects.map(({ key }) => key) ?? []}
          value={[...projects]}
          error={form.errors.projects}
          onChange={(keys) => form.setFieldValue("projects", keys)}
        />
        <NativeSelect
          label={text.people.expires}
          {...form.getInputProps("expires")}
          data={[
            ...TERMS_DAYS.map((days) => ({ value: `${days}d`, label: number(days, IN_DAYS) })),
            { value: "never", label: text.people.forever },
          ]}
        />
        <Button type="submit" loading={make.isPending} disabled={scopes.length === 0 || member === null}>
          {text.people.makeToken}
        </Button>
      </Stack>
    </form>
  );
}
