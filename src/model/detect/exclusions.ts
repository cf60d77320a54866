/** What the owner of a monitor does not want to hear of. */

export interface Exclusions {
  /** Host names, `*` stands for any text. A domain is left out where all its name servers match. */
  readonly nameserverExclusions: readonly string[];
  /** A domain whose name contains one of them is left out. */
  readonly textExclusions: readonly string[];
}

/** Names in punycode or Unicode, lower case. Name servers that are not known yet exclude nothing. */
export function isExcluded(
  { nameserverExclusions, textExclusions }: Exclusions,
  names: readonly string[],
  nameServers: readonly string[],
): boolean {
  if (textExclusions.some((text) => names.some((name) => name.includes(text.toLowerCase())))) return true;
  if (nameServers.length === 0) return false;
  return nameServers.every((host) => nameserverExclusions.some((pattern) => fits(pattern, host)));
}

/** Without a regular expression: the pieces between the stars one after another, the first and the last at the ends. */
function fits(pattern: string, host: string): boolean {
  const pieces = pattern.toLowerCase().replace(/\.$/, '').split('*');
  const first = pieces.shift() as string;
  const last = pieces.pop();
  if (last === undefined) return host === first;
  if (!host.startsWith(first) || !host.endsWith(last) || host.length < first.length + last.length)
    return false;
  let at = first.length;
  for (const piece of pieces) {
    const found = host.indexOf(piece, at);
    if (found < 0 || found + piece.length > host.length - last.length) return false;
    at = found + piece.length;
  }
  return true;
}
