import { SECRET_NAME } from "./names.ts";
import { VENDOR_FORMS, type VendorForm } from "./vendors.ts";

/** A kind of credential with a recognisable form; a group named `keep` is preserved. */
export interface CredentialPattern {
  readonly category: string;
  readonly pattern: RegExp;
  /** Substrings one of which is in every match: searching for them first takes a tenth of the time. */
  readonly marks?: readonly string[];
}

// A token may also follow an escaped line end, such as "\nghp_…" inside JSON.
const START = String.raw`(?<=^|[^A-Za-z0-9]|\\[nrt])`;
const AWS_IDS = ["AKIA", "ASIA", "AGPA", "AIDA", "AROA", "ANPA", "ANVA", "ABIA", "ACCA"];
const AWS_ID = `(?:${AWS_IDS.join("|")})[A-Z0-9]{16,}`;
const FIELD = String.raw`[\w-]+(?:\.[\w-]+)*`;

// Excludes `sk-circle-fade-dot`, the name of a style.
const KEBAB_WORDS = String.raw`[a-z]{1,19}(?:-[a-z]{1,19}){1,12}(?![\w-])`;

const FORMS: readonly VendorForm[] = [
  ["aws", AWS_IDS, `(?<keep>${AWS_ID}[^A-Za-z0-9+/]{1,10})[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/])`],
  ["aws", AWS_IDS, AWS_ID],
  ["github", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], String.raw`gh[pousr]_\w{36,}`],
  ["github", ["github_pat_"], String.raw`github_pat_\w{22,}`],
  ["gitlab", ["gl"], String.raw`gl(?:pat|dt|rt|ptt|cbt|oas|soat|ft|imt|agent)-[\w-]{20,}(?:\.[\w-]+)*`],
  ["slack", ["xox"], String.raw`xox(?:[bparse]|e\.xox[bp])-[\w-]{8,}`],
  ["slack", ["xapp-"], String.raw`xapp-[\w-]{8,}`],
  ["llm", ["sk-"], String.raw`sk-(?!${KEBAB_WORDS})[\w-]{20,}`],
  ["llm", ["hf_", "gsk_"], "(?:hf_[A-Za-z0-9]{30,}|gsk_[A-Za-z0-9]{40,})"],
  ["google", ["AIza", "GOCSPX-", "ya29."], String.raw`(?:AIza[\w-]{35,}|GOCSPX-[\w-]{10,}|ya29\.${FIELD})`],
  ["stripe", ["k_live_", "k_test_", "whsec_"], "(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{16,})"],
  [
    "packages",
    ["npm_", "pypi-AgE", "dckr_pat_"],
    String.raw`(?:npm_[A-Za-z0-9]{36,}|pypi-AgE[\w-]{8,}|dckr_pat_[\w-]{20,})`,
  ],
  ["other", ["SG."], String.raw`SG\.[\w-]{16,}\.[\w-]{16,}`], // SendGrid
  ["other", ["AC", "SK"], "(?:AC|SK)[0-9a-f]{32}(?![0-9A-Za-z])"], // Twilio
  ["other", ["lin_api_", "lin_oauth_"], "lin_(?:api|oauth)_[A-Za-z0-9]{16,}"], // Linear
  ["other", ["ATATT", "ATCTT"], String.raw`AT[AC]TT[\w-]{16,}(?:=[0-9A-F]{8})?`], // Atlassian
  ["other", ["key-"], "key-[0-9a-zA-Z]{32}(?![0-9A-Za-z])"], // Mailgun
  ["other", ["_v1_"], "do[oprt]_v1_[0-9a-f]{32,}"], // DigitalOcean
  ["other", ["Q~"], String.raw`[\w~.-]{3}\dQ~[\w~.-]{31,34}`], // Azure
  ["other", ["AZDO"], "[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}"], // Azure DevOps
  ["other", ["sbp_", "sb_secret_"], String.raw`(?:sbp_[0-9a-f]{40}|sb_secret_[\w-]{20,})`], // Supabase
  [
    "other",
    ["cht_", "hvs.", "hvb.", "shpat_", "shpss_", "shpca_", "shppa_", "AGE-SECRET-KEY-1"],
    String.raw`(?:cht_[\w-]{16,}|hv[sb]\.[\w-]{20,}|shp(?:at|ss|ca|pa)_[0-9a-f]{32}|AGE-SECRET-KEY-1[A-Z0-9]{50,})`,
  ],
];

