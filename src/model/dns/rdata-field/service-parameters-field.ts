/** The parameters of SVCB and HTTPS (RFC 9460): `alpn="h2,h3" port=8443 key667="hello"`, on the wire in order of their keys. */
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
    for (let place = at; place < end; ) {
      if (place + headBytes > end) return undefined;
      const key = readNumber(bytes, place, 2);
      place += headBytes + readNumber(bytes, place + 2, 2);
      if (key <= lastKey || place > end) return undefined;
      lastKey = key;
    }
    return end;
  },
  text: (bytes, at, end) => {
    const texts: string[] = [];
    for (let place = at; place < end; ) {
      const next = place + headBytes + readNumber(bytes, place + 2, 2);
      texts.push(parameterText(readNumber(bytes, place, 2), bytes.subarray(place + headBytes, next)));
      place = next;
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

/** Escapes are taken away first, whatever the value means; then it is read as its key says. */
const [unescaped, converted] = [new WireWriter(), new WireWriter()];

function parseParameter(words: Words): Parameter | undefined {
  if (!words.nextKey()) return undefined;
  const name = words.short();
  if (name === undefined || !words.value()) return undefined;
  unescaped.length = 0;
  if (!putCharacters(words.source, words.start, words.end, unescaped)) return undefined;
  const value = unescaped.taken();
  const numbered = keyByNumber(name.toLowerCase());
  // Under its number a parameter is bytes, whether it has a name or not.
  if (numbered !== undefined) return value && { key: numbered, value };
  const key = keyNumber(name);
  converted.length = 0;
  if (key === undefined || !value || !serviceValue(key)?.parse(value, converted)) return undefined;
  const bytes = converted.taken();
  return bytes && { key, value: bytes };
}
