/** A URL for logs and messages, without credentials: no user info, no query. */
export function redactUrl(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.protocol}//${parsed.host}${parsed.pathname}` : 'an invalid URL';
}