const AWS_SECRET_NAME = "(?:aws[-_ ]?)?secret[-_ ]?(?:access[-_ ]?)?key|aws[-_ ]?secret";
// `SECRET_KEY_BASE 3f9c…`: a name and a value side by side, as tables and command lines print them.
const SECRET_VARIABLE = String.raw`(?<![\w$.-])(?:[A-Z0-9]{1,20}_){0,6}(?:SECRET|TOKEN|PASSWORD|PASSPHRASE|(?:API|ACCESS|PRIVATE|AUTH|ENCRYPTION|SIGNING|MASTER|HMAC|JWT|SESSION)_KEY)(?:_[A-Z0-9]{1,20}){0,4}[ \t]{1,20}(?:is[ \t])?`;
const WEBHOOKS = [
  String.raw`hooks\.slack\.com\/(?:services|workflows|triggers)\/`,
  String.raw`discord(?:app)?\.com\/api\/webhooks\/`,
  String.raw`hooks\.zapier\.com\/hooks\/(?:catch|standard)\/`,
  String.raw`(?:webhook\.office|outlook\.office(?:365)?)\.com\/webhook(?:b2)?\/`,
  String.raw`hook\.(?:[a-z]{2}\d\.)?make\.com\/`,
].join("|");
const SQL_PASSWORD = String.raw`\b(?:(?:with|encrypted|set)\s{1,5}password|identified\s{1,5}by)\s{1,5}'`;
const CURL_USER = String.raw`\bcurl\b[^\n|;]{0,300}?\s(?:-u|--user)[ =]?["']?[\w.@+-]{1,100}:`;
const XML_TAG = String.raw`<(?:[\w.:-]{0,60}[_.:-])?${SECRET_NAME}>`;
const NEW = String.raw`(?!\[REDACTED\]|\$\{)`;

/** Tokens of vendors. Each form is a fixed prefix and one class of characters, so a search is linear. */
export const CREDENTIAL_PATTERNS: readonly CredentialPattern[] = [
  // Runs of one class must not restart at each separator: "eyJ-eyJ-eyJ-…" would be scanned again from each one.
  { category: "jwt", pattern: /(?<=^|[^\w-]|\\[nrt])eyJ[\w-]{5,}(?:\.[\w-]*){2,4}/g },
  ...[...FORMS, ...VENDOR_FORMS].map(([category, marks, form]) => ({
    category,
    marks,
    pattern: new RegExp(START + form, "g"),
  })),
  {
    category: "aws",
    pattern: new RegExp(
      `(?<keep>(?:${AWS_SECRET_NAME})[^A-Za-z0-9+/\\n]{1,20})[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/])`,
      "gi",
    ),
  },
  { category: "webhook", pattern: new RegExp(`(?<keep>${WEBHOOKS})[\\w/@-]+`, "gi") },
  {
    category: "header",
    pattern: new RegExp(`(?<keep>${START}bearer[ \\t]{1,5})(?=[A-Za-z_./~-]{0,60}[0-9+=])[\\w.~+/-]{16,}={0,2}`, "gi"),
  },
  {
    category: "key-value",
    // The name is looked for behind the value, which is rare.
    pattern: new RegExp(`(?<![0-9A-Za-z])[0-9a-f]{32,128}(?![0-9A-Za-z])(?<=${SECRET_VARIABLE}[0-9a-f]{32,128})`, "g"),
  },
  { category: "key-value", pattern: new RegExp(`(?<keep>${SQL_PASSWORD})${NEW}[^'\\n]{1,200}(?=')`, "gi") },
  { category: "key-value", pattern: new RegExp(`(?<keep>${CURL_USER})${NEW}[^\\s"']{1,200}`, "gi") },
  { category: "key-value", pattern: new RegExp(`(?<keep>${XML_TAG})${NEW}[^<>]{1,4000}(?=</)`, "gi") },
];

const UP_TO = String.raw`[^\n|;&]{0,300}?[ \t]`;
const MYSQL = String.raw`\b(?:mysql(?:dump|admin|import|sh|show|check|pump)?|mariadb(?:-(?:dump|admin|import))?)\b`;
const SSHPASS = String.raw`\bsshpass(?:[ \t]{1,5}-(?:[evV]|P[ \t]?[^\s-]{1,60})){0,4}[ \t]{1,5}-p[ \t]{0,5}["']?`;
const REDIS = String.raw`\bredis-cli\b${UP_TO}(?:-a|--pass)[ \t]{1,5}["']?`;
const NO_PLACEHOLDER = String.raw`(?!\[REDACTED\]|[$<{%*])`;
const VALUE = String.raw`[^\s"'\x60\\|;&]{3,200}`;
// In `docker run mysql -p3306:3306` the flag `-p` publishes a port and holds no password.
const NO_PORT = String.raw`(?!(?:[\d.]{1,15}:){0,2}\d{1,5}(?:\/[a-z]{3})?(?![^\s"'\x60\\]))`;
// Programs that may follow a password. In "redis-cli -a prints a warning" the word after the flag is no password,
// because prose follows.
const RUN = "ssh|scp|sftp|rsync|ansible|ping|get|set|info|keys|scan|monitor|auth|config|client|dbsize|flush";
const MEANT = String.raw`(?=[^\s"'\x60\\|;&]*[^A-Za-z\s"'\x60\\|;&.,:!?)]|[A-Za-z]{3,200}(?:["'\x60\\|;&]|[ \t]*(?:\n|$)|[ \t]{1,5}(?:-|[A-Z]{3}|(?:${RUN})\w{0,10}\b)))`;

/** Passwords in command lines, behind a flag whose name does not mention them. */
export const COMMAND_PATTERNS: readonly CredentialPattern[] = [
  `(?<keep>${MYSQL}${UP_TO}-p["']?)${NO_PLACEHOLDER}${NO_PORT}${VALUE}`,
  `(?<keep>${SSHPASS})${NO_PLACEHOLDER}${MEANT}${VALUE}`,
  `(?<keep>${REDIS})${NO_PLACEHOLDER}${MEANT}${VALUE}`,
].map((form) => ({ category: "key-value", pattern: new RegExp(form, "g") }));
