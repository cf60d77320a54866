/** Where addresses are and whose they are: from files of the operator first, and from the data that we bring along. */
import { fileURLToPath } from 'node:url';
import { AddressRanges, findAddressWords } from '../../../model/address-ranges.ts';
import { fieldsOf, readRangeLines, type TakeRange } from './range-lines.ts';
import { scanLinesOfFile } from './scan-lines-of-file.ts';

export interface AddressFacts {
  readonly asn?: number;
  readonly isp?: string;
  /** Two lower-case letters. */
  readonly country?: string;
}

/** What the fields behind a range say. */
type Say = (fields: readonly string[]) => AddressFacts;

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

const ofNetwork: Say = ([asn, isp]) => ({ ...asnOf(asn), ...ispOf(isp) });
const ofCountry: Say = ([country]) => countryOf(country);
const ofOperator: Say = ([asn, isp, country]) => ({ ...asnOf(asn), ...ispOf(isp), ...countryOf(country) });

const networkFiles = {
  1: import.meta.resolve('@ip-location-db/asn/asn-ipv4-num.csv'),
  4: import.meta.resolve('@ip-location-db/asn/asn-ipv6-num.csv'),
};
const countryFiles = {
  1: import.meta.resolve('@ip-location-db/geo-whois-asn-country/geo-whois-asn-country-ipv4-num.csv'),
  4: import.meta.resolve('@ip-location-db/geo-whois-asn-country/geo-whois-asn-country-ipv6-num.csv'),
};

/** Facts of both families; the same ones are kept once, for networks have many ranges. */
class FactTable {
  readonly #ranges = { 1: new AddressRanges(1), 4: new AddressRanges(4) };
  readonly #facts: AddressFacts[] = [];
  readonly #known = new Map<string, number>();

  async load(path: string, say: Say, width?: 1 | 4): Promise<void> {
    const take: TakeRange = (first, last, rest) =>
      this.#ranges[first.length as 1 | 4].add(first, last, this.#indexOf(rest, say));
    for await (const lines of scanLinesOfFile(path)) readRangeLines(lines, width, take);
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

  /** The text is of single bytes, so that it is made quickly; in truth it is UTF-8. */
  #indexOf(rest: string, say: Say): number {
    const known = this.#known.get(rest);
    if (known !== undefined) return known;
    const index = this.#facts.push(say(fieldsOf(Buffer.from(rest, 'latin1').toString()))) - 1;
    this.#known.set(rest, index);
    return index;
  }
}

export interface AddressKnowledge {
  find(address: string): AddressFacts;
}

/** Throws where a file cannot be read. */
export async function loadAddressFacts(files: readonly string[]): Promise<AddressKnowledge> {
  const own = new FactTable();
  for (const file of files) await own.load(file, ofOperator);
  own.finish();
  packaged ??= loadPackages();
  const tables = [...(await packaged), own];
  return {
    find: (address) => Object.assign({}, ...tables.map((table) => table.find(address))) as AddressFacts,
  };
}

/** What comes with a package never changes, so it is read once, however many ask. */
let packaged: Promise<readonly FactTable[]> | undefined;

/** Some sixty megabytes, in a second or two; others go on meanwhile. */
async function loadPackages(): Promise<readonly FactTable[]> {
  return [await loadPackage(networkFiles, ofNetwork), await loadPackage(countryFiles, ofCountry)];
}

async function loadPackage(files: Readonly<Record<1 | 4, string>>, say: Say): Promise<FactTable> {
  const table = new FactTable();
  for (const width of [1, 4] as const) await table.load(fileURLToPath(files[width]), say, width);
  table.finish();
  return table;
}
