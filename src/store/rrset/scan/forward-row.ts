import { origins } from '../../../model/dns/packed-rrset.ts';
import type { Sighting } from '../../../model/dns/rrset.ts';
import type { Position, Row } from '../../rrset-store.ts';
import { type ForwardNames, forwardKeyOf, readForwardKey } from '../segment/keys.ts';

interface RowOptions {
  readonly position?: Position;
  /** Shared by the rows of a scan. */
  readonly names?: ForwardNames;
}

/** An RRset. Its position is rarely needed, so it is computed from the other fields on demand. */
export class ForwardRow implements Row {
  readonly origin: Row['origin'];
  readonly owner: Uint8Array;
  readonly type: number;
  readonly bailiwick: Uint8Array;
  readonly rdata: readonly Uint8Array[];
  readonly firstSeconds: number;
  readonly lastSeconds: number;
  readonly count: number;
  readonly #position: Position | undefined;

  constructor(
    key: Uint8Array,
    keyLength: number,
    { firstSeconds, lastSeconds, count }: Sighting,
    { position, names }: RowOptions = {},
  ) {
    const { owner, type, bailiwick, rdata, origin } = readForwardKey(key, keyLength, names);
    this.origin = origins[origin as 0 | 1];
    this.owner = owner;
    this.type = type;
    this.bailiwick = bailiwick;
    this.rdata = rdata;
    this.firstSeconds = firstSeconds;
    this.lastSeconds = lastSeconds;
    this.count = count;
    this.#position = position;
  }

  get position(): Position {
    return this.#position ?? forwardKeyOf(this);
  }
}
