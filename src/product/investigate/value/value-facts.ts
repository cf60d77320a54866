/** What records say about a value itself: network and country of an address, the content of a certificate. */
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import { fold } from '../../../model/record/fold.ts';
import type { ValueKind } from './value-kinds.ts';

export type FactName =
  | 'country_code'
  | 'isp'
  | 'asn'
  | 'address'
  | 'domain'
  | 'common_name'
  | 'subject'
  | 'organization'
  | 'issuer_common_name'
  | 'alt_name'
  | 'not_before'
  | 'not_after';

export interface Fact {
  readonly name: FactName;
  readonly values: readonly string[];
  readonly more: number;
}

type Found = Readonly<Partial<Record<FactName, unknown>>>;

const valuesMax = 50;

/** Of all these records, each value once. */
export function factsOf(kind: ValueKind, value: string, records: readonly DomainRecord[]): readonly Fact[] {
  const facts = new Map<FactName, Set<string>>();
  for (const record of records) {
    for (const found of readers[kind](record, fold(value))) {
      for (const [name, content] of Object.entries(found) as [FactName, unknown][]) {
        const values = facts.get(name) ?? new Set();
        for (const one of [content].flat()) if (one !== undefined && one !== '') values.add(String(one));
        if (values.size > 0) facts.set(name, values);
      }
    }
  }
  return Array.from(facts, ([name, values]) => ({
    name,
    values: [...values].slice(0, valuesMax),
    more: Math.max(0, values.size - valuesMax),
  }));
}

const readers: Readonly<Record<ValueKind, (record: DomainRecord, folded: string) => readonly Found[]>> = {
  ip: ({ ip = [] }, folded) =>
    ip
      .filter(({ address }) => fold(address) === folded)
      .map(({ country_code, isp, asn }) => ({ country_code, isp, asn })),
  name_server: ({ name_server = [], mx = [] }, folded) =>
    [...name_server, ...mx]
      .filter(({ host }) => fold(host) === folded)
      .map(({ domain, ip }) => ({ domain, address: ip })),
  email: (_, folded) => [{ domain: folded.slice(folded.lastIndexOf('@') + 1) }],
  certificate: ({ ssl_info = [] }, folded) =>
    ssl_info
      .filter(({ hash }) => fold(hash) === folded)
      .map(
        ({ common_name, subject, organization, issuer_common_name, alt_names, not_before, not_after }) => ({
          common_name,
          subject,
          organization,
          issuer_common_name,
          alt_name: alt_names,
          not_before,
          not_after,
        }),
      ),
};
