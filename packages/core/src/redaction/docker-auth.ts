const AUTH =
  /(?<![A-Za-z0-9])auth(\\{0,7}["']?[ \t]{0,9}[:=]\s{0,40}\\{0,7}["']?)([A-Za-z0-9+/]{7,4000}={0,2})(?![\w+/=-])/g;
const IS_PRINTED = /^[\x20-\x39\x3b-\x7e]+:[\x20-\x7e]+$/;

/** Replaces `auth` in Docker and npm configuration: name and password, encoded together. */
export function redactDockerAuth(text: string, replaced: () => string): string {
  return text.replace(AUTH, (whole, sign: string, value: string) =>
    IS_PRINTED.test(Buffer.from(value, "base64").toString("latin1")) ? `auth${sign}${replaced()}` : whole,
  );
}
