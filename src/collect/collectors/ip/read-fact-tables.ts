/** Reads what files say about ranges of addresses: a second of a processor, and a hundred megabytes that are soon garbage, so that a thread does it. */
import { fileURLToPath } from 'node:url';
import { AddressRangeMap } from '../../../model/address/address-range-map.ts';
import { scanFileLines } from '../../input/scan-file-lines.ts';
import type { AddressFacts, FactColumns } from './fact-table.ts';
import { type OnRange, readRangeLines, splitCsvLine } from './range-lines.ts';

/** Parses the fields after a range. */
type ParseFacts = (fields: readonly string[]) => AddressFacts;

/** The allocator gives buffers of this size back to the system; ten megabytes of smaller ones stayed. */
const chunkBytes = 1 << 18;
const asnMax = 4_294_967_295;
const textLengthMax = 256;

function asnOf(text = ''): Pick<AddressFacts, 'asn'> {
  const asn = Number(/^(?:AS)?(\d{1,10})$/i.exec(text.trim())?.[1] ?? Number.NaN);
  return asn > 0 && asn <= asnMax ? { asn } : {};
}

function ispOf(text = ''): Pick<AddressFacts, 'isp'> {
  const isp = text.trim().slice(0, textLengthMax).toWellFormed();
  return isp === '' ? {} : { isp };
}

function countryOf(text = ''): Pick<AddressFacts, 'country'> {
  const country = text.trim().toLowerCase();
  return /^[a-z]{2}$/.test(country) ? { country } : {};
}

const networkFacts: ParseFacts = ([asn, isp]) => ({ ...asnOf(asn), ...ispOf(isp) });
const countryFacts: ParseFacts = ([country]) => countryOf(country);
const operatorFacts: ParseFacts = ([asn, isp, country]) => ({
  ...asnOf(asn),
  ...ispOf(isp),
  ...countryOf(country),
});

const networkFiles = {
  1: import.meta.resolve('@ip-location-db/asn/asn-ipv4-num.csv'),
  4: import.meta.resolve('@ip-location-db/asn/asn-ipv6-num.csv'),
};
const countryFiles = {
  1: import.meta.resolve('@ip-location-db/geo-whois-asn-country/geo-whois-asn-country-ipv4-num.csv'),
  4: import.meta.resolve('@ip-location-db/geo-whois-asn-country/geo-whois-asn-country-ipv6-num.csv'),
};

export async function readPackagedFacts(): Promise<readonly FactColumns[]> {
  return [await readPackage(networkFiles, networkFacts), await readPackage(countryFiles, countryFacts)];
}

async function readPackage(files: Readonly<Record<1 | 4, string>>, parse: ParseFacts): Promise<FactColumns> {
  const table = new TableBuilder(parse);
  for (const width of [1, 4] as const) await table.readFile(fileURLToPath(files[width]), width);
  return table.finish();
}

/** Throws where a file cannot be read. */
export async function readOperatorFacts(files: readonly string[]): Promise<FactColumns> {
  const table = new TableBuilder(operatorFacts);
  for (const file of files) await table.readFile(file);
  return table.finish();
}

class TableBuilder {
  readonly #parse: ParseFacts;
  readonly #ranges = { 1: new AddressRangeMap(1), 4: new AddressRangeMap(4) };
  readonly #facts: AddressFacts[] = [];
  readonly #known = new Map<string, number>();

  constructor(parse: ParseFacts) {
    this.#parse = parse;
  }

  async readFile(path: string, width?: 1 | 4): Promise<void> {
    const onRange: OnRange = (first, last, rest) =>
      this.#ranges[first.length as 1 | 4].add(first, last, this.#indexOf(rest));
    for await (const lines of scanFileLines(path, chunkBytes)) readRangeLines(lines, width, onRange);
  }

  finish(): FactColumns {
    const isps = this.#facts.map(({ isp = '' }) => Buffer.from(isp));
    const ispEnds = new Uint32Array(isps.length);
    let end = 0;
    for (const [index, { length }] of isps.entries()) {
      end += length;
      ispEnds[index] = end;
    }
    const text = new Uint8Array(end);
    text.set(Buffer.concat(isps));
    return {
      ranges: { 1: this.#ranges[1].finish(), 4: this.#ranges[4].finish() },
      asns: Uint32Array.from(this.#facts, ({ asn = 0 }) => asn),
      countries: new Uint8Array(
        this.#facts.flatMap(({ country = '\0\0' }) => [country.charCodeAt(0), country.charCodeAt(1)]),
      ),
      isps: text,
      ispEnds,
    };
  }

  /** `rest` was decoded as Latin-1, which is fast; a new value is decoded as the UTF-8 that it is. */
  #indexOf(rest: string): number {
    const known = this.#known.get(rest);
    if (known !== undefined) return known;
    const fields = splitCsvLine(Buffer.from(rest, 'latin1').toString());
    const index = this.#facts.push(this.#parse(fields)) - 1;
    this.#known.set(rest, index);
    return index;
  }
}
