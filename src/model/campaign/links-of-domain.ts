/** What may link a domain to others in a campaign: values of its record, the picture of its page, and the pattern of its name. */
import { isTelling } from '../picture/difference-hash.ts';
import type { DomainRecord } from '../record/domain-record.ts';
import { fold } from '../record/fold.ts';
import { registrationOf } from '../record/registration.ts';
import { findSharedService } from '../record/shared-service.ts';
import type { Link } from '../risk/proximity/link.ts';
import { linksOf } from '../risk/proximity/links-of.ts';
import type { CampaignLinkKind, DomainLink } from './campaign.ts';

/** A value that a domain has now. */
export type CurrentLink = Pick<DomainLink, 'by' | 'attribute' | 'value'>;

export interface LinkSources {
  readonly domain: string;
  readonly record: DomainRecord | undefined;
  readonly perceptualHash: string | undefined;
}

const titleLettersMin = 8;
const titleCharactersMax = 200;
/** Present and past ones together: a hostile record may have thousands, and change them every hour. */
const linksMax = 40;

export function linksOfDomain({ domain, record, perceptualHash }: LinkSources): readonly CurrentLink[] {
  const shared = new Set(sharedAddresses(record));
  const found = linksOf(record, domain).flatMap((link): readonly CurrentLink[] => {
    const { attribute = '', value } = link;
    const by = kindOf(link);
    if (by === undefined) return [];
    // What the customers of a content delivery network or of a parking service share says nothing about who they are.
    if (by === 'name_server' && findSharedService(value) !== undefined) return [];
    if (by === 'ip' && shared.has(value)) return [];
    return [{ by, attribute, value }];
  });
  const title = findTitle(record, domain);
  return [
    ...found.filter(({ by }) => by !== 'naming'),
    ...(perceptualHash !== undefined && isTelling(perceptualHash)
      ? [{ by: 'picture', attribute: '', value: perceptualHash } as const]
      : []),
    ...(title === undefined ? [] : [{ by: 'page', attribute: 'website_title', value: title } as const]),
    ...found.filter(({ by }) => by === 'naming'),
  ];
}

function kindOf({ kind, attribute }: Link): CampaignLinkKind | undefined {
  switch (kind) {
    case 'certificate':
      return 'certificate';
    case 'tracker':
      return 'analytics';
    case 'registrant':
      return 'registrant';
    case 'e-mail':
      return attribute === 'soa_email' ? 'soa_email' : 'registrant';
    case 'name-server':
      return attribute === 'name_server.host' ? 'name_server' : undefined;
    case 'address':
      return 'ip';
    case 'naming-pattern':
      return 'naming';
    default:
      return undefined;
  }
}

function sharedAddresses(record: DomainRecord | undefined): readonly string[] {
  return (record?.ip ?? []).flatMap(({ address, isp }) =>
    isp !== undefined && findSharedService(isp) !== undefined ? [address] : [],
  );
}

/** A title that names the domain itself is shared with nobody, and a short one with too many. */
function findTitle(record: DomainRecord | undefined, domain: string): string | undefined {
  const title = fold(record?.website_title ?? '').slice(0, titleCharactersMax);
  const letters = title.replaceAll(/[^\p{L}]/gu, '').length;
  return letters < titleLettersMin || title.includes(domain) ? undefined : title;
}

export interface PastOptions {
  readonly nowMs: number;
  readonly rememberedMs: number;
  /** When the domain was registered, as far as known. */
  readonly registeredMs?: number | undefined;
}

/**
 * With what the domain had before, as long as it is remembered: who moves is found by where they were. What it had under another registrant, or before
 * it was registered anew, was somebody else's.
 */
export function withPastLinks(
  current: readonly CurrentLink[],
  before: readonly DomainLink[],
  { nowMs, rememberedMs, registeredMs = 0 }: PastOptions,
): readonly DomainLink[] {
  const known = new Map(before.map((link) => [keyOf(link), link]));
  const now = current.map((link) => {
    const { by, attribute, value } = link;
    return { by, attribute, value, firstMs: known.get(keyOf(link))?.firstMs ?? nowMs, lastMs: nowMs };
  });
  if (isTakenOver(current, before)) return now.slice(0, linksMax);
  const has = new Set(now.map(keyOf));
  const past = before
    .filter((link) => !has.has(keyOf(link)))
    .filter(({ firstMs, lastMs }) => lastMs > nowMs - rememberedMs && firstMs >= registeredMs)
    .toSorted((one, other) => other.lastMs - one.lastMs);
  return [...now, ...past].slice(0, linksMax);
}

/** It had registrants, and has none of them any more. */
function isTakenOver(current: readonly CurrentLink[], before: readonly DomainLink[]): boolean {
  const lastReadMs = Math.max(...before.map(({ lastMs }) => lastMs));
  const owners = before.filter(({ by, lastMs }) => by === 'registrant' && lastMs === lastReadMs);
  const now = new Set(current.filter(({ by }) => by === 'registrant').map(({ value }) => value));
  return owners.length > 0 && now.size > 0 && !owners.some(({ value }) => now.has(value));
}

export function registeredMsOf(record: DomainRecord | undefined): number | undefined {
  const ms = Date.parse((record && registrationOf(record).create_date) ?? '');
  return Number.isFinite(ms) ? ms : undefined;
}

/** Whether campaigns have to be found anew. */
export function areSameLinks(one: readonly DomainLink[], other: readonly DomainLink[]): boolean {
  const keys = new Set(one.map(keyOf));
  return one.length === other.length && other.every((link) => keys.has(keyOf(link)));
}

function keyOf({ by, attribute, value }: CurrentLink): string {
  return `${by} ${attribute} ${value}`;
}
