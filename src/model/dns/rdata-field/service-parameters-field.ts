/** The parameters of SVCB and HTTPS (RFC 9460): `alpn="h2,h3" port=8443 key667="hello"`, on the wire sorted by key. */
import { readNumber } from './number-fields.ts';
import type { RdataField } from './rdata-field.ts';
import { keyByNumber, keyNumber, keyText, serviceValue } from './service-values.ts';
import { putCharacters, quotedText } from './string-fields.ts';
import { WireWriter } from './wire-writer.ts';
import type { Words } from './words.ts';

interface Parameter {
  readonly key: number;
  readonly value: Uint8Array;
}

/** Key and length. */
const headBytes = 4;

export const serviceParameters: RdataField = {
  extent: (bytes, at, end) => {
    let lastKey = -1;
    for (let offset = at; offset < end; ) {
      if (offset + headBytes > end) return undefined;
      const key = readNumber(bytes, offset, 2);
      offset += headBytes + readNumber(bytes, offset + 2, 2);
      if (key <= lastKey || offset > end) return undefined;
      lastKey = key;
    }
    return end;
  },
  text: (bytes, at, end) => {
    const texts: string[] = [];
    for (let offset = at; offset < end; ) {
      const next = offset + headBytes + readNumber(bytes, offset + 2, 2);
      texts.push(parameterText(readNumber(bytes, offset, 2), bytes.subarray(offset + headBytes, next)));
      offset = next;
    }
    return texts.join(' ');
  },
  parse: (words, out) => {
    const parameters: Parameter[] = [];
    while (!words.areOver) {
      const parameter = parseParameter(words);
      if (!parameter) return false;
      parameters.push(parameter);
    }
    parameters.sort((one, other) => one.key - other.key);
    for (const [index, { key, value }] of parameters.entries()) {
      if (index > 0 && key === parameters[index - 1]?.key) return false;
      out.put16(key);
      out.put16(value.length);
      out.putAll(value);
    }
    return true;
  },
};

function parameterText(key: number, value: Uint8Array): string {
  const text = serviceValue(key)?.text(value);
  if (text !== undefined) return text === '' ? keyText(key) : `${keyText(key)}=${text}`;
  return value.length === 0 ? `key${key}` : `key${key}=${quotedText(value, 0, value.length)}`;
}

/** Escapes are decoded first; then the value is parsed according to its key. */
const [unescaped, converted] = [new WireWriter(), new WireWriter()];

function parseParameter(words: Words): Parameter | undefined {
  if (!words.nextKey()) return undefined;
  const name = words.short();
  if (name === undefined || !words.value()) return undefined;
  unescaped.length = 0;
  if (!putCharacters(words.source, words.start, words.end, unescaped)) return undefined;
  const value = unescaped.finish();
  const numbered = keyByNumber(name.toLowerCase());
  // Written by number, a parameter is opaque bytes even if its key has a name.
  if (numbered !== undefined) return value && { key: numbered, value };
  const key = keyNumber(name);
  converted.length = 0;
  if (key === undefined || !value || !serviceValue(key)?.parse(value, converted)) return undefined;
  const bytes = converted.finish();
  return bytes && { key, value: bytes };
}
