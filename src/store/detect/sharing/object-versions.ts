/** Rows of objects, and the pages that they make. */
import { stixInstant } from '../../../model/stix/stix-object.ts';
import type { StoredFlag } from '../rows/stored-json.ts';
import type { ObjectPage, ObjectQuery, SharedVersion, VersionChoice } from '../sharing-store.ts';

export interface ObjectRow {
  readonly added: number;
  readonly id: string;
  readonly type: string;
  readonly created_ms: number;
  readonly first: StoredFlag;
  readonly latest: StoredFlag;
  readonly revoked: StoredFlag;
  readonly content: string;
}

/** Of these the standard gives the time of creation, and they have no versions. */
export const markingType = 'marking-definition';

/** Of an id; they are few. */
export const versionsOfIdMax = 100;

/** Of rows that contain at least the first of those that match, one more than the page has, in any order. */
export function pageOf(rows: readonly ObjectRow[], query: ObjectQuery): ObjectPage {
  const matching = rows.filter(
    (row) => isChosen(row, query.versions) && (query.types?.includes(row.type) ?? true),
  );
  const distinct = [...new Map(matching.map((row) => [row.added, row])).values()].sort(
    (one, other) => one.added - other.added,
  );
  return {
    versions: distinct.slice(0, query.limit).map(versionOf),
    isMore: distinct.length > query.limit,
  };
}

function isChosen(row: ObjectRow, versions: VersionChoice): boolean {
  if (versions === 'all') return true;
  if ((versions.first && row.first) || (versions.last && row.latest)) return true;
  return versions.atMs.includes(Date.parse(versionText(row)));
}

function versionText({ type, added, created_ms }: ObjectRow): string {
  return stixInstant(type === markingType ? created_ms : Math.floor(added / 1000));
}

function versionOf(row: ObjectRow): SharedVersion {
  const { id, type, added } = row;
  return { id, type, added, version: versionText(row), text: textOf(row) };
}

/** Observables have no properties of versions, markings the time of creation alone. */
const unversioned = ['domain-name', 'ipv4-addr', 'ipv6-addr', markingType];

/** The content is JSON already, and a page has a thousand of them. */
function textOf({ id, type, added, created_ms, revoked, content }: ObjectRow): string {
  const isVersioned = !unversioned.includes(type);
  const head = {
    type,
    spec_version: '2.1',
    id,
    ...(isVersioned || type === markingType ? { created: stixInstant(created_ms) } : {}),
    ...(isVersioned ? { modified: stixInstant(Math.floor(added / 1000)) } : {}),
    ...(revoked ? { revoked: true } : {}),
  };
  return `${JSON.stringify(head).slice(0, -1)},${content.slice(1)}`;
}
