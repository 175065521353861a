import { randomCharacters } from "./secret-random.ts";

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const HEX = "0123456789abcdef";
const ALNUM = LOWER + LOWER.toUpperCase() + DIGITS;
const CAPITAL = LOWER.toUpperCase() + DIGITS;
const BASE64 = `${ALNUM}+/`;
const URL64 = `${ALNUM}_-`;
/** Nothing here was ever a credential: each is put together when it runs. */
const any = randomCharacters(20261128);
const uuid = () => [8, 4, 4, 4, 12].map((part) => any(part, HEX)).join("-");

/** Secrets of vendors whose tokens have a form of their own, beside the best known ones. */
export const MORE_VENDORS: readonly (readonly [kind: string, token: () => string])[] = [
  ["xai", () => `xa${"i-"}${any(80)}`],
  ["perplexity", () => `pp${"lx-"}${any(48)}`],
  ["replicate", () => `r${"8_"}${any(37)}`],
  ["notion", () => `nt${"n_"}${any(46)}`],
  ["notion, old", () => `sec${"ret_"}${any(42)}7Q`],
  ["terraform cloud", () => `${any(14)}.atlas${"v1."}${any(67, URL64)}`],
  ["figma", () => `fi${"gd_"}${any(40, URL64)}`],
  ["databricks", () => `da${"pi"}${any(32, HEX)}`],
  ["databricks, numbered", () => `da${"pi"}${any(32, HEX)}-2`],
  ["grafana", () => `gl${"sa_"}${any(32)}_${any(8, HEX)}`],
  ["grafana cloud", () => `gl${"c_"}${any(120, BASE64)}==`],
  ["new relic", () => `NR${"AK-"}${any(27, CAPITAL)}`],
  ["new relic licence", () => `${any(36, HEX)}${"NR"}AL`],
  ["doppler", () => `d${"p.pt."}${any(43)}`],
  ["doppler, of a service", () => `d${"p.st."}dev.${any(43)}`],
  ["fly", () => `fo${"1_"}${any(43, URL64)}`],
  ["fly, macaroon", () => `fm${"2_"}${any(160, BASE64)}`],
  ["postman", () => `PM${"AK-"}${any(24, HEX)}-${any(34, HEX)}`],
  ["pulumi", () => `pu${"l-"}${any(40, HEX)}`],
  ["airtable", () => `pa${"t"}${any(14)}.${any(64, HEX)}`],
  ["hubspot", () => `pa${"t-na1-"}${uuid()}`],
  ["hubspot, eu", () => `pa${"t-eu1-"}${uuid()}`],
  ["mailchimp", () => `${any(32, HEX)}-${"us"}21`],
  ["square", () => `sq${"0atp-"}${any(22, URL64)}`],
  ["square, production", () => `EA${"AA"}l7${any(58, URL64)}`],
  ["planetscale", () => `psca${"le_tkn_"}${any(43, URL64)}`],
  ["planetscale password", () => `psca${"le_pw_"}${any(43, URL64)}`],
  ["tailscale", () => `tsk${"ey-auth-"}${any(11)}CNTRL-${any(32)}`],
  ["tailscale api", () => `tsk${"ey-api-"}${any(11)}CNTRL-${any(33)}`],
  ["cerebras", () => `cs${"k-"}${any(48, LOWER + DIGITS)}`],
  ["fireworks", () => `f${"w_"}3Z${any(22)}`],
  ["pinecone", () => `pc${"sk_"}${any(6)}_${any(63)}`],
  ["langsmith", () => `ls${"v2_pt_"}${any(32, HEX)}_${any(10, HEX)}`],
  ["e2b", () => `e2${"b_"}${any(40, HEX)}`],
  ["neon", () => `na${"pi_"}${any(64, LOWER + DIGITS)}`],
  ["neon password", () => `np${"g_"}4K${any(12)}`],
  ["resend", () => `r${"e_"}7${any(7)}_${any(24)}`],
  ["posthog", () => `ph${"x_"}5${any(43)}`],
  ["rubygems", () => `rub${"ygems_"}${any(48, HEX)}`],
  ["crates", () => `ci${"o"}5K${any(30)}`],
  ["circleci", () => `CCI${"PAT_"}${any(22)}_${any(40, HEX)}`],
  ["circleci, of a project", () => `CCI${"PRJ_"}${any(22)}_${any(40, HEX)}`],
  ["heroku", () => `HR${"KU-AA"}${any(58, URL64)}`],
  ["netlify", () => `nf${"p_"}${any(36)}`],
  ["render", () => `rn${"d_"}6${any(31)}`],
  ["google refresh", () => `1/${"/0"}g${any(60, URL64)}`],
  ["bedrock", () => `AB${"SK"}${any(128, BASE64)}`],
  ["dropbox", () => `s${"l."}u.${any(140, URL64)}`],
  ["dropbox, short", () => `s${"l."}${any(136, URL64)}`],
  ["cloudflare ca", () => `v1${".0-"}${any(24, HEX)}-${any(146, HEX)}`],
  ["cloudflare token", () => `cf${"ut_"}${any(40)}${any(8, HEX)}`],
  ["artifactory", () => `AK${"Cp8"}${any(68)}`],
  ["artifactory reference", () => `cmVm${"dGtu"}${any(56)}`],
  ["buildkite", () => `bk${"ua_"}${any(40, LOWER + DIGITS)}`],
  ["sonar", () => `sq${"p_"}${any(40, HEX)}`],
  ["sonar, of a user", () => `sq${"u_"}${any(40, HEX)}`],
  ["typeform", () => `tf${"p_"}8${any(43)}_${any(14)}`],
  ["sentry", () => `snt${"ryu_"}${any(64, HEX)}`],
  ["sentry, of an organization", () => `snt${"rys_"}${any(90, BASE64)}_${any(43, BASE64)}`],
  ["sourcegraph", () => `sg${"p_"}${any(40, HEX)}`],
  ["dynatrace", () => `dt0${"c01."}${any(24, CAPITAL)}.${any(64, CAPITAL)}`],
  ["brevo", () => `xkey${"sib-"}${any(64, HEX)}-${any(16)}`],
  ["nvidia", () => `nv${"api-"}4${any(63, URL64)}`],
  ["weights and biases", () => `wan${"db_v1_"}4${any(26)}_${any(49)}`],
  ["tavily", () => `tv${"ly-"}dev-4${any(31)}`],
  ["docker organization", () => `dck${"r_oat_"}${any(32, URL64)}`],
  ["contentful", () => `CF${"PAT-"}4${any(42, URL64)}`],
  ["apify", () => `api${"fy_api_"}4${any(35)}`],
  ["1password service", () => `op${"s_ey"}J${any(250, URL64)}`],
  ["axiom", () => `xa${"at-"}${uuid()}`],
  ["plaid", () => `acc${"ess-production-"}${uuid()}`],
  ["telegram bot", () => `1${any(9, DIGITS)}${":A"}A${any(33)}`],
  ["mapbox", () => `s${"k.ey"}J${any(80, URL64)}.${any(22, URL64)}`],
  ["prefect", () => `pn${"u_"}${any(36)}`],
  ["readme", () => `rd${"me_"}${any(70, LOWER + DIGITS)}`],
  ["elevenlabs", () => `s${"k_"}${any(48, HEX)}`],
];

/** Addresses of hooks: who knows one may post there. */
export const HOOKS: readonly (readonly [kind: string, make: () => string, around: (secret: string) => string])[] = [
  ["zapier hook", () => `${any(8, DIGITS)}/${any(7)}`, (s) => `post to https://hooks.zapier.com/hooks/catch/${s}/`],
  [
    "teams hook",
    () => `${uuid()}@${uuid()}/IncomingWebhook/${any(32, HEX)}/${uuid()}`,
    (s) => `the alert goes to https://acme.webhook.office.com/webhookb2/${s} now`,
  ],
  [
    "teams hook, old",
    () => `${uuid()}@${uuid()}/IncomingWebhook/${any(32, HEX)}/${uuid()}`,
    (s) => `https://outlook.office.com/webhook/${s}`,
  ],
  [
    "teams workflow",
    () => any(43, URL64),
    (s) =>
      `https://prod-1.westus.logic.azure.com:443/workflows/${any(32, HEX)}/triggers/manual/paths/invoke?sv=1.0&sig=${s}`,
  ],
];
