/** Returns a URL for messages: with `***` instead of its password, and without its query, which may have one too. */
export function shownUrl(url: string): string {
  if (!URL.canParse(url)) return url.replace(/:\/\/.*@/, "://***@").replace(/\?.*/, "");
  const parsed = new URL(url);
  if (parsed.password !== "") parsed.password = "***";
  parsed.search = "";
  return parsed.href;
}
