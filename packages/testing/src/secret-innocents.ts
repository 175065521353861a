import { lookalikeLines } from "./secret-lookalikes.ts";

/** Lines that speak of secrets and hold none: sentences, settings and code as people and programs write them. */
export const innocentLines = (): readonly string[] => [
  ...LINES.trim().replaceAll("@{", "${").split("\n"),
  ...lookalikeLines(),
];

const LINES = `
the password is required
the password is wrong after the third attempt
the password is stored as bcrypt, never in clear
the password is at least 12 characters long
the password is hashed with argon2id before it is written
the password is changed every 90 days
the password was rotated on 2026-11-21
the password for the staging database is in the vault
the password is the same as the one for the wiki
the password must contain a digit and a sign
reset the password: instructions are in the handbook
ask ops for the password, it is not in this repository
passwords are compared in constant time
do not log passwords, tokens or cookies
the token is expired
the token is invalid or was revoked
the token is a JWT signed with RS256
the token is base64url-encoded and 43 characters long
the token is sha256-hashed before it is stored
the token is read from CHEST_API_TOKEN_FILE
the token is refreshed after 3600 seconds
the token is bound to one project
the token: the user must log in again
token: expired, log in again
tokens: 1500 in, 200 out
max_tokens: 4096
the tokenizer splits at blanks
tokenizer: unicode61
token_count = 12
the next token is a comma
a token of kind identifier
the secret is to write tests first
the secret is out: the launch is in May
his secret was a simple checklist
secret santa is on December 6
the secretary: Jane
a secretary of state
the api key is optional
the API key is passed in the x-api-key header
the api key is validated by the gateway
an API key: ask the operator
the access token is valid for 15 minutes
the private key is generated at the first start
the private key is kept in an HSM
the public key is 32 bytes
the signature is verified with ed25519
signature: (key: string) => void
the signature of the function changed in v2
authorization is done by the proxy
the Authorization header is missing
the Authorization header is checked on every route
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
Authorization: Bearer @{token}
Authorization: Basic <base64>
the bearer of this letter
bearer tokens are sent in the header
set-cookie is not forwarded
the cookie is HttpOnly and Secure
cookies are cleared at logout
cookie-parser is not needed with Fastify
PASSWORD=
PASSWORD=@{PASSWORD}
PASSWORD=$DB_PASSWORD
PASSWORD=<your password>
DB_PASSWORD: @{{ secrets.DB_PASSWORD }}
POSTGRES_PASSWORD_FILE=/run/secrets/db
API_KEY=your-api-key
API_KEY=xxxxxxxx
token: string
token?: string
token: string | undefined;
readonly password: string;
secret: z.string().min(32),
password: z.string(),
password: str
def login(user: str, password: str) -> Token:
func Login(user string, password string) error {
const token = await login(user, password);
const password = process.env.DB_PASSWORD;
const secret = readSecret("db");
const { token, secret } = config;
const apiKey = config.get("apiKey");
let token = tokens.next();
token = request.headers.authorization;
if (token === undefined) throw unauthorized();
if (!password) return;
return token.slice(0, 8);
this.token = token;
self.password = password
password = getpass.getpass()
os.environ["API_KEY"]
secret = os.getenv("SECRET_KEY")
token := os.Getenv("TOKEN")
var password = Environment.GetEnvironmentVariable("PASSWORD");
String password = System.getenv("PASSWORD");
$password = getenv('PASSWORD');
connect({ user, password });
headers: { authorization: header },
expect(token).toBeDefined();
import { hashPassword } from "./password.ts";
<input type="password" name="password">
<label for="password">Password</label>
password_confirmation: params[:password]
"password": null
"password": ""
"token": true
{"type":"object","properties":{"password":{"type":"string"}}}
"@fastify/cookie": "^11.0.0",
"cookie-signature": "1.2.2"
ALTER TABLE users ADD COLUMN password TEXT NOT NULL;
SELECT id FROM tokens WHERE hash = ?
CREATE INDEX tokens_member ON tokens (member_id);
git commit 1b9f3d0c4a5e6f708192a3b4c5d6e7f809a1b2c3
sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
integrity sha512-AAAABBBBCCCCDDDDEEEE
f81d4fae-7dec-11d0-a765-00a0c91e6bf6
https://example.com/login?next=/account
https://user@git.example.com/team/repo.git
http://localhost:8765/mcp
postgres://localhost:5432/shop
redis://cache:6379/0
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI is a public key
-----BEGIN CERTIFICATE-----
-----BEGIN PUBLIC KEY-----
sk-circle-fade-dot
the key is the project's name
key: value
the primary key is (member_id, key)
foreign key constraint failed
keyboard shortcuts: ctrl+k
log in with password and a second factor
log in with password or passkey
use the password from the vault
sign in with the password reset link
with token authentication enabled
and secret management with Vault
changed the password policy to 14 characters
set the token lifetime to 15m
パスワードは必須です
パスワードは12文字以上
トークンは期限切れです
密码是必填项
密码不能为空
令牌已过期
비밀번호는 필수입니다
비밀번호는 8자 이상
Das Passwort ist zu kurz
le mot de passe est obligatoire
la contraseña es incorrecta
docker run -d --name mysql -p3306:3306 mysql:8
docker run --name mysql -p 127.0.0.1:3306:3306 -p33060:33060/tcp mysql
docker run -p80:80 nginx
mysql -u root -p shop < dump.sql
mysql -u root -p
mysql -u root -p$MYSQL_PASSWORD shop
mysql -h db -P 3306 --protocol tcp
mysqldump -p"$PASS" shop
npm run mysql; mkdir -pv build/output
mysql is up when mysqladmin ping answers on -p 3306
mkdir -p path/to/folder
ssh -p 22 deploy@host
ssh -p 2222 deploy@host
psql -p 5432 -U app
cp -p source target
sshpass -p shows the password in the list of processes
sshpass -f ~/.ssh/pass ssh -p 22 deploy@host
sshpass -p "$PASS" ssh -p 2222 deploy@host
redis-cli -a prints a warning, use REDISCLI_AUTH
redis-cli -p 6380 ping
redis-cli -a $REDIS_PASS ping
git commit -a -m message
ls -a folder
lin_api_key is the name of the variable
ATATT is how tokens of Atlassian begin
ＰＡＳＳＷＯＲＤは必須です
ＡＰＩ：認証が要る
`;
