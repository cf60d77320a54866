/**
 * The Common Output Format as other servers write it: names without the final dot, and always the plain pair of times, which
 * clients require; a record from a zone file has the pair of zone times as well.
 */
import { nameText } from '../../model/dns/name.ts';
import { rdataText } from '../../model/dns/rdata-text.ts';
import { type Mnemonic, typeNumber, typeText } from '../../model/dns/rr-type.ts';
import type { Row } from '../../store/rrset-store.ts';
import { quoted, type TimeText, timePair } from './record-text.ts';

export type TypeText = (type: number) => string;

/** Always a string. */
export const namedType: TypeText = (type) => `"${typeText(type)}"`;

/** Rare mnemonics that dnspython, and so PyPDNS, does not know. */
const rare = [
  'NSAP-PTR',
  'EID',
  'NIMLOC',
  'ATMA',
  'SINK',
  'RKEY',
  'TALINK',
  'DSYNC',
  'HHIT',
  'BRID',
  'UINFO',
  'UID',
  'GID',
  'NXNAME',
  'DOA',
  'RESINFO',
  'WALLET',
  'CLA',
  'IPN',
] as const satisfies readonly Mnemonic[];
const rareTypes: ReadonlySet<number | undefined> = new Set(rare.map(typeNumber));

/** A string where every client knows the mnemonic; otherwise a number, as the draft provides for. */
export const portableType: TypeText = (type) => {
  const text = typeText(type);
  return rareTypes.has(type) || text === `TYPE${type}` ? String(type) : `"${text}"`;
};

export function cofObject(row: Row, timeText: TimeText, type: TypeText): string {
  const { count, firstSeconds, lastSeconds } = row;
  const zone = row.origin === 'zone' ? `,${timePair('zone_', firstSeconds, lastSeconds, timeText)}` : '';
  const head = `{"count":${count},${timePair('', firstSeconds, lastSeconds, timeText)}${zone}`;
  const name = quoted(withoutFinalDot(nameText(row.owner)));
  const from = row.bailiwick ? `,"bailiwick":${quoted(withoutFinalDot(nameText(row.bailiwick)))}` : '';
  const data = row.rdata.map((member) => quoted(withoutFinalDots(rdataText(row.type, member)))).join(',');
  return `${head},"rrname":${name},"rrtype":${type(row.type)}${from},"rdata":[${data}]}`;
}

/** In presentation format only names end in a dot, except within a quoted string. */
const words = /"(?:[^"\\]|\\.)*"|[^ "]+/g;

function withoutFinalDots(rdata: string): string {
  if (!rdata.includes('. ')) return withoutFinalDot(rdata);
  return rdata.replaceAll(words, (word) => (word.startsWith('"') ? word : withoutFinalDot(word)));
}

/** The root stays a dot, also as the last word of rdata. */
function withoutFinalDot(text: string): string {
  return /[^ .]\.$/.test(text) || text.endsWith('\\..') ? text.slice(0, -1) : text;
}
