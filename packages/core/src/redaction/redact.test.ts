import { describe, expect, it } from "vitest";
import { redact, redactCounted } from "./redact.ts";

const R = "[REDACTED]";
const a = (length: number) => "a".repeat(length);
const word = `hunter${2}`;
const pem = (kind: string, lineEnd = "\n") =>
  [`-----BEGIN ${kind}-----`, `MIIE${a(60)}`, `${a(30)}==`, `-----END ${kind}-----`].join(lineEnd);

const TOKENS: readonly (readonly [category: string, token: string])[] = [
  ...["AKIA", "ASIA", "AGPA", "AIDA", "AROA", "ANPA", "ANVA", "ABIA", "ACCA"].map(
    (id) => ["aws", id + "A7".repeat(8)] as const,
  ),
  ...["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map((prefix) => ["github", prefix + a(36)] as const),
  ["github", `github_pat_${a(22)}`],
  ...["glpat-", "gldt-", "glrt-", "glptt-", "glcbt-"].map((prefix) => ["gitlab", prefix + a(20)] as const),
  ...["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xapp-"].map(
    (prefix) => ["slack", `${prefix}1-${a(20)}`] as const,
  ),
  ...["sk-", "sk-ant-", "sk-proj-", "sk-svcacct-", "sk-ant-api03-"].map((prefix) => ["llm", prefix + a(20)] as const),
  ["llm", `hf_${a(30)}`],
  ["google", `AIza${a(35)}`],
  ["google", `GOCSPX-${a(28)}`],
  ["google", `ya29.${a(40)}`],
  ...["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"].map((prefix) => ["stripe", prefix + a(24)] as const),
  ["packages", `npm_${a(36)}`],
  ["packages", `pypi-AgE${a(40)}`],
  ["jwt", `eyJ${a(20)}.eyJ${a(20)}.${a(20)}`],
  ["other", `SG.${a(22)}.${a(43)}`],
  ["other", `SK${"0a".repeat(16)}`],
  ["other", `key-${"0a".repeat(16)}`],
  ["other", `dop_v1_${"0a".repeat(32)}`],
  ["other", `abc8Q~${a(34)}`],
  ["other", `cht_${a(32)}`],
  ["other", `sbp_${"0a".repeat(20)}`],
];

const PLACES: readonly ((token: string) => string)[] = [
  (token) => token,
  (token) => `the key is ${token}, keep it.`,
  (token) => `{"note":"first line\\n${token}\\nlast"}`,
  (token) => `(${token})`,
  (token) => `- "${token}"`,
  (token) => `export X=${token}; run`,
  (token) => `https://example.com/x?y=${token}&z=1`,
];

const PAIRS: readonly (readonly [given: string, clean: string])[] = [
  [`DB_PASSWORD=${word}`, `DB_PASSWORD=${R}`],
  [`PGPASSWORD=${word} psql -h db`, `PGPASSWORD=${R} psql -h db`],
  [`export API_KEY="${word}" && run`, `export API_KEY="${R}" && run`],
  [`SECRET_2='${word}'`, `SECRET_2='${R}'`],
  [`{"password":"${word}","n":1}`, `{"password":"${R}","n":1}`],
  [`{"password":\n  "${word}"}`, `{"password":\n  "${R}"}`],
  [`{"password":"a\\"b${word}","n":1}`, `{"password":"${R}","n":1}`],
  [`{"body":"{\\"token\\":\\"${word}\\",\\"n\\":1}"}`, `{"body":"{\\"token\\":\\"${R}\\",\\"n\\":1}"}`],
  [`{"token": 1234567, "n": 1}`, `{"token": "${R}", "n": 1}`],
  [`{"body":"{\\"token\\":1234567}"}`, `{"body":"{\\"token\\":\\"${R}\\"}"}`],
  [`{"secret":["${word}", "b1"],"n":[1]}`, `{"secret":["${R}", "${R}"],"n":[1]}`],
  [`{"signature":"${word}","cookie":"${word}"}`, `{"signature":"${R}","cookie":"${R}"}`],
  [`{'x-api-key': '${word}'}`, `{'x-api-key': '${R}'}`],
  [`{ clientSecret: "${word}", id }`, `{ clientSecret: "${R}", id }`],
  [`db:\n  password: ${word}\n  user: x`, `db:\n  password: ${R}\n  user: x`],
  [`db:\n  password: ${word} # rotate\n`, `db:\n  password: ${R} # rotate\n`],
  [`password: |\n  ${word}\n  b\nuser: x`, `password: |\n  ${R}\nuser: x`],
  ["password: hunter", `password: ${R}`],
  ["password: hunter\nnext line", `password: ${R}\nnext line`],
  [`password: hunter, host: db`, `password: ${R}, host: db`],
  [`password: ${word} and more`, `password: ${R} and more`],
  [`The API key: ${word}`, `The API key: ${R}`],
  [`**Password:** ${word}`, `**Password:** ${R}`],
  [`- \`token\`: \`${word}\` (old)`, `- \`token\`: \`${R}\` (old)`],
  [`use \`token=${word}\` here`, `use \`token=${R}\` here`],
  [`auth_token=${word}`, `auth_token=${R}`],
  [`accessToken = "${word}"`, `accessToken = "${R}"`],
  [`refresh-token: ${word}`, `refresh-token: ${R}`],
  [`privateKey=${word}`, `privateKey=${R}`],
  [`passwd=${word}`, `passwd=${R}`],
  [`Server=db;User Id=sa;Pwd=${word};`, `Server=db;User Id=sa;Pwd=${R};`],
  [`AccountName=x;AccountKey=${a(86)}==;EndpointSuffix=y`, `AccountName=x;AccountKey=${R};EndpointSuffix=y`],
  [`cli --password ${word} --verbose`, `cli --password ${R} --verbose`],
  [`cli --api-key=${word}`, `cli --api-key=${R}`],
  [`cli --db-password "${word}" x`, `cli --db-password "${R}" x`],
  [`const password: string = "${word}";`, `const password: string = "${R}";`],
  [`'password' => '${word}',`, `'password' => '${R}',`],
  [`const token = process.env.TOKEN ?? "${word}";`, `const token = process.env.TOKEN ?? "${R}";`],
  [`token: abc1 or "${word}"`, `token: ${R} or "${R}"`],
  [`password:${" ".repeat(70)}${word}`, `password:${" ".repeat(70)}${R}`],
  [`password${" ".repeat(70)}= ${word}`, `password${" ".repeat(70)}= ${R}`],
  [`if (token === "${word}") {`, `if (token === "${R}") {`],
  [`spring.datasource.password=${word}`, `spring.datasource.password=${R}`],
  [`"a\\ntoken=${word}"`, `"a\\ntoken=${R}"`],
  [`token: Bearer ${word}`, `token: ${R}`],
  [`token: abc${word}を使う`, `token: ${R}を使う`],
  [`aws_secret_access_key = ${a(40)}`, `aws_secret_access_key = ${R}`],
  [`<password>${word}</password>`, `<password>${R}</password>`],
  [`CREATE USER x WITH PASSWORD '${word}';`, `CREATE USER x WITH PASSWORD '${R}';`],
  [`curl -u admin:${word} https://x`, `curl -u admin:${R} https://x`],
  [`password=${R}${word}`, `password=${R}`],
  [`secret: 'it-is-very-secret',`, `secret: '${R}',`],
  [
    `const store = { token: "${word}", [privateKey]: "${word}" }`,
    `const store = { token: "${R}", [privateKey]: "${R}" }`,
  ],
  [`{ user: bob, password: hunter }`, `{ user: bob, password: ${R} }`],
  [`{"note":"token: hunter"}`, `{"note":"token: ${R}"}`],
  ['log("token: hunter")', `log("token: ${R}")`],
  [`(password: hunter)`, `(password: ${R})`],
  [`user: bob; password: ${word};`, `user: bob; password: ${R};`],
  [`password: ${word},\nhost: db`, `password: ${R},\nhost: db`],
  [`password: hunter,\nhost: db`, `password: ${R},\nhost: db`],
  ["POSTGRES_PASSWORD=password", `POSTGRES_PASSWORD=${R}`],
  ["password: password", `password: ${R}`],
  [`secret: "secret"`, `secret: "${R}"`],
  [`password: ${word}(prod)`, `password: ${R})`],
  ["password: swordfish(prod)", `password: ${R})`],
  [`password: ${word}[x]`, `password: ${R}]`],
  [`password: Hunter2<abc`, `password: ${R}`],
  [`{"password" : "${word}"}`, `{"password" : "${R}"}`],
  ["PASSWORD=swordfish && run", `PASSWORD=${R} && run`],
  [`password: swordfish && run`, `password: ${R} && run`],
  ["password: !hunter", `password: ${R}`],
  [`password: "1.2.3.4.5"`, `password: "${R}"`],
  ["don't, password: 'hunter2'", `don't, password: '${R}'`],
  ["it's token:'hunter2', x", `it's token:'${R}', x`],
  ["secret: swordfish - for staging", `secret: ${R} - for staging`],
  ["secret: swordfish,\nhost: db", `secret: ${R},\nhost: db`],
  [`password: (${word} - old)`, `password: ${R} - old)`],
  [`{ password: !${word} }`, `{ password: ${R} }`],
  [`Ready? password : ${word}`, `Ready? password : ${R}`],
  ["PASSWORD?=swordfish", `PASSWORD?=${R}`],
  ["readonly PASSWORD=swordfish", `readonly PASSWORD=${R}`],
  ["DbConfig(user=admin, password=swordfish)", `DbConfig(user=admin, password=${R})`],
  [`{"cmd":"login --header \\"token: hunter\\" x"}`, `{"cmd":"login --header \\"token: ${R}\\" x"}`],
  [`password: "password"`, `password: "${R}"`],
  ["password = hunter", `password = ${R}`],
  ["default password = hunter", `default password = ${R}`],
  [`const token = ${word};`, `const token = ${R};`],
  [`token: aBcDeFgHiJkLmNoPqR;`, `token: ${R};`],
  [`token = aBcDeFgHiJkLmNoPqR,`, `token = ${R},`],
  [`| password: Hunter | bob |`, `| password: ${R} | bob |`],
  [`[password]: ${word}`, `[password]: ${R}`],
];

const ADDRESSES: readonly (readonly [given: string, clean: string])[] = [
  [`https://bob:${word}@example.com/x`, `https://bob:${R}@example.com/x`],
  [`postgres://bob:${word}@db:5432/app?ssl=1`, `postgres://bob:${R}@db:5432/app?ssl=1`],
  [`mongodb+srv://bob:p@ss/${word}@db/app`, `mongodb+srv://bob:${R}@db/app`],
  [`redis://:${word}@cache:6379/0`, `redis://:${R}@cache:6379/0`],
  [`jdbc:mysql://db/app?user=x&password=${word}&ssl=1`, `jdbc:mysql://db/app?user=x&password=${R}&ssl=1`],
  [`bob:${word}@tcp(127.0.0.1:3306)/app`, `bob:${R}@tcp(127.0.0.1:3306)/app`],
  [`[x](https://e.com/a?access_token=${word}&b=1)`, `[x](https://e.com/a?access_token=${R}&b=1)`],
  [`https://e.com/a?b=1&X-Amz-Signature=${word}#top`, `https://e.com/a?b=1&X-Amz-Signature=${R}#top`],
  [`https://hooks.slack.com/services/T0/B0/${word}`, `https://hooks.slack.com/services/${R}`],
];

const HEADERS: readonly (readonly [given: string, clean: string])[] = [
  ["Authorization: Bearer abc def", `Authorization: ${R}`],
  ["GET /\nauthorization: Basic YTpi\nHost: x", `GET /\nauthorization: ${R}\nHost: x`],
  ["Proxy-Authorization: abc\r\nHost: x", `Proxy-Authorization: ${R}\r\nHost: x`],
  ['Authorization: Digest username="x", response="y"', `Authorization: ${R}`],
  ['Cookie: a="b"; c=d', `Cookie: ${R}`],
  ["Set-Cookie: sid=abc; HttpOnly", `Set-Cookie: ${R}`],
  ['curl -H "Authorization: Bearer abc" https://x', `curl -H "Authorization: ${R}" https://x`],
  ["curl -H 'Cookie: a=b' -H 'Authorization: abc' x", `curl -H 'Cookie: ${R}' -H 'Authorization: ${R}' x`],
  ['{"cmd":"curl -H \\"Authorization: Bearer abc\\" x"}', `{"cmd":"curl -H \\"Authorization: ${R}\\" x"}`],
  ['{"log":"sent Authorization: Bearer abc","n":1}', `{"log":"sent Authorization: ${R}","n":1}`],
  ['{"raw":"GET /\\r\\nAuthorization: abc\\r\\nHost: x"}', `{"raw":"GET /\\r\\nAuthorization: ${R}\\r\\nHost: x"}`],
  ['{"Authorization":"Bearer abc","n":1}', `{"Authorization":"${R}","n":1}`],
  ['headers: { Authorization: "Bearer abc", x: 1 }', `headers: { Authorization: "${R}", x: 1 }`],
  ["{ authorization: Bearer abc, x: 1 }", `{ authorization: ${R}, x: 1 }`],
  ["{Host: x, Cookie: a=b; c=d}", `{Host: x, Cookie: ${R}}`],
  ["sent (Authorization: Bearer abc def) twice", `sent (Authorization: ${R}) twice`],
  ["curl -H Cookie:a=b x", `curl -H Cookie:${R}`],
  ['{"cmd":"curl -H \\"Authorization: mykey\\" x"}', `{"cmd":"curl -H \\"Authorization: ${R}\\" x"}`],
  ['(Authorization: Digest username="x", response="y")', `(Authorization: ${R})`],
  ["headers: { cookie: ['x=1', 'y=2'] }", `headers: { cookie: ['${R}', '${R}'] }`],
  ["Cookie: session=ok", `Cookie: ${R}`],
  ["authorization: auth", `authorization: ${R}`],
  [`sent with Bearer ${a(20)}1`, `sent with Bearer ${R}`],
];

const BLOCKS: readonly (readonly [given: string, clean: string])[] = [
  ["a <private>b</private> c", `a ${R} c`],
  ["a <PRIVATE>b <private>c</private> d</Private> e", `a ${R} e`],
  ["a <private>b\nc", `a ${R}`],
  ["<private>a</private> b <private>c</private>", `${R} b ${R}`],
  ...[
    "PRIVATE KEY",
    "RSA PRIVATE KEY",
    "EC PRIVATE KEY",
    "DSA PRIVATE KEY",
    "OPENSSH PRIVATE KEY",
    "PGP PRIVATE KEY BLOCK",
    "ENCRYPTED PRIVATE KEY",
  ].map((kind) => [`a\n${pem(kind)}\nb`, `a\n${R}\nb`] as const),
  [`{"key":"${pem("PRIVATE KEY", "\\n")}\\n","n":1}`, `{"key":"${R}\\n","n":1}`],
  [`{"private_key":"${pem("PRIVATE KEY", "\\n")}\\n"}`, `{"private_key":"${R}\\n"}`],
  [`-----BEGIN PRIVATE KEY-----\n${a(64)}\n${a(64)}\nthe rest is cut`, `${R}\nthe rest is cut`],
];

const CLEAN = [
  "token: the user must log in again",
  "reset the password: instructions are in the doc",
  "The secret: don't commit it",
  "token: expired, please log in again",
  "tokenizer: bert-base",
  "secretary: ann",
  "max tokens: 512",
  "token: 512",
  '{"max_tokens":100000,"token":512,"password":null,"secret":""}',
  "password:\nuser: x",
  "password=",
  '{"password":"","token":""}',
  "token_type: bearer",
  "secretName: app",
  "signature: the second argument wins",
  "Cookie: the banner must be shown first",
  "use --token to pass it, the --password flag is gone",
  "password: string;",
  '{"secret": {"name": "app"}}',
  "password: $" + "{DB_PASSWORD}",
  "TOKEN=$TOKEN",
  "token: <your token>",
  "const token = await readToken();",
  "password = process.env.DB_PASSWORD;",
  "token = readToken()",
  'const cookie = require("cookie");',
  'const token = cookies["sid"];',
  "password: async () => readPassword(),",
  "std::token::Kind",
  "commit 0123456789abcdef0123456789abcdef01234567",
  "id 123e4567-e89b-12d3-a456-426614174000",
  `integrity sha512-${"Ab1/".repeat(21)}Ab==`,
  ".sk-circle-fade-dot-wrapper-large { }",
  "risk-assessment-for-the-whole-team disk-usage-of-all-machines",
  "https://example.com:8080/a@b?x=1#y",
  "git@github.com:acme/api.git",
  pem("PUBLIC KEY"),
  pem("CERTIFICATE"),
  "the file begins with -----BEGIN RSA PRIVATE KEY-----".replace("-----BEGIN RSA PRIVATE KEY-----", "a PEM header"),
  "token：用户必须重新登录",
  "PWD=/home/dev",
  "the keys `token:`, `password:` and `Authorization:`, each with a value",
  "API_TOKEN: $" + "{API_TOKEN:?set it}",
  "account key: with `=` or without",
  "token=…",
  "",
  "  \n\t",
];

const CODE = [
  "const secret = {",
  "const secret = {\n  value: 1,\n}",
  "headers: { authorization: auth },",
  "[bearer]: https://github.com/fastify/fastify-bearer-auth",
  "[secret]: ./docs/secret.md#top",
  "res.headers['set-cookie'] = cookies.map(function(cookie) {",
  "this.apiKey = apiKey",
  "password: password,",
  "user: user,\n  password: password\n}",
  "token = getToken()",
  "secret: config.secret",
  "connect(user=user, password=db_password)",
  "  api_key=settings.api_key,",
  "apiKey: string;",
  "token?: string",
  "const token = await login(user)",
  "const secret = alice.computeSecret(bob.getPublicKey(), null, 'hex');",
  "const secret = alice.computeSecret(bobKey);",
  "const globalToken = (globalThis as ExtraGlobals).GLOBAL_TOKEN;",
  "cookie: (c: Context, options: Options) => string | undefined;",
  "authorization: request.headers.get('authorization') ?? '',",
  "Authorization: undefined, // not sent on",
  "password: v.pipe(v.string(), v.minLength(8)),",
  "plugin_password: mysql.plugins.password({",
  "privateKey: pemEncodedPrivateKey,",
  "{ privateKey: KeyLike | KeyInput; publicKey: KeyLike }",
  "setPrivateKey(privateKey: NodeJS.ArrayBufferView): void;",
  "callback: (err: Error | null, privateKey: Buffer) => void,",
  "function parseCookie (cookie: Cookies, name?: string): Cookie | null",
  "readonly questionToken?: QuestionToken | PlusToken;",
  "readonly token: SyntaxKind.With | SyntaxKind.Assert;",
  "export declare const TOKEN: CharList;",
  "export type SetToken = Range | Char | Set;",
  "export type CancelToken = () => boolean;",
  "type Opaque<Type, Token = unknown> = Type & Tag<Token>;",
  "client_secret: z.ZodOptional<z.ZodString>;",
  '"DELETE /installation/token": Operation<"/installation/token", "delete">;',
  "// token: Token",
  '"@fastify/cookie": "^11.0.0", "@octokit/auth-token": "workspace:*"',
  "cookie: 0.7.2",
  "authToken = auth41.calculateToken(\n  password,",
  "Parser.prototype.parseToken = function(token) {",
  "export GITHUB_TOKEN=$(gh auth token)",
  "permissions:\n  id-token: write # for provenance",
  "this.password2 = options.password2 || undefined;",
  'const kind = secret ? "secret" : isPrivate ? "private" : "public";',
  "const name = isBearer ? 'authorization' : scheme.name",
  "token: (isNew ? token : winner) ?? token,",
  "$.password = args => {",
  "Fastify({ constraints: { secret: constraint } })",
  "console.log('the token:', token)",
  "console.error('no session cookie:', error);",
  "else cookie = serialize(name, value, {",
  'if (typeof privateKey === "object") {',
  '{ "@/cookie": "./src/cookie.ts", "Secret": ["./dist/Secret.d.ts"] }',
  "const cookie = `$" + "{name}=$" + "{value}`;",
  "const token = tokens[index++];",
  "export const HTTP_TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;",
  "const needsToken = !isActive;",
  "const previousToken = tokens[tokens.length - 1];",
  "const token = policyHeader[i - 1].trim()",
  "const signature = value.substring(start + 1);",
  "const token = (0, crypto.randomUUID)();",
  "export const attachSignature = /*#__PURE__*/dual(1, 2)",
  "export const serializeCookie = (name, value, options = {}) => {",
  "password: optional(recursiveRef(flow)),",
  "token = token.replace(/^(token|bearer) +/i, '');",
  "target.username = target.password = target.search = '';",
  'deleteSecret: ["DELETE /orgs/{org}/secrets/{name}"],',
  "const methodSignature = `$" + "{name}(path, [options])`;",
  'if (options.secure) cookie += "; Secure";',
  "{ secret: !0, password: 1 }",
  "password: hash(pw),",
  "const password = sha256(pw);",
  "(password: Buffer) => void",
  "type ApiKey = z.infer<typeof apiKeySchema>;",
  "type messages_MD5Password = AuthenticationMD5Password;",
  "readonly DEPTH_PASS: 0x0B96;",
  "CallSignature = 180,",
  'readonly COOKIE: "cookie";',
  'const X_SET_COOKIE = "x-set-cookie";',
  'if (token === "(" || token === "?:") {',
  "Symbol.for('secret:mocks')",
  '"PWD": "/Users/ann"',
  '{"secret":"[Redacted]"}',
  "`Authorization: Bearer ...` by default",
  '"authorization": "Bearer token"',
  'OPENAI_API_KEY="your-api-key-goes-here"',
  "./config.sh --token TOKEN",
  "authorization: `Bearer $" + "{await login()}`,",
  "authorization: `Basic $" + '{Buffer.from(user + ":" + pass).toString("base64")}`,',
  "authorization: `Basic $" + "{Buffer.from(`$" + "{user}:$" + "{pass}`).toString('base64')}`,",
];

const FINDS = [...PAIRS, ...ADDRESSES, ...HEADERS, ...BLOCKS];

describe("replaces", () => {
  it.each(FINDS)("%j", (input, clean) => {
    expect(redact(input)).toBe(clean);
  });

  it.each(TOKENS)("a token of %s: %s", (category, token) => {
    for (const place of PLACES) expect(redact(place(token))).toBe(place(R));
    expect(redactCounted(token).counts).toEqual({ [category]: 1 });
  });

  it("an AWS secret beside its id", () => {
    expect(redact(`AKIA${"A".repeat(16)},${a(40)}\n`)).toBe(`${R},${R}\n`);
    expect(redact(`aws secret: "${a(40)}"`)).toBe(`aws secret: "${R}"`);
  });
});

it.each([...CLEAN, ...CODE])("leaves %j alone", (text) => {
  expect(redactCounted(text)).toEqual({ text, counts: {} });
});

it("is the same twice", () => {
  for (const text of [...FINDS.flat(), ...TOKENS.flatMap(([, token]) => PLACES.map((place) => place(token)))]) {
    expect(redact(redact(text))).toBe(redact(text));
  }
});

it("is the same twice, whatever stands side by side", () => {
  const pieces = [
    ...FINDS.map(([given]) => given),
    ...TOKENS.map(([, token]) => token),
    ...CLEAN,
    ...CODE,
    "{ ",
    "(",
    "}",
    ";",
    "const ",
    '"',
    "'",
    "\\",
    "`",
    "=",
    ": ",
    " ",
    "\n",
    ",",
    "<private>",
    "token",
    "[",
    "&",
    "@",
    R,
  ];
  let state = 3;
  const random = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let round = 0; round < 5000; round += 1) {
    const text = Array.from({ length: 1 + random(6) }, () => pieces[random(pieces.length)]).join(random(2) ? " " : "");
    const once = redact(text);
    expect(redact(once), text).toBe(once);
  }
});

