/** Extracts the names from lines of a feed, one per line. Names that cannot be host names are skipped. */

/** The presentation form of other names contains escapes. */
const hostName = /^[a-z0-9_*-]{1,63}(?:\.[a-z0-9_-]{1,63})+$/;

const nameLengthMax = 253;

export function namesOfFeed(lines: Uint8Array): Uint8Array<ArrayBuffer> {
  const text = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength).toString('utf8');
  let names = '';
  for (const line of text.split('\n')) {
    const name = line === '' ? undefined : nameIn(line);
    if (name !== undefined) names += `${name}\n`;
  }
  return new TextEncoder().encode(names);
}

function nameIn(line: string): string | undefined {
  let domain: unknown;
  try {
    ({ domain } = JSON.parse(line) as { domain?: unknown });
  } catch {
    return undefined;
  }
  if (typeof domain !== 'string' || domain.length > nameLengthMax) return undefined;
  const name = domain.toLowerCase();
  return hostName.test(name) ? name : undefined;
}
