/**
 * What changed inside a member of a record, leaf by leaf: the history keeps whole members. Entries of a list are the same if they have the
 * same identity (an address, a host, a hash), and lists of plain values are compared as sets.
 */

export interface LeafChange {
  /** Where in the member: names, and the identity of an entry of a list. Empty for the member itself, or for an entry of its list. */
  readonly path: readonly string[];
  /** Undefined if absent. */
  readonly before: unknown;
  readonly after: unknown;
}

/** What identifies an entry of a list, in the order of preference. */
const identities = ['address', 'host', 'hash', 'name'];
/** A change of more leaves than anyone reads is cut. */
const leavesMax = 200;

/** When and from where something was fetched is no change. */
const ignored: ReadonlySet<string> = new Set(['fetched', 'sources']);

export function leafChanges(before: unknown, after: unknown): readonly LeafChange[] {
  const changes: LeafChange[] = [];
  compare(before, after, [], changes);
  return changes.slice(0, leavesMax);
}

type Members = Readonly<Record<string, unknown>>;

function compare(before: unknown, after: unknown, path: readonly string[], changes: LeafChange[]): void {
  if (changes.length >= leavesMax || isSame(before, after)) return;
  if (
    Array.isArray(before ?? []) &&
    Array.isArray(after ?? []) &&
    (Array.isArray(before) || Array.isArray(after))
  )
    compareLists((before ?? []) as unknown[], (after ?? []) as unknown[], path, changes);
  else if (isObject(before) && isObject(after)) compareMembers(before, after, path, changes);
  else if (isObject(before) && after === undefined) compareMembers(before, {}, path, changes);
  else if (before === undefined && isObject(after)) compareMembers({}, after, path, changes);
  else changes.push({ path, before, after });
}

function compareMembers(
  before: Members,
  after: Members,
  path: readonly string[],
  changes: LeafChange[],
): void {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (!ignored.has(name)) compare(before[name], after[name], [...path, name], changes);
  }
}

function compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  path: readonly string[],
  changes: LeafChange[],
): void {
  const [old, now] = [byIdentity(before), byIdentity(after)];
  for (const [identity, entry] of old) {
    if (!now.has(identity)) changes.push({ path, before: shownEntry(entry, identity), after: undefined });
  }
  for (const [identity, entry] of now) {
    if (!old.has(identity)) changes.push({ path, before: undefined, after: shownEntry(entry, identity) });
    else if (isObject(entry)) compare(old.get(identity), entry, [...path, identity], changes);
  }
}

/** Of entries with the same identity the last one counts. */
function byIdentity(entries: readonly unknown[]): ReadonlyMap<string, unknown> {
  return new Map(entries.map((entry) => [identityOf(entry), entry]));
}

function identityOf(entry: unknown): string {
  if (!isObject(entry)) return String(entry);
  const name = identities.find((one) => typeof entry[one] === 'string');
  return name === undefined ? JSON.stringify(entry) : String(entry[name]);
}

/** A plain value stays what it is; an entry with members is shown by its identity. */
function shownEntry(entry: unknown, identity: string): unknown {
  return isObject(entry) ? identity : entry;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSame(before: unknown, after: unknown): boolean {
  return before === after || JSON.stringify(before) === JSON.stringify(after);
}
