/** The key ranges that contain the rows of a selection. */
import type { Selection } from '../../rrset-store.ts';
import { inverseKinds, nameEnd, reverseLabels } from '../segment/keys.ts';

/** A range of keys of one table, from `from` through all that begin with `upTo`. For a prefix both are the same. */
export interface KeyRange {
  readonly table: 'forward' | 'inverse';
  readonly from: Uint8Array;
  readonly upTo: Uint8Array;
  /** For names exactly one label below: the offset in the key at which the labels of children begin. */
  readonly childAt?: number;
}

export function rangesOf(selection: Selection): KeyRange[] {
  if (selection.by === 'address') {
    const kind = selection.from.length === 4 ? inverseKinds.ipv4 : inverseKinds.ipv6;
    return [{ table: 'inverse', from: prepend(kind, selection.from), upTo: prepend(kind, selection.to) }];
  }
  if (selection.by === 'rdata-prefix') {
    const { bytes } = selection;
    const kinds = [
      ...(bytes.length <= 4 ? [inverseKinds.ipv4] : []),
      ...(bytes.length <= 16 ? [inverseKinds.ipv6] : []),
      inverseKinds.raw,
    ];
    return kinds.map((kind) => ({
      table: 'inverse',
      from: prepend(kind, bytes),
      upTo: prepend(kind, bytes),
    }));
  }
  const name = reverseLabels(selection.name);
  const labels = selection.span === 'none' ? name : name.subarray(0, name.length - 1);
  const forward = selection.by === 'owner';
  const prefix = forward ? labels : prepend(inverseKinds.name, labels);
  const child = selection.span === 'child' ? { childAt: prefix.length } : {};
  return [{ table: forward ? 'forward' : 'inverse', from: prefix, upTo: prefix, ...child }];
}

function prepend(first: number, bytes: Uint8Array): Uint8Array {
  const joined = new Uint8Array(bytes.length + 1);
  joined[0] = first;
  joined.set(bytes, 1);
  return joined;
}

/** Whether a key is past the range. It is not before it, since the scan began there. */
export function isPast({ upTo }: KeyRange, key: Uint8Array, keyLength: number): boolean {
  const common = Math.min(keyLength, upTo.length);
  for (let index = 0; index < common; index += 1) {
    const difference = (key[index] as number) - (upTo[index] as number);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

/**
 * Where to seek from a key that is not exactly one label below: past all descendants of a child, or from the name itself to its
 * first child. Undefined where the key is that of a child.
 */
export function beyondChild({ childAt }: KeyRange, key: Uint8Array): Uint8Array | undefined {
  if (childAt === undefined) return undefined;
  const label = key[childAt] as number;
  const childEnd = childAt + label + 1;
  if (label !== 0 && nameEnd(key, childAt) === childEnd + 1) return undefined;
  // No label is longer than 63 bytes, so this sorts after all keys with the same prefix.
  const next = key.slice(0, (label === 0 ? childAt : childEnd) + 1);
  next[next.length - 1] = label === 0 ? 1 : 0xff;
  return next;
}
