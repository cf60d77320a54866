import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { anyCharacter } from '../../harness/arbitraries/any-character.ts';
import type { Seen } from '../../harness/fixtures/observe-rrsets.ts';
import { propertyRuns } from '../../harness/property-runs.ts';
import {
  assertTextError,
  daily,
  framed,
  type PdnsServer,
  pdnsServer,
  remaining,
  sharedPdnsServers,
  unlimited,
  unrestricted,
} from './pdns-fixture.ts';

const sharedServer = sharedPdnsServers();

const seen: Seen[] = [
  { rrname: 'a.example', rdata: '192.0.2.1', count: 4 },
  { rrname: 'b.example', rdata: '192.0.2.2' },
  { rrname: 'b.example', rrtype: 'TXT', rdata: '"x"' },
];

const post = (server: PdnsServer, body: object | string, headers: Record<string, string> = {}) =>
  server.call('POST /pdns/v2/bulk', { key: server.key, body, headers });

const queries = [
  { id: 'first', query: 'lookup/rrset/name/a.example' },
  { id: 'second', query: '/lookup/rrset/name/b.example/ANY?limit=1' },
  { id: 'none', query: 'lookup/rdata/ip/198.51.100.1' },
  { id: 'sum', query: 'summarize/rrset/name/*.example' },
  { id: 'flex', query: 'glob/rrnames/a*' },
];

test('queries are answered in one stream, in order, each line with its query id and each query with its own end', async () => {
  const server = await sharedServer(seen);
  const { answer, lines } = framed(await post(server, { queries }));
  assert.equal(answer.headers['content-type'], 'application/x-ndjson');
  assert.deepEqual(lines[0], { cond: 'begin' });
  assert.deepEqual(
    lines
      .slice(1, -1)
      .map(({ query, obj, outcome }) => `${query} ${obj ? (obj.rrname ?? obj.count) : outcome}`),
    [
      'first a.example.',
      'first succeeded',
      'second b.example.',
      'second limited',
      'none succeeded',
      'sum 6',
      'sum succeeded',
      'flex a.example.',
      'flex succeeded',
    ],
  );
  assert.deepEqual(lines.at(-1), { cond: 'limited', msg: 'Result limit reached' });
});

test('to a client unaware of bulk queries the stream looks like an ordinary one', async () => {
  const server = await sharedServer(seen);
  const { lines } = framed(await post(server, { queries: queries.slice(0, 1) }));
  assert.ok(lines.slice(1, -1).every(({ cond }) => cond === undefined || cond === 'ongoing'));
  assert.deepEqual(lines.at(-1), { cond: 'succeeded' });
  const { objs } = await server.query('lookup/rrset/name/a.example');
  assert.deepEqual(lines[1], { query: 'first', obj: objs[0] });
});

test('the cursor of a query in bulk is that of the same query alone', async () => {
  const server = await sharedServer(seen);
  const { lines } = framed(await post(server, { queries: [queries[1]] }));
  const alone = await server.query('lookup/rrset/name/b.example/ANY?limit=1');
  assert.equal(lines[2]?.['cursor'], alone.last['cursor']);
});

for (const [form, body] of [
  ['an object', JSON.stringify({ queries })],
  ['lines of objects', queries.map((entry) => JSON.stringify(entry)).join('\n')],
  [
    'lines of objects with empty ones between',
    `\n${queries.map((entry) => JSON.stringify(entry)).join('\r\n\n')}\n`,
  ],
] as const) {
  test(`the body may be ${form}, under any content type`, async () => {
    const server = await sharedServer(seen);
    const expected = framed(await post(server, { queries })).answer.text;
    for (const type of [
      'application/json',
      'application/x-ndjson',
      'text/plain',
      'application/x-www-form-urlencoded',
    ]) {
      assert.equal((await post(server, body, { 'content-type': type })).text, expected);
    }
  });
}

test('a line may be just a path, as text or as a JSON string, and its id is then its number', async () => {
  const server = await sharedServer(seen);
  for (const body of [
    'lookup/rrset/name/a.example\nlookup/rrset/name/b.example/TXT\n',
    '"lookup/rrset/name/a.example"\n"lookup/rrset/name/b.example/TXT"',
    JSON.stringify({ queries: ['lookup/rrset/name/a.example', 'lookup/rrset/name/b.example/TXT'] }),
  ]) {
    const { lines } = framed(await post(server, body));
    assert.deepEqual(
      lines.filter(({ obj }) => obj).map(({ query, obj }) => `${query} ${obj.rrtype}`),
      ['0 A', '1 TXT'],
    );
  }
  assert.equal(framed(await post(server, 'lookup/rrset/name/a.example')).objs.length, 1);
  assert.equal(framed(await post(server, '"lookup/rrset/name/a.example"')).objs.length, 1);
});