it("keeps JSON readable", () => {
  const given = {
    password: word,
    note: `Authorization: Bearer ${word}`,
    url: `https://a:${word}@b/c`,
    list: [{ api_key: word }],
    token: 1234567,
  };
  for (const text of [
    JSON.stringify(given),
    JSON.stringify(given, undefined, 2),
    JSON.stringify({ body: JSON.stringify(given) }),
  ]) {
    expect(JSON.stringify(JSON.parse(redact(text)))).not.toContain(word);
  }
});

it("counts by category", () => {
  const text = `password=${word} <private>x</private> ghp_${a(36)} ghp_${a(36)}`;
  expect(redactCounted(text).counts).toEqual({ private: 1, "key-value": 1, github: 2 });
});

it.each([
  "a",
  " ",
  "\n",
  "-",
  "=",
  ":",
  '"',
  "\\",
  '\\"',
  "<private>",
  "</private>",
  "<private",
  "-----BEGIN PRIVATE KEY-----",
  "-----",
  "eyJ-",
  "eyJa.",
  "sk-",
  "sk-a-",
  "token: ",
  "token: a ",
  'token:"',
  'token:"""',
  "token=[",
  "password: |\n ",
  "password",
  "-password",
  "_pass",
  "api key ",
  "Cookie: a\n",
  'Cookie: "',
  "Authorization: ",
  "http://a:",
  "postgres://a:",
  "a:",
  "a://",
  "?a=",
  "&token=",
  "curl -u ",
  "bearer ",
  "<password>",
  "AKIA",
  "AKIAAAAAAAAAAAAAAAAA,",
  "secret key ",
  "token:a=",
  "--",
  "--token ",
  "xoxb-",
  "hv",
  "${",
  "{{",
  "token=${",
  "with password ",
  "SG.aaaaaaaaaaaaaaaa",
  "glpat-a.",
  "ya29.a.",
  "/private",
  "か",
  "\t",
  "password:\t",
  "token: a ",
  "{ token: a, ",
  "f(token: Ab, ",
  "token: a.",
  "token: a(",
  "token: aB",
  "authorization: a(",
  "{authorization: ",
  "token: A<",
  "token: `${a",
  "key: your-",
  'password\\\\\\"',
])("reads 100,000 characters of %j to the end", (piece) => {
  const text = piece.repeat(Math.ceil(100_000 / piece.length));
  expect(redact(text).length).toBeLessThan(text.length * 12);
});

it.each([
  ["Cookie: ", "\\"],
  ["Authorization: ", "\\"],
  ["password=", "\\"],
  ["password: ", " "],
  ["<private>", "\\"],
  ["-----BEGIN PRIVATE KEY-----", "\\"],
])("reads %j and half a million times %j behind it to the end", (begin, piece) => {
  const text = begin + piece.repeat(500_000);
  expect(redact(text).length).toBeLessThan(text.length * 12);
});
