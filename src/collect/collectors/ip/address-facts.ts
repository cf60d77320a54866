/** ASN, ISP and country of addresses: from files of the operator first, then from the packaged databases. */
import { fileURLToPath } from 'node:url';
import { AddressRangeMap, findAddressWords } from '../../../model/address/address-range-map.ts';
import { scanFileLines } from '../../input/scan-file-lines.ts';
import { type OnRange, readRangeLines, splitCsvLine } from './range-lines.ts';

export interface AddressFacts {
  readonly asn?: number;
  readonly isp?: string;
  /** ISO 3166, two lower-case letters. */
  readonly country?: string;
}

/** Parses the fields after a range. */
type ParseFacts = (fields: readonly string[]) => AddressFacts;

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

/** Ranges of both families. Equal facts are stored once, since a network has many ranges. */
class FactTable {
  readonly #ranges = { 1: new AddressRangeMap(1), 4: new AddressRangeMap(4) };
  readonly #facts: AddressFacts[] = [];
  readonly #known = new Map<string, number>();

  async load(path: string, parse: ParseFacts, width?: 1 | 4): Promise<void> {
    const onRange: OnRange = (first, last, rest) =>
      this.#ranges[first.length as 1 | 4].add(first, last, this.#indexOf(rest, parse));
    for await (const lines of scanFileLines(path)) readRangeLines(lines, width, onRange);
  }

  finish(): void {
    this.#ranges[1].finish();
    this.#ranges[4].finish();
    this.#known.clear();
  }

  find(address: string): AddressFacts {
    const words = findAddressWords(address);
    const index = words && this.#ranges[words.length as 1 | 4].find(words);
    return (index === undefined ? undefined : this.#facts[index]) ?? {};
  }

  /** `rest` was decoded as Latin-1, which is fast; a new value is decoded as the UTF-8 that it is. */
  #indexOf(rest: string, parse: ParseFacts): number {
    const known = this.#known.get(rest);
    if (known !== undefined) return known;
    const index = this.#facts.push(parse(splitCsvLine(Buffer.from(rest, 'latin1').toString()))) - 1;
    this.#known.set(rest, index);
    return index;
  }
}

export interface AddressLookup {
  find(address: string): AddressFacts;
}

/** Throws where a file cannot be read. */
export async function loadAddressFacts(files: readonly string[]): Promise<AddressLookup> {
  const own = new FactTable();
  for (const file of files) await own.load(file, operatorFacts);
  own.finish();
  packaged ??= loadPackages();
  const tables = [...(await packaged), own];
  return {
    find: (address) => Object.assign({}, ...tables.map((table) => table.find(address))) as AddressFacts,
  };
}

/** Packaged data never changes, so the process loads it once. */
let packaged: Promise<readonly FactTable[]> | undefined;

/** About 60 MB in one or two seconds, without blocking the event loop. */
async function loadPackages(): Promise<readonly FactTable[]> {
  return [await loadPackage(networkFiles, networkFacts), await loadPackage(countryFiles, countryFacts)];
}

async function loadPackage(files: Readonly<Record<1 | 4, string>>, parse: ParseFacts): Promise<FactTable> {
  const table = new FactTable();
  for (const width of [1, 4] as const) await table.load(fileURLToPath(files[width]), parse, width);
  table.finish();
  return table;
}
