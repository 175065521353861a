import { randomCharacters } from "./secret-random.ts";
import { SENTENCES } from "./secret-sentences.ts";
import { HOOKS, MORE_VENDORS } from "./secret-vendors.ts";

/** A text with a secret in it, and the part that must not survive. */
export interface Positive {
  readonly kind: string;
  readonly text: string;
  readonly secret: string;
}

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const HEX = "0123456789abcdef";
const UPPER = LOWER.toUpperCase();
const ALNUM = LOWER + UPPER + DIGITS;
const BASE64 = `${ALNUM}+/`;
const URL64 = `${ALNUM}_-`;
/** Nothing here was ever a credential: each is put together when it runs. */
const any = randomCharacters(20261121);

type Form = readonly [kind: string, token: () => string];

/** Secrets of vendors, each in its own form. */
const VENDORS: readonly Form[] = [
  ["aws id", () => `AK${"IA"}${any(16, UPPER + DIGITS)}`],
  ["aws session id", () => `AS${"IA"}${any(16, UPPER + DIGITS)}`],
  ["github personal", () => `gh${"p_"}${any(36)}`],
  ["github oauth", () => `gh${"o_"}${any(36)}`],
  ["github server", () => `gh${"s_"}${any(36)}`],
  ["github fine-grained", () => `github_${"pat_"}${any(22)}_${any(59)}`],
  ["gitlab", () => `gl${"pat-"}${any(20, URL64)}`],
  ["gitlab runner", () => `gl${"rt-"}${any(20, URL64)}`],
  ["slack bot", () => `xo${"xb-"}${any(12, DIGITS)}-${any(12, DIGITS)}-${any(24)}`],
  ["slack user", () => `xo${"xp-"}${any(12, DIGITS)}-${any(12, DIGITS)}-${any(32, HEX)}`],
  ["slack app", () => `xa${"pp-"}1-${any(11, UPPER + DIGITS)}-${any(13, DIGITS)}-${any(64, HEX)}`],
  ["openai", () => `sk${"-"}${any(48)}`],
  ["openai project", () => `sk${"-proj-"}${any(64, URL64)}`],
  ["anthropic", () => `sk${"-ant-api03-"}${any(93, URL64)}AA`],
  ["hugging face", () => `h${"f_"}${any(34)}`],
  ["groq", () => `gs${"k_"}${any(52)}`],
  ["google api", () => `AI${"za"}${any(35, URL64)}`],
  ["google client", () => `GOC${"SPX-"}${any(28, URL64)}`],
  ["stripe live", () => `sk_${"live_"}${any(24)}`],
  ["stripe restricted", () => `rk_${"live_"}${any(24)}`],
  ["stripe webhook", () => `whs${"ec_"}${any(32)}`],
  ["npm", () => `np${"m_"}${any(36)}`],
  ["pypi", () => `py${"pi-AgE"}IcHlwaS5vcmc${any(60, URL64)}`],
  ["docker hub", () => `dck${"r_pat_"}${any(27, URL64)}`],
  ["linear", () => `lin${"_api_"}${any(40)}`],
  ["atlassian", () => `AT${"ATT3"}xFfGF0${any(180, URL64)}=${any(8, DIGITS)}`],
  ["sendgrid", () => `S${"G."}${any(22, URL64)}.${any(43, URL64)}`],
  ["twilio", () => `S${"K"}${any(32, HEX)}`],
  ["mailgun", () => `ke${"y-"}${any(32, HEX)}`],
  ["digitalocean", () => `do${"p_v1_"}${any(64, HEX)}`],
  ["supabase", () => `sb${"p_"}${any(40, HEX)}`],
  ["shopify", () => `shp${"at_"}${any(32, HEX)}`],
  ["vault", () => `hv${"s."}${any(24)}`],
  ["age", () => `AGE-SECRET-${"KEY-1"}${any(58, UPPER + DIGITS)}`],
  ["chest", () => `ch${"t_"}17_${any(43, URL64)}`],
  ["jwt", () => `ey${"J"}${any(30, URL64)}.ey${"J"}${any(80, URL64)}.${any(43, URL64)}`],
];

const AROUND: readonly ((token: string) => string)[] = [
  (token) => `use ${token} when the pipeline asks`,
  (token) => `in the deploy job we use ${token}`,
  (token) => `the grafana key is ${token}.`,
  (token) => `curl -H 'X-Token: ${token}' https://api.example.com/v1`,
  (token) => `{"step":"deploy","value":"${token}","ok":true}`,
];

/** Chosen by people: letters, digits and a mark. */
const password = () => `${any(1, UPPER)}${any(6, LOWER)}${any(2, DIGITS)}${any(1, "!#%+?")}${any(3)}`;
const opaque = () => any(40);
const plain = () => `${any(7, LOWER)}${any(3, DIGITS)}`;

