import { randomInt } from 'node:crypto';
import type { WireName } from '../../model/dns/rrset.ts';

export interface RecordGroup {
  readonly owner: WireName;
  readonly type: number;
  readonly rdata: Uint8Array[];
}

/** Random per process, against hash flooding. */
const factor = randomInt(2 ** 30) * 2 + 1;

/** Groups rdata by owner and type in a hash map keyed by numbers: string keys would cost more than the rest of parsing. */
export class RecordGroups {
  readonly #buckets = new Map<number, RecordGroup[]>();
  readonly #groups: RecordGroup[] = [];
  #last: RecordGroup | undefined;

  add(owner: WireName, type: number, rdata: Uint8Array): void {
    // Owners referenced by the same compression pointer share one array.
    if (this.#last?.owner !== owner || this.#last.type !== type) this.#last = this.#groupOf(owner, type);
    this.#last.rdata.push(rdata);
  }

  /** In order of first appearance. */
  all(): readonly RecordGroup[] {
    return this.#groups;
  }

  #groupOf(owner: WireName, type: number): RecordGroup {
    let number = type;
    for (let index = 0; index < owner.length; index++) {
      number = Math.imul(number ^ (owner[index] as number), factor);
    }
    const bucket = this.#buckets.get(number);
    const found = bucket?.find((group) => group.type === type && isSame(group.owner, owner));
    if (found) return found;
    const group = { owner, type, rdata: [] };
    this.#groups.push(group);
    if (bucket) bucket.push(group);
    else this.#buckets.set(number, [group]);
    return group;
  }
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return true;
}
