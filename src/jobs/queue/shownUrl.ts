import { isDecodable } from "../../spec/index.js";

const SCHEME = /\b(?:rediss?|postgres(?:ql)?):/i;

/** Whether it is certain where a URL's password is. In the wrong URL `redis://user:1/2@host`, it may be in any part. */
export function isServerUrl(url: string): boolean {
  if (!/^[a-z]+:\/\//i.test(url) || !URL.canParse(url)) return false;
  const { username, password, pathname, hash } = new URL(url);
  return hash === "" && isDecodable(username + password) && isDecodable(pathname) && !/[@:]|%40/.test(pathname);
}

/** Returns a URL for messages, with `***` as its password. Leaves out the query, which may contain a password too. */
export function shownUrl(url: string): string {
  if (!isServerUrl(url)) return "***";
  const parsed = new URL(url);
  if (parsed.password !== "") parsed.password = "***";
  // a user name without a password is often the password of a Redis server
  else if (parsed.username !== "" && /^rediss?:$/.test(parsed.protocol)) parsed.username = "***";
  parsed.search = "";
  return parsed.href;
}

/** Hides passwords. A password ends at the last `@` of a line, or at the `…` where a message has cut the URL. */
export function withoutPasswords(text: string): string {
  return text.replace(/.+/g, (line) => {
    const [scheme = ""] = SCHEME.exec(line) ?? [];
    const from = line.indexOf(scheme);
    const end = Math.max(line.lastIndexOf("@"), line.lastIndexOf("…"));
    return scheme === "" || end < from ? line : `${line.slice(0, from)}${scheme}//***@${line.slice(end + 1)}`;
  });
}