test('the whole body is validated before the first query runs: an error returns 400, names its line, and costs nothing', async () => {
  const server = await sharedServer(seen, { pdns: { ...daily, offsetMax: 5 } });
  const good = 'lookup/rrset/name/a.example';
  for (const [body, message] of [
    ['', /queries/],
    ['{"queries":[]}', /queries/],
    ['{"queries":"x"}', /queries/],
    ['{"queries":[7]}', /queries\[0\]/],
    ['{}', /queries\[0\]\.query/],
    ['[]', /queries\[0\]/],
    ['null', /queries\[0\]/],
    [{ queries: [good, { id: 'x' }] }, /queries\[1\]\.query/],
    [{ queries: [good, { id: {}, query: good }] }, /queries\[1\]\.id/],
    [{ queries: [good, { id: 'x'.repeat(101), query: good }] }, /queries\[1\]\.id/],
    [
      {
        queries: [
          { id: 'x', query: good },
          { id: 'x', query: good },
        ],
      },
      /queries\[1\]\.id/,
    ],
    [{ queries: [good, 'lookup/rrset/foo/x'] }, /queries\[1\]\.query/],
    [{ queries: [good, 'rate_limit'] }, /queries\[1\]\.query/],
    [{ queries: [good, `${good}?limit=x`] }, /queries\[1\]\.query: limit/],
    [{ queries: [good, `${good}%zz`] }, /queries\[1\]\.query/],
    [`${good}\n{"query":`, /queries\[1\]/],
    [{ queries: Array(1001).fill(good) }, /queries.*1000/],
  ] as const) {
    assertTextError(await post(server, body), 400, message);
  }
  assertTextError(
    await post(server, { queries: [good, `${good}?offset=6`] }),
    416,
    /queries\[1\]\.query: offset value/,
  );
  assertTextError(await post(server, good, { accept: 'text/csv' }), 415);
  assertTextError(await server.call('POST /pdns/v2/bulk', { body: good }), 403);
  assertTextError(await server.call('GET /pdns/v2/bulk', { key: server.key }), 404);
  assert.equal(await remaining(server, server.key), 1000);
});

test('PQ-13 each query costs one', async () => {
  const server = await sharedServer(seen, { pdns: daily });
  const answer = await post(server, { queries });
  assert.equal(answer.headers['x-ratelimit-remaining'], '999');
  assert.equal(await remaining(server, server.key), 995);
});

test('PQ-18 when the quota ends within a bulk request the remaining queries fail and say so; with no quota left the response is 429', async () => {
  const quota = { type: 'time', limit: 2, period: 86_400 } as const;
  const server = await sharedServer(seen, { pdns: { ...unrestricted, quota } });
  const { lines } = framed(await post(server, { queries: queries.slice(0, 4) }));
  assert.deepEqual(
    lines.filter(({ outcome }) => outcome).map(({ query, outcome, msg }) => [query, outcome, msg]),
    [
      ['first', 'succeeded', undefined],
      ['second', 'limited', 'Result limit reached'],
      ['none', 'failed', 'Rate limit exceeded'],
      ['sum', 'failed', 'Rate limit exceeded'],
    ],
  );
  assert.deepEqual(lines.at(-1), { cond: 'failed', msg: '2 of 4 queries failed' });
  assertTextError(await post(server, { queries }), 429, /Rate limit exceeded/);
});

test('a failing query does not stop the others', async (t) => {
  const server = await pdnsServer(t, seen, {
    rrsets: (own) => ({
      scanText: (scan) => own.scanText(scan),
      scan: (scan) => {
        if (scan.selection.by === 'address') throw new Error('block 17 is damaged');
        return own.scan(scan);
      },
    }),
  });
  const { lines } = framed(await post(server, { queries: [queries[2], queries[0]] }));
  assert.deepEqual(
    lines.filter(({ outcome }) => outcome).map(({ query, outcome, msg }) => [query, outcome, msg]),
    [
      ['none', 'failed', 'processing error'],
      ['first', 'succeeded', undefined],
    ],
  );
  assert.deepEqual(lines.at(-1), { cond: 'failed', msg: '1 of 2 queries failed' });
  assert.match(server.log(), /block 17/);
});

test('a thousand queries are answered', async () => {
  const server = await sharedServer(seen);
  const { lines } = framed(await post(server, Array(1000).fill('lookup/rrset/name/a.example').join('\n')));
  assert.equal(lines.length, 2002);
  assert.equal(lines.at(-2)?.['query'], '999');
});

test('any body is answered or refused, never with an internal error', async () => {
  const server = await sharedServer(seen, { pdns: unlimited });
  const body = fc.oneof(
    fc.string(),
    fc.json(),
    fc.string({ unit: anyCharacter }),
    fc.json().map((text) => `{"queries":[${text}]}`),
    fc.string({ unit: 'grapheme' }).map((id) => JSON.stringify({ id, query: 'lookup/rrset/name/a.example' })),
  );
  await fc.assert(
    fc.asyncProperty(body, async (sent) => {
      const answer = await post(server, sent);
      if (answer.status === 200) framed(answer);
      else assertTextError(answer, 400);
    }),
    { numRuns: propertyRuns(100) },
  );
});
