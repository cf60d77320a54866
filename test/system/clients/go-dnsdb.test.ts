/** The requests of go-dnsdb 1.0.1, byte for byte, and what it reads from the responses. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { block, daily, expiresSeconds, type Line } from '../../api/pdns/pdns-fixture.ts';
import type { RawResponse } from '../../harness/server/raw-connection.ts';
import { clientWorld, type Replay, replayer } from './client-world.ts';
import { errorOf, rateHeadersOf, rateOf, readStream, recordsOf } from './go-dnsdb-reader.ts';

const world = await clientWorld({ after });
const first = replayer(world, 'go-dnsdb-v1.http');
const second = replayer(world, 'go-dnsdb-v2.http');
const flexible = replayer(world, 'go-dnsdb-flex.http');

const hosts = (...numbers: number[]) =>
  numbers.map((number) => `h${number}.hosts.example. A 192.0.2.${64 + number}`);

/** Owner, type and data of the records that a lookup finds, in either version. */
const found: Readonly<Record<string, readonly string[]>> = {
  rrset: ['www.example.com. A 192.0.2.1 192.0.2.2'],
  'type and bailiwick': ['example.com. NS ns1.example.net. ns2.example.net.'],
  'internationalized name': ['xn--bcher-kva.example. A 192.0.2.99'],
  offset: hosts(10, 11),
  'time fences': hosts(1, 2),
  'relative times': ['new.example. A 192.0.2.77'],
  'rdata name': ['example.com. NS ns1.example.net.'],
  'rdata address': ['xn--bcher-kva.example. A 192.0.2.99'],
  'rdata network': hosts(0, 1, 2, 3, 4, 5, 6, 7),
  'rdata IPv6 network': ['six.example. AAAA 2001:db8::25'],
  'rdata range': hosts(6, 7, 8),
  'rdata raw': ['example.com. NS ns1.example.net.'],
};

const shown = (records: readonly Line[]) =>
  records.map(({ rrname = '', rrtype, rdata = [] }) =>
    [rrname, rrtype, ...[rdata].flat()].filter((part) => part !== '').join(' '),
  );

/** On one connection, as the client does. */
async function recordsBy(
  replay: Replay,
  read: (response: RawResponse) => readonly Line[],
): Promise<Record<string, string[]>> {
  const connection = await world.open();
  const all: Record<string, string[]> = {};
  for (const name of Object.keys(found)) all[name] = shown(read(await replay(name, {}, connection)));
  return all;
}

test('version 1: every lookup finds its records, as plain lines', async () => {
  assert.deepEqual(await recordsBy(first, recordsOf), found);
});

test('version 2: every lookup finds its records, in a complete stream', async () => {
  const complete = (response: RawResponse) => {
    const { records, error } = readStream(response);
    assert.equal(error, undefined);
    return records;
  };
  assert.deepEqual(await recordsBy(second, complete), found);
});

test('a limit is silent in version 1, and ErrResultLimitExceeded in version 2', async () => {
  assert.deepEqual(shown(recordsOf(await first('wildcard and limit'))), hosts(0, 1, 2));
  const { records, error } = readStream(await second('wildcard and limit'));
  assert.deepEqual([shown(records), error], [hosts(0, 1, 2), 'limited']);
});

test('summaries are one record of totals', async () => {
  const totals = [
    { count: 12, num_results: 12, time_first: 1_600_000_000, time_last: 1_620_000_000 },
    { count: 8, num_results: 8, time_first: 1_600_000_000, time_last: 1_620_000_000 },
  ];
  for (const [index, name] of ['summary', 'summary of a network'].entries()) {
    assert.deepEqual(recordsOf(await first(name)), [totals[index]], name);
    assert.deepEqual(readStream(await second(name)), { records: [totals[index]], error: undefined }, name);
  }
});

test('no results are 404 in version 1, which is no error there, and an empty stream in version 2', async () => {
  const nothing = await first('nothing');
  assert.deepEqual([nothing.status, errorOf(nothing, 1)], [404, undefined]);
  assert.deepEqual(readStream(await second('nothing')), { records: [], error: undefined });
});

