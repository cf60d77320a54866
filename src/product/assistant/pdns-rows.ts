/** Passive DNS for answers: counts and times are ours, names and data are not. */
import { nameText } from '../../model/dns/name.ts';
import { rdataText } from '../../model/dns/rdata-text.ts';
import { typeText } from '../../model/dns/rr-type.ts';
import type { Row, TextRow } from '../../store/rrset-store.ts';
import { instantOfMs } from './plain-values.ts';
import { type Detail, fullDetail, type ThirdParties, thirdParties } from './third-parties.ts';

export interface PdnsRow extends ThirdParties {
  readonly rrtype: string;
  readonly count: number;
  readonly first: string;
  readonly last: string;
  /** Seen by sensors, or listed in zone files. */
  readonly origin: 'sensor' | 'zone';
}

export function pdnsRow(row: Row, detail: Detail = fullDetail): PdnsRow {
  const { type, rdata } = row;
  // An RRset may have thousands of records; converting a few more than are shown is enough to count the rest.
  const texts = rdata.slice(0, detail.valuesMax).map((member) => rdataText(type, member));
  const { more_values: _, ...fields } = thirdParties({ rrname: nameText(row.owner), rdata: texts }, detail);
  const more = rdata.length - texts.length;
  return {
    ...sighting(row),
    origin: row.origin === 'zone' ? 'zone' : 'sensor',
    ...fields,
    ...(more > 0 ? { more_values: { rdata: more } } : {}),
  };
}

/** Of a flexible search, which knows no data of names and no names of data. */
export function pdnsTextRow(row: TextRow, over: 'rrnames' | 'rdata'): Omit<PdnsRow, 'origin'> {
  const fields = over === 'rrnames' ? { rrname: row.text } : { rdata: row.text };
  return { ...sighting(row), ...thirdParties(fields) };
}

function sighting({ type, count, firstSeconds, lastSeconds }: Row | TextRow) {
  return { rrtype: typeText(type), count, first: timeOf(firstSeconds), last: timeOf(lastSeconds) };
}

const lastSecond = 253_402_300_799;

export function timeOf(seconds: number): string {
  return instantOfMs(Math.min(seconds, lastSecond) * 1000);
}
