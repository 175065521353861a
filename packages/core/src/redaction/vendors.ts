/** A vendor's token: category, substrings to search first, and the whole form. */
export type VendorForm = readonly [category: string, marks: readonly string[], form: string];

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const HEX = (length: number) => `[0-9a-f]{${length}}(?![0-9A-Za-z])`;
// Requires a free-standing prefix: short prefixes occur inside base64 and at the end of names.
const BY_ITSELF = "(?<![_-])";
const ALONE = "(?<![+/=])";
// Requires a digit: names are words joined by underscores, but generated tokens contain digits.
const WITH_DIGIT = String.raw`(?=[A-Za-z_-]{0,60}\d)`;
const END = String.raw`(?![\w+/=])`;

const all = (category: string, rest: string, ...beginnings: string[]): VendorForm => [
  category,
  beginnings,
  `(?:${beginnings.map((beginning) => beginning.replaceAll(".", "\\.")).join("|")})${rest}`,
];

const letters = (least: number) => `[A-Za-z0-9]{${least},}`;
const words = (least: number) => `[\\w-]{${least},}`;
const mixed = (least: number) => `${WITH_DIGIT}[\\w-]{${least},}`;
/** Requires a digit and a capital: names with a year or a version have the digit alone. */
const varied = (least: number) => `${WITH_DIGIT}(?=[a-z0-9_-]{0,60}[A-Z])[\\w-]{${least},}`;
const base64 = (least: number) => `[A-Za-z0-9+/]{${least},}={0,3}`;

/** Tokens of language models, inference and vector stores. */
const MODELS: readonly VendorForm[] = [
  all("llm", mixed(30), "xai-", "pcsk_", "nvapi-", "jina_", "tgp_v1_", "wandb_v1_", "crsr_", "sk_e2b_"),
  all("llm", mixed(20), "tvly-", "csk-"),
  all("llm", letters(32), "pplx-", "r8_"),
  ["llm", ["fw_"], `${BY_ITSELF}fw_${WITH_DIGIT}[A-Za-z0-9]{20,}`],
  all("llm", `[0-9a-f]{32,}(?:_[0-9a-f]{8,})?`, "e2b_", "lsv2_pt_", "lsv2_sk_", "ls__", "sk_e2b_", "fc-"),
  all("llm", letters(30), "api_org_"),
  all("llm", `[0-9a-f]{48}(?![0-9A-Za-z])`, "sk_"),
  ["llm", ["ABSK"], `${ALONE}ABSK[A-Za-z0-9+/]{60,}={0,2}`],
  all("llm", base64(40), "bedrock-api-key-"),
  ["llm", ["pa-"], String.raw`pa-(?=[a-z0-9_-]{0,42}[A-Z])${WITH_DIGIT}[\w-]{43}(?![\w-])`],
  all("llm", varied(36), "llx-", "nk-", "rpa_", "esecret_", "bb_live_", "AQ.A"),
];