type SecretPlace = readonly [kind: string, make: () => string, around: (secret: string) => string];

/** Places in which a key names the secret, as files, programs and people write it. */
const NAMED: readonly SecretPlace[] = [
  ["env", password, (s) => `DB_PASSWORD=${s}`],
  ["env, exported", opaque, (s) => `export API_KEY=${s}`],
  ["env, quoted", password, (s) => `SMTP_PASS="${s}"`],
  ["env, with a number", opaque, (s) => `SIGNING_SECRET_2=${s}`],
  ["shell, in front", password, (s) => `PGPASSWORD=${s} psql -h db.internal -U app`],
  ["shell, flag", password, (s) => `mysqldump --password=${s} --all-databases`],
  ["shell, flag and blank", opaque, (s) => `deploy --api-token ${s} --region eu`],
  ["shell, curl", password, (s) => `curl -u admin:${s} https://ci.example.com/job`],
  ["shell, mysql", plain, (s) => `mysql -h db.internal -u root -p${s} shop < dump.sql`],
  ["shell, mysqldump", plain, (s) => `mysqldump -uroot -p'${s}' shop`],
  ["shell, mariadb", plain, (s) => `docker exec db mariadb -u root -p${s} -e 'select 1'`],
  ["shell, sshpass", plain, (s) => `sshpass -p ${s} ssh -p 2222 deploy@host`],
  ["shell, sshpass, quoted", password, (s) => `sshpass -v -p '${s}' scp a b:`],
  ["shell, redis-cli", plain, (s) => `redis-cli -h cache -a ${s} ping`],
  ["shell, redis-cli, word", () => any(9, LOWER), (s) => `redis-cli -a ${s} KEYS x`],
  ["full width", plain, (s) => `ＰＡＳＳＷＯＲＤ：${s}`],
  ["full width, json", plain, (s) => `ＡＰＩ＿ＫＥＹ＝${s}`],
  ["yaml", password, (s) => `database:\n  user: app\n  password: ${s}\n  port: 5432`],
  ["yaml, quoted", opaque, (s) => `  client_secret: '${s}'`],
  ["yaml, block", opaque, (s) => `secret: |\n  ${s}\nname: x`],
  ["kubernetes", opaque, (s) => `stringData:\n  auth-token: ${s}`],
  ["compose", password, (s) => `    environment:\n      - POSTGRES_PASSWORD=${s}`],
  ["json", password, (s) => `{"user":"app","password":"${s}"}`],
  ["json, in json", password, (s) => JSON.stringify({ body: JSON.stringify({ password: s }) })],
  ["json, camel", opaque, (s) => `{ "clientSecret": "${s}", "id": 4 }`],
  ["toml", opaque, (s) => `[registry]\ntoken = "${s}"`],
  ["ini", password, (s) => `[client]\npassword=${s}`],
  ["npmrc", opaque, (s) => `//registry.example.com/:_authToken=${s}`],
  ["netrc", password, (s) => `machine host.example.com login app password=${s}`],
  ["properties", password, (s) => `spring.datasource.password=${s}`],
  ["xml", password, (s) => `<server><id>x</id><password>${s}</password></server>`],
  ["terraform", password, (s) => `  master_password = "${s}"`],
  ["javascript", opaque, (s) => `const apiKey = "${s}";`],
  ["javascript, object", password, (s) => `connect({ user: "app", password: "${s}" });`],
  ["javascript, fallback", opaque, (s) => `const token = process.env.TOKEN ?? "${s}";`],
  ["python", opaque, (s) => `client = Client(api_key="${s}")`],
  ["python, dict", opaque, (s) => `settings["SECRET_KEY"] = '${s}'`],
  ["go", opaque, (s) => `accessToken := "${s}"`],
  ["go, source", password, (s) => `db, err := sql.Open("mysql", "app:${s}@tcp(db:3306)/shop")`],
  ["java", opaque, (s) => `private static final String API_KEY = "${s}";`],
  ["ruby", opaque, (s) => `config.secret_key_base = '${s}'`],
  ["php", password, (s) => `'password' => '${s}',`],
  ["c#", password, (s) => `"Server=db;User Id=sa;Password=${s};Encrypt=true"`],
  ["azure storage", () => `${any(86, BASE64)}==`, (s) => `AccountName=shop;AccountKey=${s};EndpointSuffix=core`],
  ["sql", password, (s) => `CREATE USER app WITH PASSWORD '${s}';`],
  ["sql, mysql", password, (s) => `CREATE USER 'app'@'%' IDENTIFIED BY '${s}';`],
  ["aws secret", () => any(40, BASE64), (s) => `aws_secret_access_key = ${s}`],
  ["header, bearer", opaque, (s) => `Authorization: Bearer ${s}`],
  ["header, basic", () => `${any(30, BASE64)}==`, (s) => `authorization: Basic ${s}`],
  ["header, api key", opaque, (s) => `x-api-key: ${s}`],
  ["header, cookie", opaque, (s) => `Cookie: session=${s}; theme=dark`],
  ["header, set-cookie", opaque, (s) => `Set-Cookie: sid=${s}; HttpOnly; Path=/`],
  ["fetch", opaque, (s) => `fetch(url, { headers: { Authorization: "Bearer ${s}" } })`],
  ["url, http", password, (s) => `https://app:${encodeURIComponent(s)}@git.example.com/shop.git`],
  ["url, postgres", plain, (s) => `DATABASE_URL=postgresql://app:${s}@db.internal:5432/shop`],
  ["url, mongodb", plain, (s) => `mongodb+srv://app:${s}@cluster0.example.net/shop`],
  ["url, redis", plain, (s) => `redis://:${s}@cache:6379/0`],
  ["url, amqp", plain, (s) => `amqp://app:${s}@queue:5672`],
  ["url, parameter", opaque, (s) => `https://hooks.example.com/in?id=4&access_token=${s}`],
  ["url, signature", () => any(64, HEX), (s) => `https://bucket.example.com/k?X-Amz-Signature=${s}&x=1`],
  [
    "slack webhook",
    () => `T${any(8, UPPER)}/B${any(8, UPPER)}/${any(24)}`,
    (s) => `https://hooks.slack.com/services/${s}`,
  ],
  ["private", () => "the customer is leaving", (s) => `<private>${s}</private> and the rest`],
  ["private, unclosed", () => "the salary is 90000", (s) => `note <private>${s}`],
  ["markdown", password, (s) => `- **Password:** \`${s}\``],
  ["markdown, table", password, (s) => `| password: ${s} | staging |`],
  ["log", opaque, (s) => `2026-11-21 12:00:00 INFO login ok token=${s} user=7`],
  ["colon", password, (s) => `API token: ${s}`],
  ["is", password, (s) => `the password is ${s}`],
  ["is, at an end", password, (s) => `For staging the password is ${s}.`],
  ["is, of something", password, (s) => `the password for the staging database is ${s}, ask ops to rotate it`],
  ["is, quoted", plain, (s) => `root's password is "${s}" on that box`],
  ["is, in backticks", plain, (s) => `the api key is \`${s}\``],
  ["was", password, (s) => `the old password was ${s} until March`],
  ["set to", password, (s) => `I set the admin password to ${s}`],
  ["changed to", password, (s) => `the passphrase was changed to ${s}`],
  ["with", password, (s) => `log in as admin with password ${s}`],
  ["with, quoted", plain, (s) => `sign in with the password '${s}'`],
  ["password of", plain, (s) => `username app / password ${s}`],
  ["japanese", password, (s) => `ステージングのパスワードは${s}です`],
  ["japanese, colon", password, (s) => `パスワード：${s}`],
  ["chinese", password, (s) => `数据库密码是${s}，不要外传`],
  ["chinese, colon", password, (s) => `密码: ${s}`],
  ["korean", password, (s) => `비밀번호는 ${s} 입니다`],
  ["german", password, (s) => `Das Passwort ist ${s}`],
  ["french", password, (s) => `le mot de passe est ${s}`],
  ["spanish", password, (s) => `la contraseña es ${s}`],
];

