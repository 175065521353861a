import { randomCharacters } from "./secret-random.ts";

const HEX = "0123456789abcdef";
const CONSONANTS = "bcdfghjklmnpqrstvwxz";
/** Nothing here was ever a credential: each is put together when it runs. */
const any = randomCharacters(20261129);
const uuid = () => [8, 4, 4, 4, 12].map((part) => any(part, HEX)).join("-");
const hex = () => `7${any(62, HEX)}f`;

/** Letters alone, changing their case, and letters with digits and a mark. */
const PASSWORDS: readonly (() => string)[] = [
  () => Array.from({ length: 6 }, () => any(1, CONSONANTS.toUpperCase()) + any(1, CONSONANTS)).join(""),
  () => `${any(11, CONSONANTS)}q`,
  () => `H${any(1, CONSONANTS)}7!${any(4, CONSONANTS)}Q2${any(2)}`,
  () => `${any(7, CONSONANTS)}482`,
];

/** Sentences of people who tell a password; `_` stands for it. */
const TOLD = `
the password is _
The password is _.
the password is now _
the password we use for staging is _
the staging password is currently _, ask ops
password for the wifi in the office is _
the password that Anna gave me yesterday was _
my password's _
the db password was changed to _ last week
the password should be _
the wifi password here is "_".
use _ as the password
_ is the password for staging
log in with _ as the password
in the deploy job we log in with password _
password for staging: _
Password (staging): _
the password, by the way, is _
the db password has been _ since March
das Passwort ist _
das Passwort für die Staging-Datenbank lautet _
das Passwort der Datenbank ist derzeit _
das Kennwort für den Admin auf der Testumgebung ist _
das Passwort wurde auf _ geändert
wir nutzen _ als Passwort
melde dich mit dem Passwort _ an
_ ist das Passwort
Passwort für die Datenbank: _
le mot de passe est _
le mot de passe de la base de données est _
le mot de passe que nous utilisons en production est _
le mot de passe pour staging est actuellement _
le mot de passe a été changé en _
connecte-toi avec le mot de passe _
utilise _ comme mot de passe
la contraseña es _
la contraseña de la base de datos es _
la contraseña del servidor de pruebas es actualmente _
se cambió la contraseña a _
usa _ como contraseña
entra con la contraseña _
a senha é _
a senha do banco de dados é _
a senha do servidor de testes agora é _
a senha foi alterada para _
use _ como senha
a palavra-passe é _
パスワードは_です
パスワードは現在 _ です
ステージング環境のデータベースのパスワードは今のところ_です
パスワードを_に変更しました
パスワードは次の通り：_
パスワード「_」でログイン
パスワード「_」で入れます
パスワードは _ です
_がパスワードです
密码是_
数据库的密码现在是_
密码改成了_
登录密码为_，不要外传
测试环境的密码（管理员）是_
用_作为密码
비밀번호는 _ 입니다
데이터베이스 비밀번호는 현재 _ 입니다
비밀번호를 _로 변경했습니다
스테이징 서버의 암호는 _
_가 비밀번호입니다
비번은 _야
`;

/** Capitals side by side look like an abbreviation: only where the sentence names the value outright. */
const shouted = () =>
  `${any(1, CONSONANTS)}${any(4, CONSONANTS.toUpperCase())}${any(3, CONSONANTS)}${any(4, CONSONANTS.toUpperCase())}`;

type SecretPlace = readonly [kind: string, make: () => string, around: (secret: string) => string];

/** Keys that have no form of their own, behind a word that names them. */
const KEYS: readonly SecretPlace[] = [
  ["uuid, heroku", uuid, (s) => `Heroku API key ${s}`],
  ["uuid, heroku is", uuid, (s) => `the heroku key is ${s}`],
  ["uuid, railway", uuid, (s) => `the railway token for deploys is ${s}`],
  ["uuid, spanish", uuid, (s) => `la clave de API es ${s}`],
  ["uuid, korean", uuid, (s) => `API 키는 ${s} 입니다`],
  ["hex, signing", hex, (s) => `the signing key is ${s}`],
  ["hex, encryption", hex, (s) => `encryption key ${s}`],
  ["hex, of something", hex, (s) => `the encryption key for the backups is ${s}`],
  ["hex, hmac", hex, (s) => `the hmac key: ${s}`],
  ["hex, in a table", hex, (s) => `SECRET_KEY_BASE   ${s}`],
  ["hex, env", hex, (s) => `MASTER_KEY=${s}`],
  ["hex, wallet", () => `0x${hex()}`, (s) => `the wallet private key is ${s}`],
  ["hex, bare", hex, (s) => `the key is ${s}`],
  ["hex, french", hex, (s) => `la clé API est ${s}`],
  ["hex, german", hex, (s) => `der Schlüssel ist ${s}`],
  ["hex, japanese", hex, (s) => `APIキーは${s}です`],
  ["hex, chinese", hex, (s) => `加密密钥是${s}`],
];

/** Words with other meanings, and an account with its password: the value must look like a secret. */
const SHORT: readonly SecretPlace[] = [
  "the root pw is _",
  "Wi-Fi pass: _",
  "das PW ist _",
  "le mdp est _",
  "the credentials are admin / _",
  "Zugangsdaten: admin / _",
  "identifiants : admin / _",
  "las credenciales son admin / _",
  "ログイン情報: admin / _",
  "账号密码是 admin / _",
  "계정 정보: admin / _",
].flatMap((line) =>
  PASSWORDS.slice(0, 3).map(
    (make): SecretPlace => [`short: ${line}`, make, (secret) => line.replace("_", () => secret)],
  ),
);

const SHOUTED: readonly SecretPlace[] = [
  ["capitals, is", shouted, (s) => `the password is ${s}`],
  ["capitals, colon", shouted, (s) => `password for staging: ${s}`],
  ["capitals, quoted", shouted, (s) => `パスワード「${s}」で入れます`],
  ["capitals, with", shouted, (s) => `melde dich mit dem Passwort ${s} an`],
];

const encoded = () => Buffer.from(`deploy:${any(14)}`).toString("base64");
const FILES: readonly SecretPlace[] = [
  ["docker, auth", encoded, (s) => `{"auths":{"registry.example.com":{"auth":"${s}"}}}`],
  ["docker, auth on lines", encoded, (s) => `"registry.example.com": {\n  "auth": "${s}"\n}`],
  ["docker, auth in json", encoded, (s) => JSON.stringify({ body: JSON.stringify({ auth: s }) })],
  ["docker, identity", () => any(40), (s) => `{"identitytoken":"${s}"}`],
  ["npm, auth", encoded, (s) => `//npm.example.com/:_auth=${s}`],
];

/** Passwords in sentences of eight languages, keys behind their names, and files of Docker and npm. */
export const SENTENCES: readonly SecretPlace[] = [
  ...TOLD.trim()
    .split("\n")
    .flatMap((line) =>
      PASSWORDS.map((make): SecretPlace => [`sentence: ${line}`, make, (secret) => line.replace("_", () => secret)]),
    ),
  ...SHOUTED,
  ...SHORT,
  ...KEYS,
  ...FILES,
];
