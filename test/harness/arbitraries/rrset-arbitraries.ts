/** Observations and queries over a small set of names and values, so that they often match. */
import * as fc from 'fast-check';
import { parseName } from '../../../src/model/dns/name.ts';
import { parseRdata } from '../../../src/model/dns/rdata-text.ts';
import type { Rrset, WireName } from '../../../src/model/dns/rrset.ts';
import type { RowFilter, Scan, Selection } from '../../../src/store/rrset-store.ts';

export const nowSeconds = Date.parse('2026-03-04T10:11:12Z') / 1000;

export function wire(text: string): WireName {
  const name = parseName(text);
  if (!name) throw new Error(`${text} is no name`);
  return name;
}

export function rdata(type: number, text: string): Uint8Array {
  const bytes = parseRdata(type, text);
  if (!bytes) throw new Error(`${text} is no rdata of type ${type}`);
  return bytes;
}

const label = fc.constantFrom('a', 'b', 'www', 'mail', 'example', 'exam', 'com', 'net', 'x\\000y', '\\255');
export const name = fc.array(label, { maxLength: 4 }).map((labels) => wire(`${labels.join('.')}.`));

const address4 = fc.constantFrom(
  '192.0.2.1',
  '192.0.2.2',
  '192.0.2.255',
  '192.0.3.0',
  '3.97.98.99',
  '1.97.0.0',
);
const address6 = fc.constantFrom('2001:db8::1', '2001:db8::2', '2001:db9::', '161:6200::');
const target = fc.constantFrom(
  'a.',
  'b.a.',
  'www.example.com.',
  'mail.example.com.',
  'example.com.',
  'x.net.',
  '.',
);

/** Rdata for each type. */
const dataOf: Readonly<Record<number, fc.Arbitrary<string>>> = {
  1: address4,
  28: address6,
  2: target,
  5: target,
  12: target,
  15: target.map((text) => `10 ${text}`),
  33: target.map((text) => `1 2 443 ${text}`),
  6: fc.tuple(target, target).map(([mname, rname]) => `${mname} ${rname} 1 2 3 4 5`),
  16: fc.constantFrom('""', '"v=spf1 -all"', '"Example" "text"', '"a"', '"aa"'),
  43: fc.constant('1 8 2 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'),
  65: target.map((text) => `1 ${text}`),
  65_280: fc.constantFrom('\\# 1 61', '\\# 2 6161', '\\# 0', '\\# 3 c00002'),
};
export const types = Object.keys(dataOf).map(Number);

const ages = [0, 30, 59, 61, 3000, 7000, 7300, 90_000, 200_000, 3_000_000, 6_000_000, 40_000_000, 90_000_000];
export const seconds = fc.constantFrom(...ages.map((age) => nowSeconds - age));

export const observation: fc.Arbitrary<Rrset> = fc.constantFrom(...types).chain((type) =>
  fc
    .record({
      origin: fc.constantFrom('sensor' as const, 'zone' as const),
      owner: name,
      bailiwick: fc.constantFrom('.', 'com.', 'example.com.', 'a.').map(wire),
      texts: fc.array(dataOf[type] as fc.Arbitrary<string>, { minLength: 1, maxLength: 3 }),
      times: fc.tuple(seconds, seconds),
      count: fc.integer({ min: 1, max: 5 }),
    })
    .map(({ texts, times, ...rest }) => ({
      ...rest,
      type,
      rdata: texts.map((text) => rdata(type, text)),
      firstSeconds: Math.min(...times),
      lastSeconds: Math.max(...times),
    })),
);

const span = fc.constantFrom('none' as const, 'below' as const, 'child' as const, 'right' as const);
const bytesOf = (texts: fc.Arbitrary<string>, type: number) =>
  fc
    .tuple(texts, texts)
    .map(
      (pair) =>
        pair.map((text) => rdata(type, text)).sort((left, right) => Buffer.compare(left, right)) as [
          Uint8Array,
          Uint8Array,
        ],
    );

export const selection: fc.Arbitrary<Selection> = fc.oneof(
  fc.record({ by: fc.constant('owner' as const), name, span }),
  fc.record({ by: fc.constant('rdata-name' as const), name: fc.oneof(name, target.map(wire)), span }),
  bytesOf(address4, 1).map(([from, to]) => ({ by: 'address' as const, from, to })),
  bytesOf(address6, 28).map(([from, to]) => ({ by: 'address' as const, from, to })),
  fc
    .constantFrom(
      '',
      '00',
      '0a',
      '01',
      '0161',
      '01610',
      'c00002',
      'c0000201',
      '20010db8',
      '61',
      '03777777',
      '000a',
    )
    .map((text) => ({
      by: 'rdata-prefix' as const,
      bytes: new Uint8Array(Buffer.from(text.slice(0, text.length & ~1), 'hex')),
    })),
);

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 3 });

export const filter: fc.Arbitrary<RowFilter> = fc
  .record({
    kept: fc.oneof(
      { weight: 3, arbitrary: fc.constant(types) },
      { weight: 1, arbitrary: fc.subarray(types) },
    ),
    firstBefore: maybe(seconds),
    firstAfter: maybe(seconds),
    lastBefore: maybe(seconds),
    lastAfter: maybe(seconds),
    countMin: maybe(fc.integer({ min: 1, max: 6 })),
    countMax: maybe(fc.integer({ min: 1, max: 6 })),
  })
  .map(({ kept, countMin, countMax, ...fences }) => {
    const given = Object.fromEntries(Object.entries(fences).filter(([, value]) => value !== undefined));
    return {
      types: { only: new Set(kept) },
      fences: given,
      ...(countMin === undefined ? {} : { countMin }),
      ...(countMax === undefined ? {} : { countMax }),
    };
  });

export const scan: fc.Arbitrary<Scan> = fc
  .record({
    selection,
    filter,
    bailiwick: maybe(fc.constantFrom('.', 'com.', 'example.com.').map(wire)),
    merged: fc.boolean(),
  })
  .map(({ bailiwick, ...rest }) => ({
    ...rest,
    nowSeconds,
    ...(bailiwick && rest.selection.by === 'owner' ? { bailiwick } : {}),
  }));
