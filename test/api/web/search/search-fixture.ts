/** Domains over few values, so that searches match often, and a full scan of them to compare answers with. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { DomainRecord } from '../../../../src/model/record/domain-record.ts';
import { normaliseRecord } from '../../../../src/model/record/normalise.ts';
import type { TestServer } from '../../../harness/server/test-server.ts';

export const registrars = ['Ember & Ash', 'Reg "Two"', 'Päris = 3'];
export const hosts = ['ns1.dns.example', 'ns2.dns.example', 'ns1.velt.example'];
export const addresses = ['192.0.2.1', '192.0.2.2', '198.51.100.7'];
export const endings = ['com', 'example', 'co.uk'];

const record = fc.record(
  {
    registrar: fc.constantFrom(...registrars),
    create_date: fc.constantFrom('2026-01-01', '2026-02-02', '2026-03-03'),
    ip: fc.uniqueArray(fc.constantFrom(...addresses), { maxLength: 2 }).map((some) =>
      some.map((address) => ({
        address,
        country_code: address.startsWith('192') ? 'nl' : 'is',
        isp: 'Velt',
      })),
    ),
    name_server: fc
      .uniqueArray(fc.constantFrom(...hosts), { maxLength: 2 })
      .map((some) => some.map((host) => ({ host, domain: host.replace(/^ns\d\./, '') }))),
    domain_risk: fc.constantFrom(0, 40, 90, 100).map((risk_score) => ({ risk_score, components: [] })),
  },
  { requiredKeys: [] },
);

/** The same in every run. */
export function sampleRecords(count: number, seed: number): readonly DomainRecord[] {
  return fc.sample(record, { numRuns: count, seed }).map((members, index) => ({
    domain: `d${index}-${seed}.${endings[index % endings.length]}`,
    ...(members as Omit<DomainRecord, 'domain'>),
  }));
}

export async function writeRecords(server: TestServer, records: readonly DomainRecord[]): Promise<void> {
  const seenMs = server.clock.now();
  const normalised = records.map((one) => {
    const made = normaliseRecord(one);
    return 'record' in made ? made.record : assert.fail(JSON.stringify(made));
  });
  await server.domains.upsert(normalised.map((one) => ({ record: one, source: 'test', seenMs })));
}

export interface Parameter {
  readonly name: string;
  readonly value: string;
}

/** A base parameter and perhaps others. */
export const search: fc.Arbitrary<readonly Parameter[]> = fc
  .tuple(
    fc.oneof(
      given('registrar', registrars),
      given('ip', addresses),
      given('nameserver_host', hosts),
      given('isp_name', ['velt']),
    ),
    fc.array(
      fc.oneof(
        given('registrar', registrars),
        given('nameserver_host', hosts),
        given('tld', endings),
        given('ip_country_code', ['nl', 'is']),
        given('risk_score', ['0', '39', '40', '90']),
        given('create_date', ['2026-02-02', '>=2026-02-02', '<2026-02-02']),
      ),
      { maxLength: 2 },
    ),
  )
  .map(([base, filters]) => [base, ...filters]);

function given(name: string, values: readonly string[]): fc.Arbitrary<Parameter> {
  return fc.constantFrom(...values).map((value) => ({ name, value }));
}

export function addressOf(parameters: readonly Parameter[]): string {
  return new URLSearchParams(
    parameters.map(({ name, value }): [string, string] => [name, value] as const),
  ).toString();
}

/** A full scan. */
export function matching(records: readonly DomainRecord[], parameters: readonly Parameter[]): DomainRecord[] {
  return records.filter((one) => parameters.every((parameter) => hasValue(one, parameter)));
}

function hasValue(one: DomainRecord, { name, value }: Parameter): boolean {
  switch (name) {
    case 'registrar':
      return one.registrar === value;
    case 'ip':
      return (one.ip ?? []).some(({ address }) => address === value);
    case 'isp_name':
      return (one.ip ?? []).some(({ isp }) => isp?.toLowerCase() === value);
    case 'ip_country_code':
      return (one.ip ?? []).some(({ country_code }) => country_code === value);
    case 'nameserver_host':
      return (one.name_server ?? []).some(({ host }) => host === value);
    case 'tld':
      return one.domain.endsWith(`.${value}`);
    case 'risk_score':
      return (one.domain_risk?.risk_score ?? -1) > Number(value);
    case 'create_date': {
      const day = one.create_date;
      if (day === undefined) return false;
      if (value.startsWith('>=')) return day >= value.slice(2);
      return value.startsWith('<') ? day < value.slice(1) : day === value;
    }
    default:
      throw new Error(name);
  }
}

export const facetColumns = {
  registrar: ({ registrar }: DomainRecord) => (registrar === undefined ? [] : [registrar]),
  'ip.address': ({ ip = [] }: DomainRecord) => ip.map(({ address }) => address),
  'name_server.host': ({ name_server = [] }: DomainRecord) => name_server.map(({ host }) => host),
} as const;

/** Values with the number of records that have them, by value. */
export function grouped(
  records: readonly DomainRecord[],
  valuesOf: (record: DomainRecord) => readonly string[],
): ReadonlyMap<string, readonly DomainRecord[]> {
  const groups = new Map<string, DomainRecord[]>();
  for (const one of records)
    for (const value of new Set(valuesOf(one))) groups.set(value, [...(groups.get(value) ?? []), one]);
  return groups;
}

export function averageRisk(records: readonly DomainRecord[]): number | null {
  const scores = records.flatMap(({ domain_risk }) => domain_risk?.risk_score ?? []);
  if (scores.length === 0) return null;
  return Math.round((10 * scores.reduce((sum, score) => sum + score, 0)) / scores.length) / 10;
}