/** Tokens of hosts, clouds, databases and networks. */
const HOSTS: readonly VendorForm[] = [
  ["cloud", [".atlasv1."], String.raw`[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{40,}`],
  all("cloud", `[0-9a-h]{32}(?:-\\d{1,2})?(?![0-9A-Za-z])`, "dapi", "dose", "dkea", "dsapi"),
  ["cloud", ["dp."], String.raw`dp\.(?:pt|st|ct|sa|said|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{32,}`],
  all("cloud", mixed(32), "fo1_"),
  all("cloud", base64(60), "fm1a_", "fm1r_", "fm2_"),
  all("cloud", HEX(40), "pul-"),
  all("cloud", `[\\w.=-]{32,}`, "pscale_tkn_", "pscale_pw_", "pscale_oauth_", "pscale_app_"),
  ["cloud", ["tskey-"], "tskey-(?:[a-z]{2,12}-)?[A-Za-z0-9]{8,}-[A-Za-z0-9]{16,}"],
  all("cloud", letters(40), "napi_", "cfk_", "cfut_", "cfat_"),
  ["cloud", ["npg_"], `npg_${WITH_DIGIT}[A-Za-z0-9]{12,}`],
  ["cloud", ["HRKU-"], String.raw`HRKU-[\w-]{30,}`],
  all("cloud", letters(32), "nfp_", "nfc_", "nfo_", "nfb_", "nfu_"),
  ["cloud", ["rnd_"], `${BY_ITSELF}rnd_${WITH_DIGIT}[A-Za-z0-9]{20,}`],
  ["cloud", ["v1.0-"], String.raw`v1\.0-[0-9a-f]{20,}-[0-9a-f]{100,}`],
  ["cloud", ["LTAI"], "LTAI(?=[A-Za-z]{0,20}[0-9])[A-Za-z0-9]{20}(?![0-9A-Za-z])"],
  ["cloud", ["sha256~"], String.raw`sha256~[\w-]{43}`],
  ["cloud", ["vercel_blob_rw_"], String.raw`vercel_blob_rw_\w{20,}`],
  all("cloud", letters(24), "vcp_", "vck_", "vci_", "vca_", "vcr_"),
  ["cloud", ["SCW"], `SCW${WITH_DIGIT}[A-Z0-9]{17}(?![0-9A-Za-z])`],
  ["cloud", ["CCDB1_"], String.raw`CCDB1_\w{22}_\w{40}`],
  ["cloud", ["AKID"], `AKID${WITH_DIGIT}[A-Za-z0-9]{32}(?![0-9A-Za-z])`],
  ["cloud", ["akab-"], "akab-[a-z0-9]{16}-[a-z0-9]{16}(?![0-9a-z-])"],
  ["cloud", ["tk-"], String.raw`tk-[a-z]{2}-${WITH_DIGIT}[\w-]{48}(?![\w-])`],
  all("cloud", letters(36), "ddp_", "ddo_", "ddw_", "xau_"),
  all("cloud", varied(24), "mdb_sa_sk_", "essu_"),
  ["google", ["AAAA"], String.raw`AAAA[\w-]{7}:[\w-]{140}(?![\w-])`],
  ["google", ["1//0"], String.raw`(?<![/.:])1\/\/0[\w-]{30,}`],
];

/** Tokens of monitoring, metrics and testing services. */
const WATCHERS: readonly VendorForm[] = [
  ["monitoring", ["glsa_"], String.raw`glsa_\w{32,}`],
  all("monitoring", base64(32), "glc_", "eyJrIjoi"),
  all("monitoring", mixed(19), "NRAK-", "NRII-", "NRIQ-", "NRJS-", "NRRA-", "NRAA-", "NRSP-"),
  ["monitoring", ["NRAL"], "[0-9A-Za-z]{36}NRAL(?![0-9A-Za-z])"],
  all("monitoring", mixed(36), "phx_", "phs_", "phc_", "pha_", "phr_"),
  all("monitoring", HEX(64), "sntryu_", "sntrya_", "sntryi_", "rootly_"),
  ["monitoring", ["sntrys_"], String.raw`sntrys_[\w+/=-]{40,}`],
  ["monitoring", ["dt0"], String.raw`dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}`],
  ["monitoring", ["PMAK-"], "PMAK-[0-9A-Fa-f]{24}-[0-9A-Fa-f]{34}"],
  ["monitoring", ["PMAT-"], `PMAT-${WITH_DIGIT}[0-9A-Z]{26}`],
  all("monitoring", HEX(40), "sqp_", "sqa_", "squ_"),
  all("monitoring", letters(40), "sqco_"),
  all("monitoring", UUID, "xaat-", "xapt-", "xait-"),
  ["monitoring", ["hcaik_", "hcbik_", "hcxik_", "hcamk_", "hcalk_", "hcxmk_", "hcxlk_"], "hc[abx][a-z]k_[0-9a-z]{58}"],
  all("monitoring", UUID, "sdk-", "api-"),
  all("monitoring", mixed(32), "ddpat_", "ddap_", "ddapp_"),
  ["monitoring", ["snyk_"], String.raw`snyk_(?:uat|sat)\.[0-9a-f]{8}\.[\w.-]{40,}`],
  ["monitoring", ["u+"], String.raw`(?<![\w+])u\+${WITH_DIGIT}[\w-]{18}(?![\w-])`],
];

