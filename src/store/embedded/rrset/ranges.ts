/** Where in the keys the rows of a selection are. */
import type { Selection } from '../../rrset-store.ts';
import { groups, nameEnd, reversed } from './keys.ts';

/** A stretch of one part: keys that begin with `prefix`, and for addresses from `from` up to those that begin with `to`. */
export interface KeyRange {
  readonly part: 'forward' | 'inverse';
  readonly from: Uint8Array;
  /** Keys beyond those that begin with this are outside. */
  readonly upTo: Uint8Array;
  /** For names one label below: where in the key the name stands, and where its children begin. */
  readonly childAt?: number;
}

export function rangesOf(selection: Selection): KeyRange[] {
  if (selection.by === 'address') {
    const group = selection.from.length === 4 ? groups.ipv4 : groups.ipv6;
    return [{ part: 'inverse', from: after(group, selection.from), upTo: after(group, selection.to) }];
  }
  if (selection.by === 'rdata-prefix') {
    const { bytes } = selection;
    const fitting = [
      ...(bytes.length <= 4 ? [groups.ipv4] : []),
      ...(bytes.length <= 16 ? [groups.ipv6] : []),
      groups.raw,
    ];
    return fitting.map((group) => ({
      part: 'inverse',
      from: after(group, bytes),
      upTo: after(group, bytes),
    }));
  }
  const name = reversed(selection.name);
  const stretch = selection.span === 'none' ? name : name.subarray(0, name.length - 1);
  const forward = selection.by === 'owner';
  const prefix = forward ? stretch : after(groups.name, stretch);
  const child = selection.span === 'child' ? { childAt: prefix.length } : {};
  return [{ part: forward ? 'forward' : 'inverse', from: prefix, upTo: prefix, ...child }];
}

function after(first: number, bytes: Uint8Array): Uint8Array {
  const joined = new Uint8Array(bytes.length + 1);
  joined[0] = first;
  joined.set(bytes, 1);
  return joined;
}

/** Whether a key is past the range. It is not before it, since the search began there. */
export function isPast({ upTo }: KeyRange, key: Uint8Array, keyLength: number): boolean {
  const common = Math.min(keyLength, upTo.length);
  for (let index = 0; index < common; index += 1) {
    const difference = (key[index] as number) - (upTo[index] as number);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

/**
 * Where to go on from a key that is not exactly one label below: past the child whose descendants begin here, or to the first
 * child from the name itself. Undefined where the key is a child.
 */
export function beyondChild({ childAt }: KeyRange, key: Uint8Array): Uint8Array | undefined {
  if (childAt === undefined) return undefined;
  const label = key[childAt] as number;
  const childEnd = childAt + label + 1;
  if (label !== 0 && nameEnd(key, childAt) === childEnd + 1) return undefined;
  // No label is longer than 63 bytes, so this is past all that begin like the key.
  const next = key.slice(0, (label === 0 ? childAt : childEnd) + 1);
  next[next.length - 1] = label === 0 ? 1 : 0xff;
  return next;
}
