import { isHarmless } from "./harmless-value.ts";

// `user:password@`: the password may contain anything but a slash; a port with a query is none.
const USER_INFO =
  /([a-z][a-z0-9+.-]{0,30}:\/\/[^\s:/?#@"'<>`]{0,100}:)(?!\d{1,5}(?:[?#,;&)]|$))([^\s/"'<>`]{1,256})(?=@)/gi;
// Database passwords may contain slashes, although URLs do not allow them.
const DATABASE =
  /((?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|clickhouse):\/\/[^\s:/?#@"'<>`]{0,100}:)(?!\d{1,5}(?:[/?#]|$))([^\s"'<>`]{1,256})(?=@)/gi;
// A Go data source name: `user:password@tcp(host)`.
const GO_SOURCE = /(?<=(?:^|[^\w.-])[\w.-]{1,64}:)[^\s:@/"'`]{1,128}(?=@(?:tcp|unix)\()/g;
const PARAMETER = /([?&]([\w.~%-]{1,200})=)((?:\[REDACTED\])?[^&#\s"'<>`)\]},;]{0,8000})/g;

/** Replaces passwords and secret parameters of URLs and connection strings. */
export function redactUrls(text: string, isSecretName: (name: string) => boolean, replaced: () => string): string {
  const userInfo = (whole: string, before: string, password: string) =>
    isHarmless(password) ? whole : `${before}${replaced()}`;
  // Each of the three patterns needs an `@`; checking for it takes a hundredth of their time.
  const bare = text.includes("@")
    ? text
        .replace(DATABASE, userInfo)
        .replace(USER_INFO, userInfo)
        .replace(GO_SOURCE, (password) => (isHarmless(password) ? password : replaced()))
    : text;
  return bare.replace(PARAMETER, (whole, before: string, name: string, value: string) =>
    isSecretName(name) && !isHarmless(value) ? `${before}${replaced()}` : whole,
  );
}