/** Tokens of build systems, code hosts and package registries. */
const BUILDERS: readonly VendorForm[] = [
  ["packages", ["rubygems_"], "rubygems_[0-9a-f]{40,}"],
  ["packages", ["cio"], "cio(?=[A-Za-z]{0,31}[0-9])(?=[a-z0-9]{0,31}[A-Z])[A-Za-z0-9]{32}(?![0-9A-Za-z])"],
  ["packages", ["cio_tp_"], `cio_tp_${WITH_DIGIT}[A-Za-z0-9]{20,}`],
  ["packages", ["dckr_oat_"], String.raw`dckr_oat_[\w-]{20,}`],
  ["packages", ["CLOJARS_"], "CLOJARS_[0-9A-Za-z]{60}"],
  ["packages", ["oy2"], "oy2[a-z0-9]{43}(?![0-9A-Za-z])"],
  ["packages", ["AKCp"], "AKCp[A-Za-z0-9]{60,}"],
  ["packages", ["cmVmdGtu"], `${ALONE}cmVmdGtu[A-Za-z0-9]{48,}${END}`],
  all("ci", `[0-9A-Za-z]{16,}_[0-9A-Fa-f]{40}`, "CCIPAT_", "CCIPRJ_"),
  all("ci", `[0-9A-Za-z]{32,}`, "bkua_", "bkaj_", "bkat_", "bkct_", "bkpt_", "bkrt_", "bkst_", "bkaa_"),
  all("ci", `[\\w-]{30,}`, "BBDC-", "ATBB"),
  ["ci", ["sgp_"], "sgp_(?:[0-9A-Fa-f]{16}_|local_)?[0-9A-Fa-f]{40}(?![0-9A-Za-z])"],
  all("ci", letters(36), "pnu_", "pnb_"),
  ["ci", ["ico-"], `ico-${WITH_DIGIT}[A-Za-z0-9]{32}(?![0-9A-Za-z-])`],
  ["ci", ["pat.", "sat."], String.raw`[ps]at\.[\w-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}(?![0-9A-Za-z])`],
  ["ci", ["v1."], String.raw`(?<![\w.])v1\.[0-9a-f]{40}(?![0-9A-Za-z])`],
  all("ci", `${WITH_DIGIT}[A-Za-z0-9]{20,}`, "tr_prod_", "tr_dev_"),
  all("ci", varied(24), "sktsec_"),
  all("ci", "[0-9a-f]{32,}(?![0-9A-Za-z])", "signkey-prod-", "signkey-test-"),
];

