/**
 * Which members of a record make a watched domain a changed one: those of DNS and of registration, and of them only what its
 * owner decides. Scores, certificates, web sites and screenshots are none of it, nor is where an address happens to be.
 */
import { isDeepStrictEqual } from 'node:util';

type Reduce = (value: unknown) => unknown;

const whole: Reduce = (value) => (Array.isArray(value) ? sorted(value) : value);

const hosts: Reduce = (value) =>
  sorted(listOf(value).map(({ host, priority }) => (priority === undefined ? host : `${priority} ${host}`)));

const addresses: Reduce = (value) => sorted(listOf(value).map(({ address }) => address));

/** The text of a WHOIS answer tells the time of day in many places. */
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
