/** Arbitrary rdata for every type with a layout, generated from the layout, so that a new field cannot stay untested. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { gateway, ipv4, ipv6 } from '../../../src/model/dns/rdata-field/address-fields.ts';
import {
  addressHalf,
  base64,
  eui48,
  eui64,
  hash,
  hex,
  salt,
} from '../../../src/model/dns/rdata-field/binary-fields.ts';
import { hostIdentity } from '../../../src/model/dns/rdata-field/host-identity-field.ts';
import { location } from '../../../src/model/dns/rdata-field/location-field.ts';
import { name, signer } from '../../../src/model/dns/rdata-field/name-fields.ts';
import {
  algorithm,
  certificateType,
  dsyncScheme,
  seconds,
  time,
  typeField,
  u8,
  u16,
  u32,
} from '../../../src/model/dns/rdata-field/number-fields.ts';
import { prefixList } from '../../../src/model/dns/rdata-field/prefix-list-field.ts';
import type { RdataField } from '../../../src/model/dns/rdata-field/rdata-field.ts';
import { serviceParameters } from '../../../src/model/dns/rdata-field/service-parameters-field.ts';
import {
  longText,
  optionalString,
  string,
  strings,
  tag,
} from '../../../src/model/dns/rdata-field/string-fields.ts';
import { nxtBitmap, typeBitmap } from '../../../src/model/dns/rdata-field/type-bitmap-fields.ts';
import { layoutsByType } from '../../../src/model/dns/rdata-layout.ts';

type AnyBytes = fc.Arbitrary<readonly number[]>;

const byte = fc.nat(255);
const some = (minLength: number, maxLength = minLength): AnyBytes =>
  fc.array(byte, { minLength, maxLength, size: 'max' });
const counted = (content: AnyBytes): AnyBytes => content.map((bytes) => [bytes.length, ...bytes]);
const listOf = (item: AnyBytes, minLength = 0, maxLength = 4): AnyBytes =>
  fc.array(item, { minLength, maxLength }).map((items) => items.flat());
const inOrder = (...parts: readonly AnyBytes[]): AnyBytes => fc.tuple(...parts).map((found) => found.flat());
const u16Bytes = (value: number): readonly number[] => [value >>> 8, value & 255];

const hostByte = fc.constantFrom(...Buffer.from('abcdefghijklmnopqrstuvwxyzABCZ0123456789-_'));
const folded = fc.constantFrom(
  ...['_WILDCARD_', '_wildcard_', '_Wildcard_'].map((text) => [...Buffer.from(text)]),
);
const label = fc.oneof(
  { weight: 4, arbitrary: fc.array(hostByte, { minLength: 1, maxLength: 20 }) },
  { weight: 2, arbitrary: some(1, 63) },
  { weight: 1, arbitrary: folded },
);

/** A name in wire form, in mixed case and with any bytes in its labels; at most 255 bytes. */
export const anyName: AnyBytes = fc.array(label, { maxLength: 6 }).map((labels) => {
  const wire: number[] = [];
  for (const bytes of labels) {
    if (wire.length + bytes.length + 2 <= 255) wire.push(bytes.length, ...bytes);
  }
  return [...wire, 0];
});

const bits = (maxLength: number): AnyBytes =>
  fc.tuple(some(0, maxLength - 1), fc.integer({ min: 1, max: 255 })).map(([head, last]) => [...head, last]);

const bitmap: AnyBytes = fc
  .uniqueArray(fc.tuple(byte, bits(32)), { maxLength: 3, selector: ([block]) => block })
  .map((blocks) =>
    blocks.sort(([one], [other]) => one - other).flatMap(([block, map]) => [block, map.length, ...map]),
  );

const size = fc.oneof(
  fc.constant(0),
  fc.tuple(fc.integer({ min: 1, max: 9 }), fc.nat(9)).map(([digit, power]) => (digit << 4) | power),
);
const angle = (degrees: number): AnyBytes =>
  fc.integer({ min: -degrees * 3_600_000, max: degrees * 3_600_000 }).map((value) => {
    const shifted = value + 2 ** 31;
    return [...u16Bytes(Math.trunc(shifted / 65_536)), ...u16Bytes(shifted % 65_536)];
  });

const prefix = (family: number, bytes: number): AnyBytes =>
  fc
    .tuple(fc.nat(bytes * 8), fc.boolean(), fc.oneof(fc.constant([]), bits(bytes)))
    .map(([length, isNot, part]) => [0, family, length, part.length | (isNot ? 128 : 0), ...part]);

