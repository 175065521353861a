import { randomCharacters } from "./secret-random.ts";

const HEX = "0123456789abcdef";
const BASE64 = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/";

/** Lines of hashes, ids and encoded bytes as programs write them, and sentences about secrets in eight languages; none holds one. */
export const lookalikeLines = (): readonly string[] => {
  const any = randomCharacters(20261127);
  const fill = (kind: string, length: string): string => {
    if (kind === "hex") return any(Number(length), HEX);
    if (kind === "uuid") return [8, 4, 4, 4, 12].map((part) => any(part, HEX)).join("-");
    return any(Number(length), BASE64);
  };
  return LINES.trim()
    .replace(/<(hex|uuid|base64)(?: (\d+))?>/g, (_, kind: string, length = "") => fill(kind, length))
    .split("\n");
};

const LINES = `
commit <hex 40>
Merge: <hex 7> <hex 7>
git checkout <hex 40>
git revert <hex 12> reverts the token change
the token was added in <hex 40>
the password check broke with commit <hex 40>
HEAD is now at <hex 7> fix the password field
index <hex 7>..<hex 7> 100644
Subproject commit <hex 40>
https://github.com/acme/shop/commit/<hex 40>
uses: actions/checkout@<hex 40>
image: registry.example.com/shop@sha256:<hex 64>
Digest: sha256:<hex 64>
FROM node:24@sha256:<hex 64>
sha256 <hex 64>  chest.tar.gz
<hex 64>  dist/chest.tgz
<hex 32>  backup.sql
MD5 (backup.sql) = <hex 32>
checksum: <hex 64>
content hash <hex 64>
the hash of the file is <hex 64>
the digest is sha256:<hex 64>
etag: "<hex 32>"
ETag W/"<hex 40>"
cache key <hex 64>
the cache key is <hex 64>
Cache restored from key: node-Linux-<hex 64>
the primary key is <uuid>
the public key is <hex 64>
the partition key is <uuid>
the idempotency key is <uuid>
the object key is <hex 64>
the sort key is <hex 32>
the key of the row is a UUID
public key: <hex 64>
request id <uuid>
requestId=<uuid> status=200
trace_id=<hex 32> span_id=<hex 16>
traceparent: 00-<hex 32>-<hex 16>-01
correlation-id: <uuid>
session <uuid> ended
user <uuid> reset the password
revoked token <uuid>
the token id is <uuid>
deleted secret <uuid> from the list
tenant <uuid> has no api key
{"id":"<uuid>","kind":"token.revoked"}
urn:uuid:<uuid>
/subscriptions/<uuid>/resourceGroups/shop
the run <uuid> failed because the token expired
block 0x<hex 64>
transaction hash 0x<hex 64>
contract 0x<hex 40>
"integrity": "sha512-<base64 86>=="
resolution: {integrity: sha512-<base64 86>==}
"resolved": "https://registry.example.com/left-pad/-/left-pad-1.3.0.tgz#<hex 40>"
checksum = "<hex 64>"
source = "registry+https://git.example.com/crates/index"
github.com/acme/shop v1.4.0 h1:<base64 43>=
github.com/acme/shop v1.4.0/go.mod h1:<base64 43>=
--hash=sha256:<hex 64>
<script integrity="sha384-<base64 64>" crossorigin="anonymous">
data:image/png;base64,iVBORw0KGgo<base64 300>=
data:font/woff2;base64,d09GMgABAAAA<base64 300>
![logo](data:image/gif;base64,R0lGODlh<base64 120>)
//# sourceMappingURL=data:application/json;base64,<base64 200>
<base64 76>
MIIB<base64 60>
ssh-rsa AAAAB3NzaC1yc2E<base64 300> dev@laptop
SHA256:<base64 43> dev@laptop (ED25519)
style-src 'sha256-<base64 43>='
nonce-<base64 22>
main.<hex 8>.js
/assets/index-<hex 8>.css
chunk-<hex 20>.js
node_modules/.pnpm/hono@4.10.1
arn:aws:iam::123456789012:role/deploy
s3://bucket/artifacts/<hex 64>.zip
https://example.com/share/<uuid>
https://cdn.example.com/<hex 32>/logo.svg?v=<hex 8>
https://example.com/reset-password?step=2
https://docs.example.com/guides/api-keys#rotate-the-key
https://discord.com/developers/docs/resources/webhook
https://zapier.com/apps/webhook/integrations
https://learn.microsoft.com/microsoftteams/incoming-webhook
https://hooks.zapier.com/
re_export_all_of_the_helpers_in_this_module
re_exports_the_types_of_the_2_packages
fw_update_of_the_router_failed
fw_version_of_the_device_is_2_4_1
rnd_seed_for_the_generator_is_42
secret_manager_client_options_v1
secret_name_of_the_database_in_production_1
pat-na1 is how tokens of HubSpot begin
xai-grok is the name of a model
pplx-70b-online is the model
csk-style-guide-for-the-whole-team
sl.example.com is our short link
sl.translations.de.title
ntn_database_id
dp.style.color = "red"
dp.st.config is where the options are
sk_live_ is how keys of Stripe begin
e2b_sandbox_template
nfp_ starts the tokens of Netlify
phc_ and phx_ are the two kinds of PostHog
glsa_ and glc_ are the prefixes of Grafana
dapi is the prefix of Databricks
pul-request-template-for-the-whole-team
tskey-auth is the prefix of an auth key
npg_catalog_tables
ls__ is the old prefix
fc-list shows the fonts that are installed
hc_settings_page
sdk-for-the-browser-and-the-server-side
v1.0-rc.1
access-control-allow-origin: *
access-sandbox-settings
patience.is.a.virtue
patternMatchingRules.default
const secret_length = 32;
ops_eyJ is how tokens of 1Password begin
md-editor-with-a-toolbar
1//0 is a division by zero
"auth": {}
"auth": "basic"
"auth": "required"
auth: none
auth = "oauth2"
auth: bearerAuth
{"auth":"session","user":"ann"}
auth=true
"auths": {}
auth: /login
_auth is the old way
the password is set in the settings
the password is empty
the password is optional here
the password is too short
the password is encrypted at rest
the password is never logged
the password is checked by PostgreSQL
the password is not accepted
the password is case-sensitive
the password is base64-encoded
the password is generated by pwgen
the password is read from DB_PASSWORD
the password is stored in Vault
the password is kept in AWS Secrets Manager
the password we use for staging is in the vault
the password for staging is different
the password of the admin account is managed by Terraform
the password should be rotated
the password should be longer
the password that users choose is hashed
the password was wrong, so the account is locked
the password is the first thing they ask for
the password is end-to-end encrypted
the password is write-only
the password is compared with timingSafeEqual()
the password is passed as an argument
the password has been changed
the password was reset to the default
the default password is documented in the README
a password manager like 1Password or KeePassXC
my password expired yesterday
the wifi password is on the fridge
passwords with SHA256 are weak
the password hash is argon2id
the password length is 12characters
the password policy is NIST800-63B
login fails with password authentication failed for user "app"
FATAL: password authentication failed for user "postgres"
error: incorrect password attempt
enter the password twice
sudo: 3 incorrect password attempts
use a passphrase of four words
the token is issued by the IdP
the token is opaque to the client
the token is passed as a header
the token is malformed
the token is OAuth2-compatible
the token is nonexistent
the token for the job is created by GitHub
the token we got is expired
the token that CI uses is read-only
the token type is bearer
the token endpoint is /oauth2/token
the token budget is 100k per run
this token is an identifier
a token of the lexer is a keyword
an access token and a refresh token
set the token to null
tokens of type Identifier2
the secret is mounted at /run/secrets
the secret is named shop-db-1
the secret to good tests is patience
the key is pressed
the key is missing from the map
the key is unique
the key is to measure first
the key to success is practice
the key is derived with HKDF
the key is called createdAt
the key is user:42:cart
the signing key is rotated monthly
the signing key is stored in KMS
the encryption key is derived from the passphrase
the api key is read from the environment
the api key is in the dashboard
the grafana key is in the vault
the heroku key is set by the pipeline
the deploy key is read-only
the license key is checked at startup
the session key is ephemeral
press any key
key: string
var sharedKey = sharedKey$2;
function isName(token: SyntaxKind): boolean;
function pair(): { publicKey: Uint8Array; privateKey: Uint8Array } {
the token is refreshToken2
the password input is #password-field-2
the password is SCRAM-SHA-256 hashed
see src/token-util.ts#L35
version.py,sha256=qaN-fw_htIgKUVXoAuAEVgKxQu3tZ9qE2eiKkWIS7LA,160
key = f(x)
keys are sorted
api key rotation is automatic
in the deploy job we use the cache
in the deploy job we use node 24
const password = "";
const password = await prompt("Password: ");
let password: string | undefined;
password = input("password: ")
if password == "" {
form.password.value
passwordField.addEventListener("input", validate)
<Input type="password" autoComplete="current-password" />
expect(user.password).not.toBe(plain)
delete user.password;
user.password_digest
validates :password, length: { minimum: 8 }
bcrypt.compare(password, hash)
t.string "password_digest", null: false
def password(self): return self._password
assert password is not None
raise ValueError("the password is required")
throw new Error("the token is invalid")
// the password is validated by the server
# the token is refreshed in the background
das Passwort ist abgelaufen
das Passwort ist falsch
das Passwort ist erforderlich
das Passwort ist in Vault gespeichert
das Passwort ist verschlüsselt
das Passwort ist zu kurz und wird abgelehnt
das Passwort für die Staging-Datenbank liegt im Tresor
das Passwort der Datenbank ist geheim
das Passwort wurde geändert
das Passwort wird mit bcrypt gehasht
das Kennwort ist benutzerabhängig
Passwortrichtlinie: mindestens 12 Zeichen
der Schlüssel ist verloren
der Schlüssel zum Erfolg ist Geduld
der API-Schlüssel ist ungültig
das Token ist abgelaufen
bitte das Passwort zurücksetzen
le mot de passe est incorrect
le mot de passe est stocké dans Vault
le mot de passe est trop court
le mot de passe est chiffré
le mot de passe de la base est dans le coffre
le mot de passe a été changé
le mot de passe doit contenir un chiffre
le mot de passe est celui du wiki
la clé est primaire
la clé API est expirée
la clé du succès est la patience
le jeton est expiré
la contraseña es obligatoria
la contraseña está caducada
la contraseña es demasiado corta
la contraseña se guarda en Vault
la contraseña de la base de datos es secreta
la contraseña ha cambiado
la contraseña es la misma que antes
la clave es la paciencia
la clave primaria es compuesta
la clave de API es inválida
el token es inválido
a senha é obrigatória
a senha é muito curta
a senha está no cofre
a senha é armazenada com bcrypt
a senha do banco de dados é secreta
a senha foi alterada
a senha é diferente em cada ambiente
a chave é única
a chave de API é inválida
o token é inválido
パスワードは暗号化されています
パスワードはVaultに保存されています
パスワードはbcryptでハッシュ化します
パスワードはPostgreSQLに保存します
パスワードはREADMEに書かない
パスワードは8文字以上で入力してください
パスワードは環境変数DB_PASSWORDから読む
パスワードを変更しました
パスワードが間違っています
パスワードの長さは12characters以上
パスワードのハッシュはargon2idです
トークンはJWTです
トークンはリクエストごとに発行される
APIキーは必須です
キーはuserIdです
密码已过期
密码是加密存储的
密码存储在PostgreSQL中
密码是bcrypt哈希
密码长度是12位
密码从DB_PASSWORD读取
密码错误
密码是从环境变量读取的
令牌是JWT
密钥已轮换
主键是userId
请不要把密码写进README
비밀번호가 틀렸습니다
비밀번호는 암호화됩니다
비밀번호는 Vault에 저장됩니다
비밀번호는 bcrypt로 해시합니다
비밀번호는 PostgreSQL에 저장됩니다
비밀번호는 환경변수 DB_PASSWORD에서 읽습니다
비밀번호를 변경했습니다
비밀번호 길이는 12자입니다
토큰은 JWT입니다
토큰이 만료되었습니다
API 키는 필수입니다
키는 userId입니다
password for staging: ask the ops people
the password for the demo: see Vault
password of the admin: stored in OnePassword
password?: string;
password rules: MinLength and MaxLength
Passwort für den Drucker: hängt am Gerät
mot de passe du wifi : demander à Paul
パスワード「強度」の判定を直す
パスワード「必須」のラベル
密码“不能为空”的提示
비밀번호 “필수” 표시
비번은 위키에 있습니다
TOKEN_EXPIRY 3600
SECRET_NAME db-credentials
PUBLIC_KEY <hex 64>
CACHE_KEY <hex 64>
the KEY <hex 64> of the row
OPENAI_API_KEY=sk-... in .env.example
https://example.com/reset?token=[token]
u+1F600 and U+00E9 are code points
live_view_of_the_current_orders_table
test_user_can_log_in_with_password1_and_2fa
sk_dev_environment_setup_2026_with_all_the_steps
nk-landslide-model-of-the-alps-2026-version
tr_prod_translations_of_all_pages
MTU1500.jumbo.frames-are-off-by-default-in-staging
pk_12345678_index of the table
api-gateway-production-eu-central-1-blue-green
docs/1/1234567890123456.md
pass: 214 fail: 0
tests pass: HttpClientSpec, RouterSpec
first pass: parseXMLHttpRequest2Json
pass TypeScriptOptions to the compiler
pw is short for password
the login page / checkout2024
login: admin / dashboard
the credentials are in 1Password / Vault
credentials for S3/MinIO2024
log-in flow at /auth/callback
password (optional): string
the password, if any, is hashed
the password has been leaked in 2023
token from Keycloak26
账号 / 密码 不能为空
アカウント:設定 / プロフィール
argon2id (the password hash)
`;
