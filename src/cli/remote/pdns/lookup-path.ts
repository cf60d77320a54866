/** Which path of passive DNS answers a question. */
import { isIP } from 'node:net';
import { hostIn, refanged } from '../given-names.ts';
import { usageFailure } from '../remote-failure.ts';

export interface Question {
  /** `rrset/name/example.com`, with everything encoded. */
  readonly path: string;
  /** As it was given, for messages. */
  readonly text: string;
}

/** What the flags `-r`, `-n` and `-i` name; without one, an address asks for data and anything else for a name. */
export type Kind = 'rrset' | 'name' | 'ip';

export function questionOf(given: string, kind: Kind | undefined, type: string | undefined): Question {
  const address = addressOf(given);
  const isAddress = kind === 'ip' || (kind === undefined && address !== undefined);
  if (isAddress) {
    if (address === undefined)
      throw usageFailure(`${given} is neither an address nor a prefix such as 192.0.2.0/24`);
    return { path: joined('rdata', 'ip', address, type), text: given };
  }
  const [name, ownType, bailiwick] = nameParts(given);
  const section = kind === 'name' ? 'rdata' : 'rrset';
  if (bailiwick !== undefined && section === 'rdata')
    throw usageFailure(`${given}: -n takes NAME or NAME/TYPE`);
  const asked = ownType ?? type ?? (bailiwick === undefined ? undefined : 'ANY');
  return { path: joined(section, 'name', name, asked, bailiwick), text: given };
}

/** `NAME[/TYPE[/BAILIWICK]]`, as dnsdbq writes it; a URL stands for its host. */
function nameParts(given: string): readonly [string, string | undefined, string | undefined] {
  const plain = refanged(given);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(plain)) return [hostIn(plain), undefined, undefined];
  const [name = '', type, bailiwick, ...others] = plain.split('/');
  if (name === '' || others.length > 0)
    throw usageFailure(`${given} is not NAME, NAME/TYPE or NAME/TYPE/BAILIWICK`);
  return [name, type || undefined, bailiwick || undefined];
}

/** An address, a prefix with its slash as a comma, or a range; undefined for a name. */
function addressOf(given: string): string | undefined {
  const plain = refanged(given);
  const [, base = plain, bits] = /^([^/,]+)[/,](\d{1,3})$/.exec(plain) ?? [];
  if (isIP(base)) return bits === undefined ? base : `${base},${bits}`;
  const [from = '', to = '', ...others] = plain.split('-');
  return isIP(from) && isIP(to) && others.length === 0 ? plain : undefined;
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts
    .filter((part) => part !== undefined)
    .map((part) =>
      encodeURIComponent(part).replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('*', '%2A'),
    )
    .join('/');
}
