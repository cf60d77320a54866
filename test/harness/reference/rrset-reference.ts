/**
 * Reference model of the rrset store: full scans over a list of observations. It shares only the model's types with
 * the stores.
 */
import { nameText } from '../../../src/model/dns/name.ts';
import { rdataText } from '../../../src/model/dns/rdata-text.ts';
import { namesIn } from '../../../src/model/dns/rdata-wire.ts';
import type { Rrset, Sighting } from '../../../src/model/dns/rrset.ts';
import { typeMatcher } from '../../../src/model/dns/type-selection.ts';
import type { Row, RowFilter, Scan, Selection, TextRow } from '../../../src/store/rrset-store.ts';

export const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** A row as comparable text. */
export function shown(
  row: Pick<Row, 'origin' | 'owner' | 'type' | 'bailiwick' | 'rdata'> & Sighting,
): string {
  const rdata = row.rdata.map(hex).sort().join(',');
  const bailiwick = row.bailiwick ? nameText(row.bailiwick) : '-';
  return `${row.origin} ${nameText(row.owner)} ${row.type} ${bailiwick} ${rdata} ${row.firstSeconds} ${row.lastSeconds} ${row.count}`;
}

export function shownText({
  text,
  type,
  firstSeconds,
  lastSeconds,
  count,
}: Omit<TextRow, 'wire' | 'position'>) {
  return `${text} ${type} ${firstSeconds} ${lastSeconds} ${count}`;
}

const lengths = [60, 3600, 86_400];
const patience = [7200, 172_800, 5_184_000, 63_072_000];

function startOf(unit: number, seconds: number): number {
  const length = lengths[unit];
  if (length !== undefined) return Math.floor(seconds / length) * length;
  const date = new Date(seconds * 1000);
  if (unit === 3) return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / 1000;
  return unit === 4 ? Date.UTC(date.getUTCFullYear(), 0) / 1000 : 0;
}

function endOf(unit: number, start: number): number {
  const length = lengths[unit];
  if (length !== undefined) return start + length;
  const date = new Date(start * 1000);
  const months = unit === 3 ? 1 : 12;
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months) / 1000;
}

function bucketOf({ firstSeconds, lastSeconds }: Sighting, now: number): { unit: number; start: number } {
  let unit = [0, 1, 2, 3, 4].find((one) => startOf(one, firstSeconds) === startOf(one, lastSeconds)) ?? 5;
  while (
    unit < 4 &&
    now - endOf(unit, startOf(unit, firstSeconds)) > (patience[unit] ?? Number.POSITIVE_INFINITY)
  ) {
    unit += 1;
  }
  return { unit, start: startOf(unit, firstSeconds) };
}

function merge<Of extends Sighting>(left: Of | undefined, right: Of): Of {
  if (!left) return right;
  return {
    ...left,
    firstSeconds: Math.min(left.firstSeconds, right.firstSeconds),
    lastSeconds: Math.max(left.lastSeconds, right.lastSeconds),
    count: left.count + right.count,
  };
}

const labelsOf = (name: Uint8Array) => {
  const labels: string[] = [];
  for (let at = 0; name[at]; at += (name[at] ?? 0) + 1) {
    labels.push(hex(name.subarray(at + 1, at + 1 + (name[at] ?? 0))));
  }
  return labels;
};

function isInSpan(name: Uint8Array, of: Uint8Array, span: string): boolean {
  const labels = labelsOf(name);
  const wanted = labelsOf(of);
  if (span === 'right') return wanted.every((label, index) => labels[index] === label);
  const tail = labels.slice(Math.max(0, labels.length - wanted.length));
  if (tail.join('.') !== wanted.join('.')) return false;
  const more = labels.length - wanted.length;
  return span === 'none' ? more === 0 : span === 'child' ? more === 1 : more >= 0;
}

function isSelected(selection: Selection, owner: Uint8Array, type: number, rdata: Uint8Array): boolean {
  if (selection.by === 'owner') return isInSpan(owner, selection.name, selection.span);
  if (selection.by === 'rdata-name') {
    return namesIn(type, rdata).some((name) => isInSpan(name, selection.name, selection.span));
  }
  if (selection.by === 'rdata-prefix') return hex(rdata).startsWith(hex(selection.bytes));
  if (type !== (selection.from.length === 4 ? 1 : 28)) return false;
  return hex(rdata) >= hex(selection.from) && hex(rdata) <= hex(selection.to);
}

function passes({ fences, countMin, countMax }: RowFilter, row: Sighting): boolean {
  return (
    row.firstSeconds <= (fences.firstBefore ?? Number.POSITIVE_INFINITY) &&
    row.firstSeconds >= (fences.firstAfter ?? 0) &&
    row.lastSeconds <= (fences.lastBefore ?? Number.POSITIVE_INFINITY) &&
    row.lastSeconds >= (fences.lastAfter ?? 0) &&
    row.count >= (countMin ?? 0) &&
    row.count <= (countMax ?? Number.POSITIVE_INFINITY)
  );
}

const knownSets = new WeakMap<readonly Rrset[], readonly Rrset[]>();

/** The observations without repeated rdata; made once for all scans of a list. */
function setsOf(observations: readonly Rrset[]): readonly Rrset[] {
  const known = knownSets.get(observations);
  if (known?.length === observations.length) return known;
  const sets = observations.map((one) => ({
    ...one,
    rdata: [...new Map(one.rdata.map((rdata) => [hex(rdata), rdata])).values()],
  }));
  knownSets.set(observations, sets);
  return sets;
}

/** Every row of a scan, in no order. */
export function rowsFor(observations: readonly Rrset[], scan: Scan): string[] {
  const { selection, filter, bailiwick, merged, nowSeconds } = scan;
  const matchesType = typeMatcher(filter.types);
  const forward = selection.by === 'owner';
  const sets = setsOf(observations);
  const singles = forward
    ? sets
    : sets.flatMap((one) => one.rdata.map((rdata) => ({ ...one, bailiwick: undefined, rdata: [rdata] })));
  const rows = new Map<string, (typeof singles)[number]>();
  for (const one of singles) {
    const first = one.rdata[0] as Uint8Array;
    if (!matchesType(one.type) || !isSelected(selection, one.owner, one.type, first)) continue;
    if (bailiwick && one.bailiwick && hex(bailiwick) !== hex(one.bailiwick)) continue;
    const { unit, start } = merged ? { unit: 0, start: 0 } : bucketOf(one, nowSeconds);
    const name = `${shown({ ...one, firstSeconds: 0, lastSeconds: 0, count: 0 })} ${unit} ${start}`;
    rows.set(name, merge(rows.get(name), one));
  }
  return [...rows.values()].filter((row) => passes(filter, row)).map(shown);
}

/** Every row of a search by text, in no order. */
export function textRowsFor(
  observations: readonly Rrset[],
  over: 'names' | 'rdata',
  matches: (text: string) => boolean,
  filter: RowFilter,
): string[] {
  const matchesType = typeMatcher(filter.types);
  const rows = new Map<string, Omit<TextRow, 'wire' | 'position'>>();
  for (const one of observations) {
    if (!matchesType(one.type)) continue;
    const { type, firstSeconds, lastSeconds, count } = one;
    const texts =
      over === 'names'
        ? [nameText(one.owner)]
        : [...new Set(one.rdata.map((rdata) => rdataText(type, rdata)))];
    for (const text of texts.filter(matches)) {
      const name = `${text} ${type}`;
      rows.set(name, merge(rows.get(name), { text, type, firstSeconds, lastSeconds, count }));
    }
  }
  return [...rows.values()].filter((row) => passes(filter, row)).map(shownText);
}
