/**
 * Rdata from presentation to wire format, with a cache of NS rdata: name servers repeat from line to line, other data too rarely.
 * The result may be shared and must not be modified.
 */
import { parseRdata } from '../../model/dns/rdata-text.ts';
import { typeOf } from '../../model/dns/rr-type.ts';
import type { WireName } from '../../model/dns/rrset.ts';

const entriesMax = 8192;
const rememberedCharsMax = 255;
const ns = typeOf('NS');

export class RdataReader {
  readonly #origin: WireName | undefined;
  readonly #nameServers = new Map<string, Uint8Array>();

  /** Relative names in rdata are completed with `origin`; without it they count as absolute. */
  constructor(origin?: WireName) {
    this.#origin = origin;
  }

  read(type: number, text: string): Uint8Array | undefined {
    if (type !== ns || text.length > rememberedCharsMax) return parseRdata(type, text, this.#origin);
    const known = this.#nameServers.get(text);
    if (known !== undefined) return known;
    const rdata = parseRdata(type, text, this.#origin);
    if (rdata !== undefined) this.#remember(text, rdata);
    return rdata;
  }

  #remember(text: string, rdata: Uint8Array): void {
    if (this.#nameServers.size >= entriesMax) this.#nameServers.clear();
    // A copy, because a substring keeps its whole input chunk in memory.
    this.#nameServers.set(Buffer.from(text, 'utf8').toString('utf8'), rdata);
  }
}
