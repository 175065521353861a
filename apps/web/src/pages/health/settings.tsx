import { Code, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../../api/queries.ts";
import { number, text } from "../../i18n/index.ts";
import { nameOf } from "../../parts/memory-bits.tsx";
import { Answer } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";

/** Settings, to be read: each with the variable that sets it. */
export function Settings() {
  const query = useQuery(queries.host());
  const { data: known } = useQuery(queries.capabilities());
  const { data: gaps } = useQuery(queries.gaps());
  return (
    <section>
      <Title order={2} mt="xl" mb="xs">
        {text.settings.title}
      </Title>
      <p className="lead">{text.settings.lead}</p>
      <Answer of={query}>
        {({ config, maintenance, sign_in: signIn }) => {
          const flag = (is: boolean) => (is ? text.settings.on : text.settings.off);
          const rows: readonly (readonly [string, string])[] = [
            ["CHEST_BIND_HOST", config.bind_host ?? ""],
            ["CHEST_PUBLIC_URL", signIn?.public_url ?? text.common.none],
            ["CHEST_TRUST_PROXY", number(config.trust_proxy_hops)],
            ["CHEST_BACKUP_INTERVAL_HOURS", number(config.backup_interval_hours)],
            ["CHEST_EMBED_MODEL", config.model ?? text.common.none],
            ["CHEST_AUTO_MAINTENANCE", flag(maintenance?.is_on ?? false)],
            ["CHEST_MAINTENANCE_INTERVAL_SEC", number(maintenance?.interval_s ?? 0)],
            ["CHEST_OIDC_ISSUER", signIn?.sso?.issuer ?? text.common.none],
            ...(known ? [["CHEST_MAX_CONTENT_CHARS", number(known.limits.content_chars)] as const] : []),
            ...(gaps ? [["CHEST_KEEP_GAPS", gaps.is_kept ? text.settings.kept : text.settings.off] as const] : []),
          ];
          return (
            <Table heads={[text.settings.setting, text.settings.value]}>
              {rows.map(([variable, value]) => (
                <tr key={variable}>
                  <td>
                    {nameOf(text.settings.meanings, variable)} <Code className="block fit">{variable}</Code>
                  </td>
                  <td className="break">{value}</td>
                </tr>
              ))}
            </Table>
          );
        }}
      </Answer>
    </section>
  );
}
