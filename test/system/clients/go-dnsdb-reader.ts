/** Responses as go-dnsdb reads them. */
import assert from 'node:assert/strict';
import { type Line, linesOf } from '../../api/pdns/pdns-fixture.ts';
import type { RawResponse } from '../../harness/server/raw-connection.ts';

/** Its scanner gives up on longer lines. */
const lineBytesMax = 64 * 1024;

const errors: Readonly<Record<number, string>> = {
  400: 'ErrBadRequest',
  401: 'ErrUnauthorized',
  403: 'ErrForbidden',
  416: 'ErrBadRange',
  429: 'ErrQuotaExceeded',
  503: 'ErrConcurrencyLimit',
};

export function errorOf({ status }: RawResponse, version: number): string | undefined {
  if (status === 200 || (version === 1 && status === 404)) return undefined;
  return errors[status] ?? `http status ${status}`;
}

/** Version 1: an object in each line. */
export function recordsOf(response: RawResponse): Line[] {
  assert.equal(errorOf(response, 1), undefined, response.text);
  for (const line of response.text.split('\n')) assert.ok(Buffer.byteLength(line) < lineBytesMax);
  return linesOf(response.text);
}

/** Version 2: records between conditions. A stream without a last condition is an error of its own. */
export function readStream(response: RawResponse): { records: Line[]; error: string | undefined } {
  assert.equal(response.headers['content-type'], 'application/x-ndjson');
  const records: Line[] = [];
  for (const { cond, obj } of recordsOf(response)) {
    if (obj) records.push(obj);
    if (cond === 'succeeded') return { records, error: undefined };
    if (cond === 'limited' || cond === 'failed') return { records, error: cond };
  }
  return { records, error: 'stream truncated' };
}

type Rate = Record<string, number>;

/** A member that is not a number must be the one text that is allowed for it; it is then absent. */
const textFor: Readonly<Record<string, string>> = {
  limit: 'unlimited',
  remaining: 'n/a',
  reset: 'n/a',
  expires: 'n/a',
};

function numbersOf(members: Readonly<Record<string, unknown>>): Rate {
  const numbers: Rate = {};
  for (const [name, value] of Object.entries(members)) {
    if (Number.isInteger(value)) numbers[name] = value as number;
    else assert.equal(value, textFor[name], name);
  }
  return numbers;
}

export function rateOf(response: RawResponse): Rate {
  assert.equal(response.status, 200, response.text);
  return numbersOf(JSON.parse(response.text).rate);
}

/** From the headers of a lookup, with `strconv.Atoi`. */
export function rateHeadersOf({ headers }: RawResponse): Rate {
  const given = Object.entries(headers).filter(([name]) => name.startsWith('x-ratelimit-'));
  return numbersOf(
    Object.fromEntries(
      given.map(([name, value = '']) => [
        name.slice('x-ratelimit-'.length),
        /^\d+$/.test(value) ? Number(value) : value,
      ]),
    ),
  );
}