const pem = (kind: string) => {
  const body = Array.from({ length: 4 }, () => any(64, BASE64)).join("\n");
  return { body, text: [`-----BEGIN ${kind}-----`, body, `-----END ${kind}-----`].join("\n") };
};

const PEMS = [
  "RSA PRIVATE KEY",
  "PRIVATE KEY",
  "EC PRIVATE KEY",
  "OPENSSH PRIVATE KEY",
  "ENCRYPTED PRIVATE KEY",
  "PGP PRIVATE KEY BLOCK",
];

/** At least two hundred, from keys by their form to what people say in a sentence. */
export const positives = (): readonly Positive[] => [
  ...[...VENDORS, ...MORE_VENDORS].flatMap(([kind, make]) =>
    AROUND.map((around) => {
      const secret = make();
      return { kind, text: around(secret), secret };
    }),
  ),
  ...[1, 2].flatMap(() =>
    [...NAMED, ...HOOKS, ...SENTENCES].map(([kind, make, around]) => {
      const secret = make();
      const text = around(secret);
      return { kind, text, secret: text.includes(secret) ? secret : encodeURIComponent(secret) };
    }),
  ),
  ...PEMS.map((kind) => {
    const { body, text } = pem(kind);
    return { kind, text: `the key:\n${text}\nend`, secret: body.slice(0, 64) };
  }),
];
