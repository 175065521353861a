const BLANKS = "[ \\t]{1,3}";

/** Words for a secret in prose. Those of the groups `key` and `short` have other meanings, so the value must look like a secret. */
const WORDS = [
  "pass(?:word|wd|phrase|code)|pwd|token|secret",
  "passwort|kennwort|mot de passe|jeton|contraseña|senha|palavra[ -]passe|wachtwoord|парол[ья]",
  "パスワード|パスフレーズ|暗証番号|合言葉|トークン|密码|密碼|口令|令牌|비밀번호|비번|암호|패스워드|토큰",
  "(?<key>key|schlüssel|clé|clef|clave|chave|キー|鍵|密钥|密鑰|金鑰|키)",
  // Behind the longer words that begin so.
  "(?<short>(?:pass|pw|mdp)(?=[ \\t]{0,3}(?:[:：=(は是]|(?:is|ist|est|es|for|für|pour)[ \\t])))",
];

/** Finds words for a secret in prose. */
export const NAMING = new RegExp(WORDS.join("|"), "gi");

const VENDORS =
  "heroku|railway|codecov|cloudflare|datadog|circleci|hubspot|snyk|algolia|pagerduty|new relic|fastly|hetzner|linode|vultr|mailchimp|mandrill|airtable|pinecone|together|cohere|mistral|deepgram|assemblyai|twilio|azure|openai|sentry|rollbar|honeycomb|grafana|netlify|render|fly|dropbox|figma|notion|sonar|terraform|artifactory|buildkite|postman|stripe|okta|auth0|launchdarkly|intercom|zendesk|asana|jira|bitbucket|contentful|segment|amplitude|mixpanel|sendgrid|mailgun|postmark|elevenlabs|replicate|perplexity|firecrawl|scaleway|ovh|supabase|neon|upstash|wandb|comet|maps|nuget";
const OF_SECRETS =
  "api|access|secret|private|auth|authentication|encryption|decryption|signing|master|root|admin|hmac|aes|jwt|licen[sc]e|service|deploy|deployment|session|webhook|storage account|account|wallet|symmetric|shared|client|app";
/** Words before `key` that make it a secret. */
export const KEY_OF_SECRETS = new RegExp(
  `(?:^|[^\\p{L}\\p{N}.$])(?:(?:${VENDORS})(?:[ _-][a-z]{1,10})?|${OF_SECRETS}|[Aa][Pp][Ii])[ _-]?$|(?:API|アクセス|暗号|秘密|暗号化|署名|マスター|シークレット)[ ]?の?$|(?:访问|私|加密|主|签名|接口)$|(?:비밀|액세스|암호화|서명)[ ]?$`,
  "iu",
);
/** Words before `key` that make it a place or a row. */
export const KEY_OF_PLACES =
  /(?:cache|caching|public|primary|foreign|partition|sort|object|idempotency|dedup\w*|lookup|row|content|hash|index|map|routing|group|composite|natural|shard|s3|redis|file|build|storage|restore|fallback|etag|translation|i18n|query|react|list|unique|answer|host|gpg|ssh|öffentliche|publique|pública|公開|公钥|공개)[ _-]?$/iu;
