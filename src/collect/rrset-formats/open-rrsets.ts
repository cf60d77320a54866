/**
 * Assembles RRsets from single RRs. Sets stay open up to a limit, so that their RRs need not be adjacent; beyond it the oldest is
 * closed. A set with an unreadable RR is dropped, because without that RR it would be a different set.
 */
import { type Rrset, rdataBytesMax, rrsetBytesMax } from '../../model/dns/rrset.ts';

/** Approximate memory of an RR besides its bytes. */
const rrOverheadBytes = 128;

type RrsetFrame = Omit<Rrset, 'rdata'>;

export interface OpenRrset {
  readonly key: string;
  readonly frame: RrsetFrame;
  readonly rdata: Uint8Array[];
  rdataBytes: number;
  isSpoiled: boolean;
  /** A closed set accepts no more RRs. */
  isClosed: boolean;
  /** The set opened after it. Finding the oldest entry of a Map would scan its deleted slots. */
  newer: OpenRrset | undefined;
}

interface OpenRrsetsBounds {
  readonly setsMax: number;
  readonly bytesMax: number;
}

export class OpenRrsets {
  readonly #bounds: OpenRrsetsBounds;
  readonly #onClose: (key: string) => void;
  readonly #open = new Map<string, OpenRrset>();
  #oldest: OpenRrset | undefined;
  #newest: OpenRrset | undefined;
  #closed: Rrset[] = [];
  #bytes = 0;

  /** `onClose` is called for every set that is closed to make room. */
  constructor(bounds: OpenRrsetsBounds, onClose: (key: string) => void = () => undefined) {
    this.#bounds = bounds;
    this.#onClose = onClose;
  }

  find(key: string): OpenRrset | undefined {
    return this.#open.get(key);
  }

  open(key: string, frame: RrsetFrame): OpenRrset {
    const state = { rdataBytes: 0, isSpoiled: false, isClosed: false, newer: undefined };
    const set: OpenRrset = { key, frame, rdata: [], ...state };
    this.#open.set(key, set);
    if (this.#newest !== undefined) this.#newest.newer = set;
    this.#newest = set;
    this.#oldest ??= set;
    this.#bytes += rrOverheadBytes;
    this.#makeRoom();
    return set;
  }

  /** False when the set is spoiled, by this RR (`undefined`: unreadable) or by an earlier one. */
  add(set: OpenRrset, rdata: Uint8Array | undefined): boolean {
    const rdataBytes = set.rdataBytes + (rdata?.length ?? 0);
    if (rdata === undefined || rdata.length > rdataBytesMax || rdataBytes > rrsetBytesMax) this.#spoil(set);
    if (set.isSpoiled || rdata === undefined) return false;
    set.rdata.push(rdata);
    set.rdataBytes = rdataBytes;
    this.#bytes += rdata.length + rrOverheadBytes;
    this.#makeRoom();
    return true;
  }

  closeAll(): void {
    for (const set of this.#open.values()) this.#close(set);
    this.#open.clear();
    this.#oldest = undefined;
    this.#newest = undefined;
  }

  /** The sets closed since the last call. */
  drainClosed(): readonly Rrset[] {
    if (this.#closed.length === 0) return this.#closed;
    const closed = this.#closed;
    this.#closed = [];
    return closed;
  }

  #spoil(set: OpenRrset): void {
    this.#bytes -= set.rdataBytes + set.rdata.length * rrOverheadBytes;
    set.rdata.length = 0;
    set.rdataBytes = 0;
    set.isSpoiled = true;
  }

  /** The newest set is about to receive an RR, so it stays. */
  #makeRoom(): void {
    let set = this.#oldest;
    while (set?.newer !== undefined && this.#isFull()) {
      this.#open.delete(set.key);
      this.#close(set);
      this.#onClose(set.key);
      set = set.newer;
    }
    this.#oldest = set;
  }

  #isFull(): boolean {
    return this.#open.size > this.#bounds.setsMax || this.#bytes > this.#bounds.bytesMax;
  }

  #close(set: OpenRrset): void {
    set.isClosed = true;
    this.#bytes -= set.rdataBytes + (set.rdata.length + 1) * rrOverheadBytes;
    if (!set.isSpoiled && set.rdata.length > 0) this.#closed.push({ ...set.frame, rdata: set.rdata });
  }
}
