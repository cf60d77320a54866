/**
 * The values of named service parameters (RFC 9460, section 14.3.2), between their bytes and their unquoted text. Bytes that are
 * invalid for the key give undefined; the parameter is then presented by the key's number.
 */
import { ipv4Text, ipv6Bytes, ipv6Text, putIpv4, putIpv6 } from '../ip-address.ts';
import { base64Text, putBase64 } from './binary-fields.ts';
import { parseNumber, readNumber } from './number-fields.ts';
import { quotedText } from './string-fields.ts';
import type { WireWriter } from './wire-writer.ts';

interface ServiceValue {
  /** Empty for a parameter without a value. */
  readonly text: (value: Uint8Array) => string | undefined;
  readonly parse: (value: Uint8Array, out: WireWriter) => boolean;
}

const [comma, backslash] = [0x2c, 0x5c];
const latin1 = new TextDecoder('latin1');

/** A comma-separated list of items of one size; at least one. */
function list(
  size: number,
  text: (value: Uint8Array, at: number) => string,
  put: (item: string, out: WireWriter) => boolean,
  isSound: (value: Uint8Array) => boolean = () => true,
): ServiceValue {
  return {
    text: (value) => {
      if (value.length === 0 || value.length % size !== 0 || !isSound(value)) return undefined;
      const items: string[] = [];
      for (let at = 0; at < value.length; at += size) items.push(text(value, at));
      return items.join(',');
    },
    parse: (value, out) =>
      latin1
        .decode(value)
        .split(',')
        .every((item) => put(item, out)),
  };
}

function put16(number: number | undefined, out: WireWriter): boolean {
  if (number === undefined) return false;
  out.put16(number);
  return true;
}

const number16 = (value: Uint8Array, at: number) => String(readNumber(value, at, 2));

const numbers = list(2, number16, (item, out) => put16(parseNumber(item, 2), out));

const port: ServiceValue = {
  text: (value) => (value.length === 2 ? number16(value, 0) : undefined),
  parse: (value, out) => value.length <= 5 && put16(parseNumber(latin1.decode(value), 2), out),
};

const flag: ServiceValue = {
  text: (value) => (value.length === 0 ? '' : undefined),
  parse: (value) => value.length === 0,
};

const base64: ServiceValue = {
  text: (value) => (value.length === 0 ? undefined : base64Text(value, 0, value.length)),
  parse: (value, out) => value.length > 0 && putBase64(value, out),
};

const characters: ServiceValue = {
  text: (value) => (value.length === 0 ? undefined : quotedText(value, 0, value.length)),
  parse: (value, out) => {
    out.putAll(value);
    return value.length > 0;
  },
};

const ipv4Hints = list(4, ipv4Text, (item, out) => {
  out.length += 4;
  return putIpv4(item, 0, out.bytes, out.length - 4);
});

const ipv6Hints = list(ipv6Bytes, ipv6Text, (item, out) => {
  out.length += ipv6Bytes;
  return putIpv6(item, out.bytes, out.length - ipv6Bytes);
});

/** Protocol names with a length byte each; a comma or backslash in one is escaped by a backslash. */
const protocols: ServiceValue = {
  text: (value) => {
    const bytes: number[] = [];
    for (let at = 0; at < value.length; ) {
      const next = at + 1 + (value[at] as number);
      if (next === at + 1 || next > value.length) return undefined;
      if (at > 0) bytes.push(comma);
      for (const byte of value.subarray(at + 1, next)) {
        if (byte === comma || byte === backslash) bytes.push(backslash);
        bytes.push(byte);
      }
      at = next;
    }
    return bytes.length === 0 ? undefined : quotedText(Uint8Array.from(bytes), 0, bytes.length);
  },
  parse: (value, out) => {
    let at = 0;
    const putItem = () => {
      const start = at;
      while (at < value.length && value[at] !== comma) {
        if (value[at] === backslash) at += 1;
        if (at >= value.length) return false;
        out.put8(value[at++] as number);
      }
      return at > start;
    };
    do {
      if (at > 0) at += 1;
      if (!out.counted(putItem)) return false;
    } while (at < value.length);
    return true;
  },
};

const mandatory = list(
  2,
  (value, at) => keyText(readNumber(value, at, 2)),
  (item, out) => put16(keyNumber(item), out),
  isAscending,
);

function isAscending(value: Uint8Array): boolean {
  for (let at = 2; at < value.length; at += 2) {
    if (readNumber(value, at, 2) <= readNumber(value, at - 2, 2)) return false;
  }
  return true;
}

/** The keys of `mandatory` may be written in any order, and are sorted on the wire. */
const sortedMandatory: ServiceValue = {
  text: mandatory.text,
  parse: (value, out) => {
    const start = out.length;
    if (!mandatory.parse(value, out) || out.isFull) return false;
    const keys = Array.from({ length: (out.length - start) / 2 }, (_, index) =>
      readNumber(out.bytes, start + 2 * index, 2),
    );
    keys.sort((one, other) => one - other);
    out.length = start;
    for (const key of keys) out.put16(key);
    return isAscending(out.bytes.subarray(start, out.length));
  },
};

/** Indexed by key. */
const named: readonly (readonly [name: string, value: ServiceValue])[] = [
  ['mandatory', sortedMandatory],
  ['alpn', protocols],
  ['no-default-alpn', flag],
  ['port', port],
  ['ipv4hint', ipv4Hints],
  ['ech', base64],
  ['ipv6hint', ipv6Hints],
  ['dohpath', characters],
  ['ohttp', flag],
  ['tls-supported-groups', numbers],
];

export function serviceValue(key: number): ServiceValue | undefined {
  return named[key]?.[1];
}

export function keyText(key: number): string {
  return named[key]?.[0] ?? `key${key}`;
}

/** Parses a key's name, or `keyNNNNN`. */
export function keyNumber(text: string): number | undefined {
  const lower = text.toLowerCase();
  const index = named.findIndex(([name]) => name === lower);
  return index >= 0 ? index : keyByNumber(lower);
}

export function keyByNumber(text: string): number | undefined {
  return text.startsWith('key') ? parseNumber(text.slice(3), 2) : undefined;
}
