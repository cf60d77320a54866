/** What the domains of a pack have in common, which is why they are one cluster. */
import type { DomainRecord } from '../../model/record/domain-record.ts';
import { registrationOf } from '../../model/record/registration.ts';
import type { SubjectFacts } from './pack-facts.ts';
import { plainText } from './plain-text.ts';

interface SharedValue {
  readonly what: string;
  /** Written by third parties, cleaned. */
  readonly value: string;
  /** Punycode. */
  readonly domains: readonly string[];
}

const sharedMax = 20;

/** Values of at least two domains, those of the most first. */
export function sharedValues(subjects: readonly SubjectFacts[]): readonly SharedValue[] {
  const found = new Map<
    string,
    { readonly what: string; readonly value: string; readonly domains: Set<string> }
  >();
  for (const { domain, record } of subjects)
    for (const [what, value] of record ? valuesOf(record) : []) {
      const key = `${what}\0${value}`;
      const entry = found.get(key) ?? { what, value, domains: new Set() };
      entry.domains.add(domain);
      found.set(key, entry);
    }
  return [...found.values()]
    .filter(({ domains }) => domains.size > 1)
    .sort((one, other) => other.domains.size - one.domains.size)
    .slice(0, sharedMax)
    .map(({ what, value, domains }) => ({ what, value: plainText(value), domains: [...domains] }));
}

function valuesOf(record: DomainRecord): readonly (readonly [what: string, value: string])[] {
  const { registrar, registrant_name, registrant_org, registrant_contact } = registrationOf(record);
  const codes = [
    record.analytics_code,
    record.ad_tracker_code,
    ...(record.analytics_v4_codes ?? []),
    ...(record.tag_manager_codes ?? []),
  ];
  const values: readonly (readonly [string, readonly (string | undefined)[]])[] = [
    ['Tracking code of the web site', codes],
    ['E-mail of the registrant', registrant_contact?.email ?? []],
    ['Registrant', [registrant_org ?? registrant_name]],
    ['Address', (record.ip ?? []).map(({ address }) => address)],
    ['Name server', (record.name_server ?? []).map(({ host }) => host)],
    ['Mail server', (record.mx ?? []).map(({ host }) => host)],
    ['E-mail in the SOA record', record.soa_email ?? []],
    ['Certificate (SHA-1)', (record.ssl_info ?? []).slice(0, 1).map(({ hash }) => hash)],
    ['Redirects to', [record.redirect_domain]],
    ['Registrar', [registrar]],
  ];
  return values.flatMap(([what, texts]) =>
    texts.filter((text) => text !== undefined && text !== '').map((text) => [what, text as string] as const),
  );
}
