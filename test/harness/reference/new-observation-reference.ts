/**
 * Reference model of newly observed RRsets: linear scans over lists of observations. It shares only the row order
 * with the stores.
 */
import { baseDomainOf } from '../../../src/model/base-domain.ts';
import { isAtOrBelow, nameText } from '../../../src/model/dns/name.ts';
import { namesIn } from '../../../src/model/dns/rdata-wire.ts';
import type { Rrset } from '../../../src/model/dns/rrset.ts';
import { forwardKeyOf } from '../../../src/store/rrset/segment/keys.ts';
import type { NewlyObservedRrset } from '../../../src/store/rrset-store.ts';
import { hex, shown } from './rrset-reference.ts';

/** A newly observed RRset as comparable text. */
export function newlyObservedText(observed: NewlyObservedRrset): string {
  const flags = [
    observed.baseDomain && `base:${nameText(observed.baseDomain)}`,
    observed.newRrset && 'rrset',
    observed.newName && 'name',
    observed.newType && 'type',
    observed.newDomain && 'newdomain',
    `rr:${observed.newRr.map(Number).join('')}`,
    observed.domain && `${observed.domain.kind}:${nameText(observed.domain.name)}`,
    observed.discovered && `discovered:${nameText(observed.discovered)}`,
    `hosts:${observed.newHosts.map((name) => nameText(name)).join(',')}`,
  ];
  return `${shown(observed.row)} ${flags.filter(Boolean).join(' ')}`;
}

/** The distinct RRsets of a batch, in store order. */
function rowsOf(batch: readonly Rrset[]): Rrset[] {
  const rows = new Map<string, Rrset>();
  for (const one of batch) {
    const rdata = [...new Map(one.rdata.map((bytes) => [hex(bytes), bytes])).values()].sort((left, right) =>
      Buffer.compare(left, right),
    );
    const key = hex(forwardKeyOf({ ...one, rdata }));
    const other = rows.get(key) ?? { ...one, count: 0 };
    rows.set(key, {
      ...one,
      rdata,
      firstSeconds: Math.min(one.firstSeconds, other.firstSeconds),
      lastSeconds: Math.max(one.lastSeconds, other.lastSeconds),
      count: one.count + other.count,
    });
  }
  return [...rows].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, row]) => row);
}

const isSame = (left: Uint8Array, right: Uint8Array) => hex(left) === hex(right);
const baseText = ({ owner }: Rrset) => {
  const base = baseDomainOf(owner);
  return base && nameText(base);
};

export function newlyObservedIn(
  before: readonly Rrset[],
  batch: readonly Rrset[],
  silenceSeconds: number,
): string[] {
  const sensed = before.filter(({ origin }) => origin === 'sensor');
  const rows = rowsOf(batch);
  const knownRows = new Set(rowsOf(before).map((row) => hex(forwardKeyOf(row))));
  const reported = new Set<string>();
  const once = (what: string) => !reported.has(what) && reported.add(what) !== undefined;
  const isKnownHost = (name: Uint8Array) =>
    sensed.some(
      ({ owner, type, rdata }) =>
        isSame(owner, name) || rdata.some((one) => namesIn(type, one).some((other) => isSame(other, name))),
    );

  return rows.map((row) => {
    const base = baseDomainOf(row.owner);
    const isSensed = row.origin === 'sensor';
    const atOrBelow = (list: readonly Rrset[]) =>
      list.filter(({ owner }) => base && isAtOrBelow(owner, base));
    const discovered =
      base && atOrBelow(before).length === 0 && once(`discovered ${nameText(base)}`) ? base : undefined;
    if (!isSensed) {
      const newRr = row.rdata.map(() => false);
      return newlyObservedText({
        row: { ...row, position: row.owner },
        baseDomain: base,
        newRrset: false,
        newName: false,
        newType: false,
        newRr,
        newDomain: false,
        domain: undefined,
        discovered,
        newHosts: [],
      });
    }
    const ofName = sensed.filter(({ owner }) => isSame(owner, row.owner));
    const ofType = ofName.filter(({ type }) => type === row.type);
    const ofDomain = atOrBelow(sensed);
    const newRr = row.rdata.map(
      (one) => !ofType.some(({ rdata }) => rdata.some((other) => isSame(one, other))),
    );
    const hosts = [row.owner, ...row.rdata.flatMap((one) => namesIn(row.type, one))].filter(
      (name) => name.length > 1 && !isKnownHost(name) && once(`host ${nameText(name)}`),
    );
    let domain: NewlyObservedRrset['domain'];
    if (base && once(`domain ${nameText(base)}`)) {
      const own = rows.filter((other) => other.origin === 'sensor' && baseText(other) === nameText(base));
      const minFirst = Math.min(...own.map(({ firstSeconds }) => firstSeconds));
      const lastKnown = Math.max(...ofDomain.map(({ lastSeconds }) => lastSeconds));
      if (ofDomain.length === 0) domain = { name: base, kind: 'first' };
      else if (lastKnown <= minFirst - silenceSeconds) domain = { name: base, kind: 'again' };
    }
    return newlyObservedText({
      row: { ...row, position: row.owner },
      baseDomain: base,
      newRrset: !knownRows.has(hex(forwardKeyOf(row))),
      newName: ofName.length === 0,
      newType: ofType.length === 0,
      newRr,
      newDomain: base !== undefined && ofDomain.length === 0,
      domain,
      discovered,
      newHosts: hosts,
    });
  });
}
