import { SECRET_NAME } from "./names.ts";
import { VENDOR_FORMS } from "./vendors.ts";

/** One kind of credential that is recognised by its own form; a group named `keep` survives. */
export interface CredentialPattern {
  readonly category: string;
  readonly pattern: RegExp;
  /** Text without which the pattern matches nothing: looking for it costs a tenth. */
  readonly beginning?: string;
}

// After an escaped line end ("\nghp_…" inside JSON) a token begins too.
const START = String.raw`(?<=^|[^A-Za-z0-9]|\\[nrt])`;
const AWS_ID = "(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA|ANVA|ABIA|ACCA)[A-Z0-9]{16,}";
const FIELD = String.raw`[\w-]+(?:\.[\w-]+)*`;

// `sk-circle-fade-dot` is the name of a style, not a key.
const KEBAB_WORDS = String.raw`[a-z]{1,19}(?:-[a-z]{1,19}){1,12}(?![\w-])`;

const FORMS: readonly (readonly [category: string, form: string])[] = [
  ["aws", `(?<keep>${AWS_ID}[^A-Za-z0-9+/]{1,10})[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/])`],
  ["aws", AWS_ID],
  ["github", String.raw`gh[pousr]_\w{36,}`],
  ["github", String.raw`github_pat_\w{22,}`],
  ["gitlab", String.raw`gl(?:pat|dt|rt|ptt|cbt|oas|soat|ft|imt|agent)-[\w-]{20,}(?:\.[\w-]+)*`],
  ["slack", String.raw`xox(?:[bparse]|e\.xox[bp])-[\w-]{8,}`],
  ["slack", String.raw`xapp-[\w-]{8,}`],
  ["llm", String.raw`sk-(?!${KEBAB_WORDS})[\w-]{20,}`],
  ["llm", "(?:hf_[A-Za-z0-9]{30,}|gsk_[A-Za-z0-9]{40,})"],
  ["google", String.raw`(?:AIza[\w-]{35,}|GOCSPX-[\w-]{10,}|ya29\.${FIELD})`],
  ["stripe", "(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{16,})"],
  ["packages", String.raw`(?:npm_[A-Za-z0-9]{36,}|pypi-AgE[\w-]{8,}|dckr_pat_[\w-]{20,})`],
  ["other", String.raw`SG\.[\w-]{16,}\.[\w-]{16,}`], // SendGrid
  ["other", "(?:AC|SK)[0-9a-f]{32}(?![0-9A-Za-z])"], // Twilio
  ["other", "lin_(?:api|oauth)_[A-Za-z0-9]{16,}"], // Linear
  ["other", String.raw`AT[AC]TT[\w-]{16,}(?:=[0-9A-F]{8})?`], // Atlassian
  ["other", "key-[0-9a-zA-Z]{32}(?![0-9A-Za-z])"], // Mailgun
  ["other", "do[oprt]_v1_[0-9a-f]{32,}"], // DigitalOcean
  ["other", String.raw`[\w~.-]{3}\dQ~[\w~.-]{31,34}`], // Azure
  ["other", "[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}"], // Azure DevOps
  ["other", String.raw`(?:sbp_[0-9a-f]{40}|sb_secret_[\w-]{20,})`], // Supabase
  [
    "other",
    String.raw`(?:cht_[\w-]{16,}|hv[sb]\.[\w-]{20,}|shp(?:at|ss|ca|pa)_[0-9a-f]{32}|AGE-SECRET-KEY-1[A-Z0-9]{50,})`,
  ],
];

const AWS_SECRET_NAME = "(?:aws[-_ ]?)?secret[-_ ]?(?:access[-_ ]?)?key|aws[-_ ]?secret";
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

/** Vendors' tokens; each form is one fixed beginning and one class of characters, so a search is linear. */
export const CREDENTIAL_PATTERNS: readonly CredentialPattern[] = [
  // Runs of one class must not restart at each joint: "eyJ-eyJ-eyJ-…" would be read anew from every one.
  { category: "jwt", pattern: /(?<=^|[^\w-]|\\[nrt])eyJ[\w-]{5,}(?:\.[\w-]*){2,4}/g },
  ...FORMS.map(([category, form]) => ({ category, pattern: new RegExp(START + form, "g") })),
  ...VENDOR_FORMS.map(([category, beginning, form]) => ({
    category,
    beginning,
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
  { category: "key-value", pattern: new RegExp(`(?<keep>${SQL_PASSWORD})${NEW}[^'\\n]{1,200}(?=')`, "gi") },
  { category: "key-value", pattern: new RegExp(`(?<keep>${CURL_USER})${NEW}[^\\s"']{1,200}`, "gi") },
  { category: "key-value", pattern: new RegExp(`(?<keep>${XML_TAG})${NEW}[^<>]{1,4000}(?=</)`, "gi") },
];