/** Known keys, with well-formed values and with arbitrary ones. */
const serviceValue: Readonly<Record<number, AnyBytes>> = {
  0: fc
    .uniqueArray(fc.nat(12), { minLength: 1 })
    .map((keys) => keys.sort((one, other) => one - other).flatMap(u16Bytes)),
  1: listOf(
    counted(fc.oneof(some(1, 20), fc.array(fc.constantFrom(0x2c, 0x5c, 0x61, 0x22), { minLength: 1 }))),
    1,
  ),
  2: some(0),
  3: some(2),
  4: listOf(some(4), 1),
  5: some(1, 40),
  6: listOf(some(16), 1),
  7: some(1, 40),
  8: some(0),
  9: listOf(some(2), 1),
};
const parameter = fc
  .oneof(fc.nat(10), fc.nat(65_535))
  .chain((key) => fc.tuple(fc.constant(key), fc.oneof(serviceValue[key] ?? some(0, 40), some(0, 40))));
const parameters: AnyBytes = fc
  .uniqueArray(parameter, { maxLength: 6, selector: ([key]) => key })
  .map((found) =>
    found
      .sort(([one], [other]) => one - other)
      .flatMap(([key, value]) => [...u16Bytes(key), ...u16Bytes(value.length), ...value]),
  );

const characters = counted(some(0, 255));

const byField: ReadonlyMap<RdataField, AnyBytes> = new Map([
  ...[u8, algorithm, dsyncScheme].map((field) => [field, some(1)] as const),
  ...[u16, certificateType, typeField].map((field) => [field, some(2)] as const),
  ...[u32, seconds, time, ipv4].map((field) => [field, some(4)] as const),
  [ipv6, fc.oneof(some(16), fc.array(fc.constantFrom(0, 0, 0, 1, 255), { minLength: 16, maxLength: 16 }))],
  [name, anyName],
  [signer, anyName],
  [string, characters],
  [optionalString, fc.oneof(characters, some(0))],
  [strings, listOf(characters)],
  [tag, fc.oneof(characters, counted(fc.array(hostByte, { maxLength: 15 })))],
  [longText, some(0, 700)],
  [base64, some(0, 70)],
  [hex, some(0, 70)],
  [salt, counted(some(0, 255))],
  [hash, counted(some(1, 255))],
  [eui48, some(6)],
  [eui64, some(8)],
  [addressHalf, some(8)],
  [typeBitmap, bitmap],
  [
    nxtBitmap,
    fc.oneof(
      some(0),
      bits(16).map(([first = 0, ...rest]) => [(first & 0x7f) | (rest.length === 0 ? 1 : 0), ...rest]),
    ),
  ],
  [
    hostIdentity,
    fc
      .tuple(some(1, 40), byte, some(1, 90), listOf(anyName))
      .map(([tagBytes, used, key, servers]) => [
        tagBytes.length,
        used,
        ...u16Bytes(key.length),
        ...tagBytes,
        ...key,
        ...servers,
      ]),
  ],
  [location, inOrder(fc.constant([0]), fc.tuple(size, size, size), angle(90), angle(180), some(4))],
  [prefixList, listOf(fc.oneof(prefix(1, 4), prefix(2, 16)))],
  [serviceParameters, parameters],
]);

function anyField(field: RdataField): AnyBytes {
  const found = byField.get(field);
  assert.ok(found, 'every field of a layout can be made here');
  return found;
}

/** The kind of the gateway precedes it, so the two are generated together. */
const anyIpseckey: AnyBytes = fc
  .oneof(
    ...(
      [
        [0, some(0)],
        [1, some(4)],
        [2, some(16)],
        [3, anyName],
      ] as const
    ).map(([kind, address]) => fc.tuple(fc.constant(kind), address)),
  )
  .chain(([kind, address]) =>
    fc
      .tuple(byte, byte, some(0, 40))
      .map(([precedence, used, key]) => [precedence, kind, used, ...address, ...key]),
  );

export function anyRdata(type: number): fc.Arbitrary<Uint8Array> {
  const layout = layoutsByType.get(type);
  assert.ok(layout);
  const bytes = layout.includes(gateway) ? anyIpseckey : inOrder(...layout.map(anyField));
  return bytes.map((found) => Uint8Array.from(found));
}

/** A type with a layout, and rdata of it. */
export const anyTypedRdata: fc.Arbitrary<readonly [type: number, rdata: Uint8Array]> = fc
  .constantFrom(...layoutsByType.keys())
  .chain((type) => fc.tuple(fc.constant(type), anyRdata(type)));
