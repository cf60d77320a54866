/**
 * Rdata from presentation to wire, remembering name servers: they are few and repeat from line to line, which other data
 * does too seldom to pay. What is given may be shared between observations and must not be changed.
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

  /** Names inside rdata that do not end in a dot are below `origin`, and whole where there is none. */
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
    // A copy of the text, because a part of a line would keep the whole chunk it was cut from in memory.
    this.#nameServers.set(Buffer.from(text, 'utf8').toString('utf8'), rdata);
  }
}