/** Tokens of office, shop and mail services. */
const OFFICE: readonly VendorForm[] = [
  all("other", letters(40), "ntn_", "ramp_sec_"),
  ["other", ["secret_"], "secret_(?=[A-Za-z]{0,42}[0-9])(?=[a-z0-9]{0,42}[A-Z])[A-Za-z0-9]{40,}"],
  all("other", mixed(36), "figd_", "figu_", "figo_", "figp_", "figr_", "CFPAT-", "apify_api_", "fio-u-", "tfp_"),
  ["other", ["pat"], String.raw`pat[A-Za-z0-9]{14}\.[0-9a-f]{40,}`],
  ["other", ["pat-"], `pat-[a-z]{2,4}\\d-${UUID}`],
  ["other", ["-us"], String.raw`[0-9a-f]{32}-us\d{1,2}(?![0-9A-Za-z])`],
  ["other", ["md-"], `md-${WITH_DIGIT}[\\w-]{22}(?![\\w-])`],
  all("other", words(22), "sq0atp-", "sq0csp-", "sq0idp-"),
  ["other", ["EAA"], `${ALONE}EAA[A-Za-z]${WITH_DIGIT}[\\w-]{60,}${END}`],
  ["other", ["re_"], `${BY_ITSELF}re_(?=[A-Za-z_]{0,34}[0-9])[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,}`],
  ["other", ["re_"], `${BY_ITSELF}re_(?=[A-Za-z]{0,40}[0-9])(?=[a-z0-9]{0,40}[A-Z])[A-Za-z0-9]{28,}`],
  ["other", ["sl."], String.raw`sl\.(?:u\.)?[\w-]{60,}`],
  ["other", ["xkeysib-"], "xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}"],
  ["other", ["xsmtpsib-"], "xsmtpsib-[0-9a-f]{64}-[A-Za-z0-9]{16}"],
  ["other", ["rdme_"], "rdme_[a-z0-9]{50,}"],
  ["other", ["p8e-"], "p8e-[A-Za-z0-9_-]{32}"],
  all("other", mixed(40), "shippo_live_", "shippo_test_", "duffel_live_", "duffel_test_"),
  all("other", letters(54), "EZAK", "EZTK"),
  ["other", ["FLWSECK"], "FLWSECK(?:_TEST)?-[0-9A-Za-z]{12,}(?:-X)?"],
  ["other", ["rzp_"], "rzp_(?:live|test)_[A-Za-z0-9]{14,}"],
  ["other", ["access-"], `access-(?:sandbox|development|production)-${UUID}`],
  ["other", ["ops_eyJ"], String.raw`ops_eyJ[\w+/=-]{60,}`],
  ["other", ["A3-"], "A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}"],
  ["other", ["sk.eyJ"], String.raw`sk\.eyJ[\w-]{40,}\.[\w-]{20,}`],
  ["other", ["/1"], String.raw`(?<![\w/])[0-2]\/1\d{12,18}(?:\/1\d{12,18})?:[0-9a-f]{32}(?![0-9A-Za-z])`],
  [
    "other",
    ["MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"],
    String.raw`(?:M[Tjz]|N[DTjz]|O[DT])[\w-]{22,26}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])`,
  ],
  ["other", ["ATTA"], "ATTA[0-9a-f]{64}[0-9A-F]{8}(?![0-9A-Za-z])"],
  [
    "other",
    ["live_", "test_"],
    `${BY_ITSELF}(?:live|test)_(?:[0-9a-f]{35}|(?=[A-Za-z]{0,29}\\d)(?=[a-z0-9]{0,29}[A-Z])[A-Za-z0-9]{30})(?![\\w-])`,
  ],
  ["other", ["pdl_"], String.raw`pdl_(?:live|sdbx)_apikey_\w{40,}`],
  all("other", varied(36), "secret-live-", "secret-test-", "sk_prod_", "sk_dev_", "cal_live_"),
  ["other", ["pk_"], String.raw`pk_\d{6,12}_[0-9A-Z]{32}(?![0-9A-Za-z])`],
  ["other", [":fx"], `${UUID}:fx(?![0-9A-Za-z])`],
  ["other", ["dG9rO"], `${ALONE}dG9rO[A-Za-z0-9+/]{45,}={0,2}${END}`],
  ["other", [":AA"], String.raw`\d{8,10}:AA[\w-]{33}(?![\w-])`],
];

/**
 * Tokens with a prefix that only one vendor uses; each form is linear, and is searched only where its prefix occurs.
 */
export const VENDOR_FORMS: readonly VendorForm[] = [...MODELS, ...HOSTS, ...WATCHERS, ...BUILDERS, ...OFFICE];