/** The words for "secret" or "API" after a word for "key", in other European languages. */
export const KEY_ABROAD_OF_SECRETS =
  /^[ \t]?(?:d['’]|de[ \t]|da[ \t])?(?:api|secrète|secreta|privée|privada|acceso|acesso)(?![\p{L}\p{N}])/iu;

// Excludes sentences about something else: "the token length is", "the password of the field is".
const OTHER_HEAD =
  "and|or|but|if|when|while|because|unless|until|und|oder|aber|wenn|et|ou|mais|si|pero|mas|length|limit|size|type|algorithm|version|name|names|format|ids?|policy|lifetime|hash|digest|checksum|sha|field|column|variable|header|path|file|url|endpoint|commit|branch|request|is|was|are|were|has|must|can";
const LINK =
  "for|of|on|in|at|to|from|by|with|we|you|they|i|he|she|it|that|which|used|needed|given|set|here|there|behind|für|fuer|der|des|von|vom|zum|zur|auf|im|am|an|bei|zu|den|dem|das|die|unserer|unseres|de|du|des|pour|sur|dans|au|aux|à|que|qui|del|para|por|en|la|el|da|do|dos|das|no|na|em|d['’]\\p{L}{1,20}";
// "Password (staging):", "the password, by the way, is".
const ASIDE = "(?:[ \\t]{0,2}\\([^()\\n]{1,40}\\)|,[ \\t][^,.;:\\n]{1,40},)?";
const BETWEEN = `${ASIDE}(?:${BLANKS}(?:${LINK})(?:${BLANKS}(?!(?:${OTHER_HEAD})[ \\t])[^\\s!?;:,()"'\x60“”]{0,39}[^\\s.!?;:,()"'\x60“”]){0,8}?)?`;
const ADVERB =
  "now|still|just|simply|currently|always|actually|probably|temporarily|again|set to|changed to|reset to|derzeit|aktuell|jetzt|noch|immer|nun|weiterhin|actuellement|toujours|encore|maintenant|désormais|actualmente|ahora|siempre|todavía|aún|atualmente|agora|sempre|ainda|the following|folgendes|le suivant|la siguiente|a seguinte";
const COPULA =
  "is|was|has been|had been|will be|should be|must be|has to be|reads|became|remains|stays|equals|ist|lautet|war|wäre|wird|bleibt|heißt|heisst|est|était|sera|reste|devient|es|era|será|sigue siendo|queda|é|eh|fica|continua sendo|это";
/** Between name and value, for any value: "… for staging is currently". */
export const TELLS = new RegExp(
  `${BETWEEN}(?:${BLANKS}(?:${COPULA})|['’]s)(?:${BLANKS}(?:${ADVERB})){0,3}[ \\t]{0,3}:?${BLANKS}`,
  "iuy",
);
/** Between name and value if the value is being set: "… has been changed to". */
export const SETS = new RegExp(
  `${BETWEEN}${BLANKS}(?:(?:has been|was|is|got)${BLANKS})?(?:(?:set|changed|reset|rotated|updated)${BLANKS})?to${BLANKS}`,
  "iuy",
);
// French, Spanish and Portuguese put attributes after the name.
const WHICH = `(?:${BLANKS}(?!(?:${OTHER_HEAD})[ \\t])[\\p{L}-]{1,20}){1,3}`;
const CHANGED =
  "auf|(?:(?:a été|est|fue|ha sido|se|foi)[ \\t])?(?:changé|remplacé|mis|défini|réinitialisé|cambiad[oa]|cambió|cambié|cambiamos|alterad[oa]|mudad[oa]|mudou|alterou|trocad[oa]|definid[oa]|redefinid[oa])e?[ \\t](?:en|à|par|a|por|para|como)";
/** Between name and value if the value itself must look like a secret. */
export const MAY_TELL = new RegExp(
  `${BETWEEN}(?:${BLANKS}(?:wurde[ \\t])?(?:${CHANGED}|as|als|comme|como)${BLANKS}|[ \\t]{0,3}(?:[:：=]|->|→|[ \\t][—–-](?=[ \\t]))[ \\t]{0,3})|${WHICH}${BLANKS}(?:${COPULA})(?:${BLANKS}(?:${ADVERB})){0,3}${BLANKS}|${BLANKS}(?:(?:a|à|en|para|zu)${BLANKS})?|(?=[「『“])`,
  "iuy",
);
/**
 * Punctuation and copulas directly after a Chinese, Japanese or Korean word, or after a European word without a
 * sentence.
 */
export const DIRECT =
  /[ \t]{0,3}(?:は|が|是|为|為|은|는|이|가|это|ist|lautet|est|es|é|[:：=]|[ \t][—–-](?=[ \t])){1,2}[ \t]{0,3}/iuy;
/** Chinese, Japanese and Korean words before a value, with a particle or verb. */
export const EASTERN =
  /(?=[^\w\n。]{0,30}?(?:[はがをにも是为為成到用改：은는이가를을로]|として))(?:[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー、，（）()\t :：]|[「『“"'`](?=[\x21-\x7e])){1,30}/uy;
/** Nouns that make it a sentence about the composition or storage of a password. */
export const EASTERN_OTHER =
  /ハッシュ|アルゴリズム|形式|長さ|変数|テーブル|カラム|ファイル|バージョン|保存|期限|算法|加密|哈希|格式|长度|變數|变量|字段|文件|存储|保存|版本|过期|해시|알고리즘|형식|길이|변수|파일|버전|저장|만료/u;

const BEFORE_NAME =
  "(?:the|a|an|our|my|your|its|das|dem|unser|mein|der|le|la|mon|notre|comme|el|mi|nuestra|una|a|o|minha|nossa|uma)";
/** A value before its name: "… is the password", "use … as password". */
export const TOLD_BEFORE = new RegExp(
  `(?<![\\w!#$%&*+\\-./=?@^~])([\\w!#$%&*+\\-./=?@^~]{8,64})["'\x60”」]?(?:${BLANKS}(?:is|was|as|for|ist|war|als|est|comme|es|era|como|é)(?:${BLANKS}${BEFORE_NAME})?(?:${BLANKS}[\\p{L}-]{1,20}){0,3}${BLANKS}|[ \\t]?\\((?:${BEFORE_NAME}${BLANKS})?(?:[\\p{L}-]{1,20}${BLANKS}){0,2}|[ \\t]?(?:が|は|是|作为|作為|当作|を|가|이|을|를)[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul} ]{0,10})$`,
  "iu",
);

/** A name of an account with its password, behind a word for both: "the credentials are admin / …". */
export const CREDENTIALS =
  /(?<![\p{L}\p{N}])(?:credentials?|creds|log-?in|zugangsdaten|anmeldedaten|identifiants?|credencia(?:les|is)|ログイン情報|認証情報|アカウント|账号密码|账号|登录信息|帳號|계정(?: ?정보)?|로그인(?: ?정보)?)[^\n/／]{0,30}?[\s:：是は]{1,3}[\w.@-]{2,40}[ \t][/／][ \t]/giu;