test('a client with a name, a version and an id of its own is answered', async () => {
  assert.deepEqual(shown(readStream(await second('named client')).records), found['rrset']);
});

test('flexible searches find what their patterns say, although they are escaped twice', async () => {
  const connection = await world.open();
  const search = async (name: string) => readStream(await flexible(name, {}, connection));
  const names = (...numbers: number[]) => numbers.map((number) => `h${number}.hosts.example. A`);
  const regex = await search('regex');
  assert.deepEqual([shown(regex.records), regex.error], [names(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), undefined]);
  const glob = await search('glob, type and limit');
  assert.deepEqual([shown(glob.records), glob.error], [names(0, 1, 2, 3, 4), 'limited']);
  assert.deepEqual(shown((await search('rdata and exclude')).records), ['MX 10 mail.example.net.']);
  assert.deepEqual((await search('exclude the only one')).records, [], 'a plus sign stands for a space');
  assert.deepEqual(shown((await search('quoted text')).records), ['TXT "v=spf1 -all"']);
  assert.deepEqual(shown((await search('offset and time')).records), names(10, 11));
});

test('a malformed pattern is ErrBadRequest with the text of the response', async () => {
  const response = await flexible('malformed pattern');
  assert.equal(errorOf(response, 2), 'ErrBadRequest');
  assert.match(response.headers['content-type'] ?? '', /^text\/plain/);
  assert.match(response.text, /^Error: pattern: /);
});

test('a malformed name, a too large offset, and a wrong key have an error each in both versions', async () => {
  for (const [version, replay] of [first, second].entries()) {
    assert.equal(errorOf(await replay('malformed name'), version + 1), 'ErrBadRequest');
    assert.equal(errorOf(await replay('offset beyond the maximum'), version + 1), 'ErrBadRange');
    assert.equal(errorOf(await replay('wrong key'), version + 1), 'ErrForbidden');
  }
});

test('the rate limit is read by POST in version 1, by GET in version 2, and is the same', async () => {
  const unlimited = { results_max: 1_000_000, offset_max: 3_000_000 };
  assert.deepEqual(rateOf(await first('rate limit')), unlimited);
  assert.deepEqual(rateOf(await second('rate limit')), unlimited);
});

test('quotas are read from responses and from the rate limit, and exceeding one is ErrQuotaExceeded', async () => {
  const used = { ...daily, quota: { type: 'time', limit: 1, period: 86_400 } } as const;
  const [{ key: once }, { key: many }, { key: blocked }] = [
    await world.server.user({ pdns: used }),
    await world.server.user({ pdns: daily }),
    await world.server.user({ pdns: block }),
  ];
  const reset = Date.parse('2026-03-05T00:00:00Z') / 1000;
  assert.deepEqual(rateHeadersOf(await second('rrset', { key: many })), {
    limit: 1000,
    remaining: 999,
    reset,
  });
  assert.deepEqual(rateHeadersOf(await first('rrset', { key: blocked })), {
    limit: 600,
    remaining: 599,
    expires: expiresSeconds,
  });
  assert.partialDeepStrictEqual(rateOf(await first('rate limit', { key: many })), { limit: 1000, reset });
  assert.partialDeepStrictEqual(rateOf(await second('rate limit', { key: blocked })), {
    remaining: 599,
    expires: expiresSeconds,
  });
  assert.equal(errorOf(await second('rrset', { key: once }), 2), undefined);
  assert.equal(errorOf(await second('rrset', { key: once }), 2), 'ErrQuotaExceeded');
  assert.equal(errorOf(await first('rrset', { key: once }), 1), 'ErrQuotaExceeded');
});

test('a ping is an object of JSON', async () => {
  const response = await second('ping');
  assert.equal(errorOf(response, 2), undefined);
  assert.deepEqual(JSON.parse(response.text), { ping: 'ok' });
});
