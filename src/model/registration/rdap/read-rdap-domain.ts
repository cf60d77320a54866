/** Reads an RDAP domain object (RFC 9083), in which every member is optional and untrusted. */
import { normaliseText } from '../../record/normalise-text.ts';
import { type ContactDraft, oneLine } from '../contact-draft.ts';
import { type JsonObject, objectIn, objectsIn, textIn, textsIn } from './json-value.ts';
import { readJcard } from './read-jcard.ts';

export interface RdapEntity {
  readonly handle: string | undefined;
  readonly roles: readonly string[];
  readonly contact: ContactDraft;
  /** IANA id of a registrar. */
  readonly ianaId: string | undefined;
  /** Nested entities, as the contacts of a registrar. */
  readonly within: readonly RdapEntity[];
}

export interface RdapLink {
  readonly href: string;
  readonly rel: string;
  readonly type: string;
}

export interface RdapDomain {
  /** Undefined where the answer does not name its domain. */
  readonly name: string | undefined;
  readonly handle: string;
  readonly conformance: readonly string[];
  readonly entities: readonly RdapEntity[];
  /** Dates as received, by action. */
  readonly events: ReadonlyMap<string, string>;
  readonly statuses: readonly string[];
  readonly nameservers: readonly string[];
  readonly links: readonly RdapLink[];
  readonly isSigned: boolean | undefined;
}

const entityDepthMax = 4;
const entitiesMax = 60;

/** Undefined for a value that is not a domain object. */
export function readRdapDomain(value: unknown): RdapDomain | undefined {
  const object = objectIn(value);
  if (object === undefined || textIn(object['objectClassName'])?.toLowerCase() !== 'domain') return undefined;
  const secure = objectIn(object['secureDNS']);
  const signed = secure?.['delegationSigned'];
  return {
    name: hostIn(object['ldhName']) ?? hostIn(object['unicodeName']),
    handle: lineIn(object['handle']),
    conformance: linesIn(object['rdapConformance']),
    entities: entitiesIn(object['entities'], 0, { left: entitiesMax }),
    events: eventsIn(object['events']),
    statuses: linesIn(object['status']),
    nameservers: objectsIn(object['nameservers']).flatMap(
      (server) => hostIn(server['ldhName']) ?? hostIn(server['unicodeName']) ?? [],
    ),
    links: objectsIn(object['links']).flatMap(linkOf),
    isSigned: typeof signed === 'boolean' ? signed : undefined,
  };
}

function lineIn(value: unknown): string {
  return oneLine(textIn(value) ?? '');
}

function linesIn(value: unknown): string[] {
  return textsIn(value)
    .map(oneLine)
    .filter((line) => line !== '');
}

function hostIn(value: unknown): string | undefined {
  const formed = normaliseText('host', textIn(value) ?? '');
  return 'text' in formed && formed.text !== '' ? formed.text : undefined;
}

function entitiesIn(value: unknown, depth: number, budget: { left: number }): RdapEntity[] {
  if (depth >= entityDepthMax) return [];
  return objectsIn(value).flatMap((object) => {
    if (budget.left <= 0) return [];
    budget.left -= 1;
    const handle = lineIn(object['handle']);
    return {
      handle: handle === '' ? undefined : handle,
      roles: linesIn(object['roles']).map((role) => role.toLowerCase()),
      contact: readJcard(object['vcardArray']),
      ianaId: ianaIdIn(object),
      within: entitiesIn(object['entities'], depth + 1, budget),
    };
  });
}

function ianaIdIn(entity: JsonObject): string | undefined {
  const named = objectsIn(entity['publicIds']).find(({ type }) => /iana/i.test(textIn(type) ?? ''));
  const id = named?.['identifier'];
  const text = typeof id === 'number' ? String(id) : lineIn(id);
  return /^\d{1,10}$/.test(text) ? text : undefined;
}

function eventsIn(value: unknown): ReadonlyMap<string, string> {
  const found = objectsIn(value).map(
    (event) => [lineIn(event['eventAction']).toLowerCase(), lineIn(event['eventDate'])] as const,
  );
  // The first of several wins.
  return new Map(found.filter(([action, date]) => action !== '' && date !== '').toReversed());
}

function linkOf(link: JsonObject): RdapLink[] {
  const href = lineIn(link['href']);
  return href === '' ? [] : [{ href, rel: lineIn(link['rel']), type: lineIn(link['type']).toLowerCase() }];
}
