/** Data of records as they stand on the wire, from what the story says. Hostile text goes in as it is. */
import { parseRdata } from '../../../src/model/dns/rdata-text.ts';
import { type Mnemonic, typeOf } from '../../../src/model/dns/rr-type.ts';
import type { WorldDomain } from '../../world-domain.ts';

const stringBytesMax = 255;
const [refreshSeconds, retrySeconds, expireSeconds] = [7200, 900, 1_209_600];
export const negativeSeconds = 300;

/** Undefined for what no name server would take. */
export function rdataOf(type: Mnemonic, text: string): Uint8Array | undefined {
  return parseRdata(typeOf(type), text);
}

export function soaOf(nameServer: string, email: string, serial: number): Uint8Array | undefined {
  const numbers = `${serial} ${refreshSeconds} ${retrySeconds} ${expireSeconds} ${negativeSeconds}`;
  return rdataOf('SOA', `${nameServer}. ${mailboxName(email)} ${numbers}`);
}

export function domainSoa({ nameServers, soaEmail, changedMs, name }: WorldDomain): Uint8Array | undefined {
  return soaOf(nameServers[0] ?? `ns.${name}`, soaEmail, Math.floor(changedMs / 1000));
}

/** A text of any length, in as many strings as it takes. */
export function textRdata(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  const parts: Uint8Array[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += stringBytesMax) {
    const part = bytes.subarray(at, at + stringBytesMax);
    parts.push(Uint8Array.of(part.length), part);
  }
  return Buffer.concat(parts);
}

/** `first.last@x.zon` as the name `first\.last.x.zon.` (RFC 1035, section 8). */
function mailboxName(email: string): string {
  const at = email.lastIndexOf('@');
  const local = email
    .slice(0, at)
    .replace(/[^A-Za-z0-9-]/gu, (other) =>
      Array.from(Buffer.from(other), (byte) => `\\${String(byte).padStart(3, '0')}`).join(''),
    );
  return `${local}.${email.slice(at + 1)}.`;
}
