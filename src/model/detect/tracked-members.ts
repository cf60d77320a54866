/**
 * The members of a record whose changes are reported for watched domains: DNS and registration data that the owner controls. Scores, certificates,
 * web sites, screenshots and the location of addresses are not tracked.
 */
import { isDeepStrictEqual } from 'node:util';

type Reduce = (value: unknown) => unknown;

const whole: Reduce = (value) => (Array.isArray(value) ? sorted(value) : value);

const hosts: Reduce = (value) =>
  sorted(listOf(value).map(({ host, priority }) => (priority === undefined ? host : `${priority} ${host}`)));

const addresses: Reduce = (value) => sorted(listOf(value).map(({ address }) => address));

/** The text of a WHOIS response contains the time of the query. */
const parsed: Reduce = (value) => ({
  ...(value as object | undefined),
  record: undefined,
  fetched: undefined,
});

export const trackedMembers: ReadonlyMap<string, Reduce> = new Map<string, Reduce>([
  ['active', whole],
  ['ip', addresses],
  ['mx', hosts],
  ['name_server', hosts],
  ['spf_info', whole],
  ['soa_email', whole],
  ['parsed_whois', parsed],
  ['parsed_domain_rdap', parsed],
  ['registrant_contact', whole],
  ['admin_contact', whole],
  ['billing_contact', whole],
  ['technical_contact', whole],
  ['additional_whois_email', whole],
  ['registrar', whole],
  ['registrar_status', whole],
  ['registrant_name', whole],
  ['registrant_org', whole],
  ['create_date', whole],
  ['expiration_date', whole],
  ['email_domain', whole],
]);

export function isTrackedChange(member: string, before: unknown, after: unknown): boolean {
  const reduce = trackedMembers.get(member);
  return reduce !== undefined && !isDeepStrictEqual(reduce(before), reduce(after));
}

interface Item {
  readonly host?: string;
  readonly address?: string;
  readonly priority?: number;
}

function listOf(value: unknown): readonly Item[] {
  return Array.isArray(value) ? (value as Item[]) : [];
}

function sorted(items: readonly unknown[]): readonly unknown[] {
  return items.map((item) => JSON.stringify(item)).sort();
}
