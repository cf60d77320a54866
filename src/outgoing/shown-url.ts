/** What of a URL may be told and logged: a key stands in its query, or before its host, if anywhere. */
export function shownUrl(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.protocol}//${parsed.host}${parsed.pathname}` : 'what is given';
}
