import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseName } from '../../../src/model/dns/name.ts';
import type { Seen } from '../../harness/fixtures/observe-rrsets.ts';
import { assertTextError, sharedPdnsServers } from './pdns-fixture.ts';

const sharedServer = sharedPdnsServers();

const seen: Seen[] = [
  {
    rrname: 'a.example',
    rdata: ['192.0.2.1', '192.0.2.2'],
    bailiwick: 'example',
    count: 3,
    time_first: 100,
    time_last: 200,
  },
  { rrname: 'b.example', rrtype: 'TXT', rdata: '"one, \\"two\\""' },
  { rrname: 'c.example', rrtype: 'NS', rdata: 'ns.example', zone_time_first: 7, zone_time_last: 9 },
];

const columns = 'count,time_first,time_last,zone_time_first,zone_time_last,rrname,rrtype,bailiwick,rdata\r\n';

for (const [how, query, headers] of [
  ['Accept: text/csv', '', { accept: 'text/csv' }],
  ['Accept: text/*', '', { accept: 'text/*' }],
  ['format=csv', '?format=csv', {}],
  ['format=csv against Accept', '?format=csv', { accept: 'application/x-ndjson' }],
] as const) {
  test(`with ${how} a lookup returns CSV: a header, then a line for each rdata value`, async () => {
    const server = await sharedServer(seen);
    const answer = await server.call(`GET /pdns/v2/lookup/rrset/name/*.example${query}`, {
      key: server.key,
      headers,
    });
    assert.deepEqual([answer.status, answer.headers['content-type']], [200, 'text/csv']);
    assert.equal(
      answer.text,
      `${columns}3,100,200,,,a.example.,A,example.,192.0.2.1\r\n` +
        '3,100,200,,,a.example.,A,example.,192.0.2.2\r\n' +
        '1,1700000000,1700000000,,,b.example.,TXT,b.example.,"""one, \\""two\\"""""\r\n' +
        '1,,,7,9,c.example.,NS,c.example.,ns.example.\r\n',
    );
  });
}

test('inverse lookups, summaries and flexible searches have their columns too', async () => {
  const server = await sharedServer(seen);
  const csv = async (path: string) =>
    (await server.call(`GET /pdns/v2/${path}`, { key: server.key, headers: { accept: 'text/csv' } })).text;
  assert.equal(await csv('lookup/rdata/ip/192.0.2.2'), `${columns}3,100,200,,,a.example.,A,,192.0.2.2\r\n`);
  assert.equal(
    await csv('summarize/rrset/name/*.example?humantime=t'),
    'count,num_results,time_first,time_last,zone_time_first,zone_time_last\r\n' +
      '5,3,1970-01-01T00:01:40Z,2023-11-14T22:13:20Z,1970-01-01T00:00:07Z,1970-01-01T00:00:09Z\r\n',
  );
  assert.equal(await csv('glob/rrnames/a.*'), 'rrname,rrtype\r\na.example.,A\r\n');
  assert.equal(
    await csv('glob/rdata/ns.*?verbose=t'),
    'rdata,rrtype,raw_rdata,count,time_first,time_last\r\nns.example.,NS,026E73076578616D706C6500,1,7,9\r\n',
  );
  assert.equal(await csv('lookup/rrset/name/none.example'), columns);
});

test('a short CSV response says in a header whether it is complete', async () => {
  const server = await sharedServer(seen);
  const lookup = (query: string) =>
    server.call(`GET /pdns/v2/lookup/rrset/name/*.example?format=csv${query}`, { key: server.key });
  assert.equal((await lookup('')).headers['x-result'], 'complete');
  const cut = await lookup('&limit=1');
  assert.equal(cut.headers['x-result'], 'limited');
  assert.equal(cut.text.split('\r\n').length, 4, 'the limit counts records, not lines');
  assert.ok((await lookup(`&cursor=${cut.headers['x-cursor']}`)).text.endsWith('ns.example.\r\n'));
});

test('an unknown format returns 400 and names the parameter', async () => {
  const server = await sharedServer(seen);
  for (const format of ['', 'CSV', 'xml', 'json', 'constructor']) {
    const answer = await server.call(`GET /pdns/v2/lookup/rrset/name/a?format=${format}`, {
      key: server.key,
    });
    assertTextError(answer, 400, /format/);
  }
});

/** Parses CSV lines as in RFC 4180. */
function parseCsv(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  for (const [, plain = '', quotedField, end] of text.matchAll(
    /(?:([^",\r\n]*)|"((?:[^"]|"")*)")(,|\r\n)/g,
  )) {
    line.push(quotedField === undefined ? plain : quotedField.replaceAll('""', '"'));
    if (end === ',') continue;
    lines.push(line);
    line = [];
  }
  return lines;
}

test('no field starts a formula, and every name survives unchanged', async () => {
  const odd = ['=1+1', '+cmd', '-2', '@sum', '=a,b', '=a"b', '\t=1', '|x', '%0a'];
  const bytes = fc.sample(fc.uint8Array({ minLength: 1, maxLength: 12 }), 200);
  const escaped = (text: Iterable<number>) =>
    [...text].map((code) => `\\${String(code).padStart(3, '0')}`).join('');
  const labels = [...odd.map((text) => Buffer.from(text)), ...bytes].map(escaped);
  const names = [...new Set(labels.map((label) => `${label}.example`))];
  const server = await sharedServer(names.map((rrname) => ({ rrname, rrtype: 'CNAME', rdata: rrname })));
  const answer = await server.call('GET /pdns/v2/lookup/rrset/name/*.example?format=csv', {
    key: server.key,
  });
  const [head, ...lines] = parseCsv(answer.text);
  assert.equal(head?.length, 9);
  const hexOf = (name: string) => Buffer.from(parseName(name) ?? assert.fail(name)).toString('hex');
  const shown = new Set<string>();
  for (const line of lines) {
    assert.equal(line.length, 9);
    for (const field of line) assert.doesNotMatch(field, /^[=+\-@\t\r]/);
    assert.equal(hexOf(line[5] as string), hexOf(line[8] as string));
    shown.add(hexOf(line[5] as string));
  }
  assert.deepEqual(shown, new Set(names.map(hexOf)));
});
