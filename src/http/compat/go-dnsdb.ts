/**
 * go-dnsdb escapes the pattern of a flexible search twice, and writes a space in the pattern to exclude as a plus sign, which other
 * clients send unescaped for a plus sign. Its other requests are like those of everybody else.
 */

/** A path of flexible search whose pattern has the form that escaping it twice produces, and nothing that it would have escaped. */
const escapedTwice =
  /^\/pdns\/v2\/(?:regex|glob)\/(?:rrnames|rdata)\/(?:[\w.~$&+=:@-]|%25[\dA-F]{2})+(?:\/[^/]*)?$/;
const flexible = /^\/pdns\/v2\/(?:regex|glob)\//;

/** It sends the name of Go's own HTTP client. */
export function isGoClient(userAgent: string | undefined): boolean {
  return userAgent?.startsWith('Go-http-client/') ?? false;
}

/** The path and query of a flexible search with everything escaped once; others unchanged. */
export function escapedOnce(path: string, query: string): string {
  if (!flexible.test(path)) return path + query;
  const corrected = escapedTwice.test(path) ? path.replaceAll('%25', '%') : path;
  return corrected + query.replaceAll('+', '%20');
}
