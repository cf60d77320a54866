/** Which matches of a monitor are not reported. */

export interface Exclusions {
  /** Host names with `*` for any text. A domain is excluded when all its name servers match. */
  readonly nameserverExclusions: readonly string[];
  /** A domain whose name contains one of them is excluded. */
  readonly textExclusions: readonly string[];
}

/** Names in punycode or Unicode, lower case. Unknown name servers exclude nothing. */
export function isExcluded(
  { nameserverExclusions, textExclusions }: Exclusions,
  names: readonly string[],
  nameServers: readonly string[],
): boolean {
  if (textExclusions.some((text) => names.some((name) => name.includes(text.toLowerCase())))) return true;
  if (nameServers.length === 0) return false;
  return nameServers.every((host) => nameserverExclusions.some((pattern) => fits(pattern, host)));
}

/** Glob matching without a regular expression: the parts between the stars in order, the first and the last anchored. */
function fits(pattern: string, host: string): boolean {
  const parts = pattern.toLowerCase().replace(/\.$/, '').split('*');
  const first = parts.shift() as string;
  const last = parts.pop();
  if (last === undefined) return host === first;
  if (!host.startsWith(first) || !host.endsWith(last) || host.length < first.length + last.length)
    return false;
  let at = first.length;
  for (const part of parts) {
    const found = host.indexOf(part, at);
    if (found < 0 || found + part.length > host.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}
