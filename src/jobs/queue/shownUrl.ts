import { isDecodable } from "../../spec/index.js";

const SCHEME = /\b(?:rediss?|postgres(?:ql)?):/i;

/** Whether the parts of a URL are sure. In `redis://user:1/2@host`, a mistake, any part can have the password. */
export function isServerUrl(url: string): boolean {
  if (!/^[a-z]+:\/\//i.test(url) || !URL.canParse(url)) return false;
  const { username, password, pathname, hash } = new URL(url);
  return hash === "" && isDecodable(username + password) && isDecodable(pathname) && !/[@:]|%40/.test(pathname);
}

/** Returns a URL for messages: with `***` for its password, and without its query, which may have a password too. */
export function shownUrl(url: string): string {
  if (!isServerUrl(url)) return "***";
  const parsed = new URL(url);
  if (parsed.password !== "") parsed.password = "***";
  // a name without a password is often the password of a Redis
  else if (parsed.username !== "" && /^rediss?:$/.test(parsed.protocol)) parsed.username = "***";
  parsed.search = "";
  return parsed.href;
}

/** Hides passwords. One ends at the last `@` of a line, or at the `…` where a message has cut the address. */
export function withoutPasswords(text: string): string {
  return text.replace(/.+/g, (line) => {
    const [scheme = ""] = SCHEME.exec(line) ?? [];
    const from = line.indexOf(scheme);
    const end = Math.max(line.lastIndexOf("@"), line.lastIndexOf("…"));
    return scheme === "" || end < from ? line : `${line.slice(0, from)}${scheme}//***@${line.slice(end + 1)}`;
  });
}
