/** The resources of TAXII 2.1 as they are written. Properties without a value are left out, as the standard wants it. */
import type { SharedCollection } from '../../product/sharing/collections.ts';
import type { ObjectPage, ObjectQuery } from '../../store/detect/sharing-store.ts';
import { microsecondText } from './instants.ts';
import { stixType, taxiiType } from './media-types.ts';

export function discoveryOf(rootUrl: string) {
  return {
    title: 'Nameglass',
    description: 'Domains that resemble protected names, and domains of high risk.',
    default: rootUrl,
    api_roots: [rootUrl],
  };
}

export function apiRootOf(bodyBytesMax: number) {
  return { title: 'Nameglass', versions: [taxiiType], max_content_length: bodyBytesMax };
}

export function collectionOnWire({ id, alias, title, description, isReadable }: SharedCollection) {
  return {
    id,
    title,
    description,
    alias,
    can_read: isReadable,
    can_write: false,
    media_types: [stixType],
  };
}

/** The texts of objects are written as they are kept. */
export function envelopeText(page: ObjectPage, query: ObjectQuery): string {
  const paging = pagingOf(page, query);
  if (page.versions.length === 0) return JSON.stringify(paging);
  const texts = page.versions.map(({ text }) => text);
  return `${JSON.stringify(paging).slice(0, -1)},"objects":[${texts.join(',')}]}`;
}

export function manifestOf(page: ObjectPage, query: ObjectQuery) {
  const objects = page.versions.map(({ id, added, version }) => ({
    id,
    date_added: microsecondText(added),
    version,
    media_type: stixType,
  }));
  return { ...pagingOf(page, query), ...(objects.length === 0 ? {} : { objects }) };
}

export function versionsOf(page: ObjectPage, query: ObjectQuery) {
  const versions = page.versions.map(({ version }) => version);
  return { ...pagingOf(page, query), ...(versions.length === 0 ? {} : { versions }) };
}

/** When the first and the last object of the page were added. */
export function dateHeaders({ versions }: ObjectPage): Readonly<Record<string, string>> {
  const [first, last] = [versions[0], versions.at(-1)];
  if (!first || !last) return {};
  return {
    'x-taxii-date-added-first': microsecondText(first.added),
    'x-taxii-date-added-last': microsecondText(last.added),
  };
}

/** A page may be empty and yet not the last: what was evaluated for it does not match. */
function pagingOf({ versions, isMore }: ObjectPage, { after }: ObjectQuery) {
  if (!isMore) return { more: false };
  return { more: true, next: String(versions.at(-1)?.added ?? Math.max(0, after)) };
}
