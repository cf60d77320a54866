/** Which matches of a monitor are not reported. */

export interface Exclusions {
  /** Host names with `*` for any text. A domain is excluded when all its name servers match. */
  readonly nameserverExclusions: readonly string[];
  /** A domain whose name contains one of them is excluded. */
  readonly textExclusions: readonly string[];
}

/** The exclusion that leaves a domain out. */
export interface FoundExclusion {
  readonly by: 'text' | 'name_server';
  readonly exclusion: string;
}

/** Names in punycode or Unicode, lower case. Unknown name servers exclude nothing. */
export function isExcluded(
  exclusions: Exclusions,
  names: readonly string[],
  nameServers: readonly string[],
): boolean {
  return findExclusion(exclusions, names, nameServers) !== undefined;
}

/** The first one; of name servers, the one that matches the first of them. */
export function findExclusion(
  { nameserverExclusions, textExclusions }: Exclusions,
  names: readonly string[],
  nameServers: readonly string[],
): FoundExclusion | undefined {
  const text = textExclusions.find((one) => names.some((name) => name.includes(one.toLowerCase())));
  if (text !== undefined) return { by: 'text', exclusion: text };
  let first: string | undefined;
  for (const host of nameServers) {
    const matching = nameserverExclusions.find((pattern) => fits(pattern, host));
    if (matching === undefined) return undefined;
    first ??= matching;
  }
  return first === undefined ? undefined : { by: 'name_server', exclusion: first };
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
