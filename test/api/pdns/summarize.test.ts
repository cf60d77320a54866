import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Seen } from '../../harness/fixtures/observe-rrsets.ts';
import { assertTextError, sharedPdnsServers } from './pdns-fixture.ts';

const sharedServer = sharedPdnsServers();

const seen: Seen[] = [
  { rrname: 'a.example', count: 10, time_first: 100, time_last: 200 },
  { rrname: 'b.example', count: 20, time_first: 50, time_last: 150 },
  { rrname: 'c.example', count: 30, zone_time_first: 10, zone_time_last: 400 },
  { rrname: 'm.example', rrtype: 'MX', rdata: '10 mail.example.net', count: 5, time_first: 300 },
];

test('PDNS-30 a summary is one obj: the sum, the number of rows, and the times of sensors and zones', async () => {
  const server = await sharedServer(seen);
  const { answer } = await server.query('summarize/rrset/name/*.example');
  const obj =
    '{"count":65,"num_results":4,"time_first":50,"time_last":300,"zone_time_first":10,"zone_time_last":400}';
  assert.equal(answer.text, `{"cond":"begin"}\n{"obj":${obj}}\n{"cond":"succeeded"}\n`);
  const { objs } = await server.query('summarize/rrset/name/c.example');
  assert.deepEqual(objs, [{ count: 30, num_results: 1, zone_time_first: 10, zone_time_last: 400 }]);
});

for (const path of [
  'rrset/name/a.example',
  'rrset/name/*.example/A/a.example',
  'rrset/raw/0161076578616d706c6500/A',
  'rdata/name/mail.example.net/MX',
  'rdata/ip/192.0.2.0,24',
  'rdata/raw/c000',
]) {
  test(`PDNS-30 ${path} exists under lookup and under summarize, which adds up the results of the lookup`, async () => {
    const server = await sharedServer(seen);
    const { objs: rows } = await server.query(`lookup/${path}`);
    const { objs } = await server.query(`summarize/${path}`);
    assert.ok(rows.length > 0);
    assert.equal(objs.length, 1);
    assert.equal(objs[0]?.['num_results'], rows.length);
    assert.equal(
      objs[0]?.['count'],
      rows.reduce((sum, { count }) => sum + count, 0),
    );
  });
}

test('PDNS-30 without rows there is no obj', async () => {
  const server = await sharedServer(seen);
  const { answer } = await server.query('summarize/rrset/name/none.example');
  assert.equal(answer.text, '{"cond":"begin"}\n{"cond":"succeeded"}\n');
});

test('PDNS-31 max_count stops once the summed count reaches it, including the last record in full', async () => {
  const server = await sharedServer(seen);
  const sums = async (query: string) => {
    const { objs, last } = await server.query(`summarize/rrset/name/*.example?${query}`);
    return [objs[0]?.['count'], objs[0]?.['num_results'], last['cond']];
  };
  assert.deepEqual(await sums('max_count=1'), [10, 1, 'succeeded']);
  assert.deepEqual(await sums('max_count=10'), [10, 1, 'succeeded']);
  assert.deepEqual(await sums('max_count=11'), [30, 2, 'succeeded']);
  assert.deepEqual(await sums('max_count=9999'), [65, 4, 'succeeded']);
});

test('PDNS-13 PDNS-30 limit bounds the rows of a summary, which then ends in limited; offset, sort and cursor have no effect', async () => {
  const server = await sharedServer(seen);
  const { objs, last } = await server.query('summarize/rrset/name/*.example?limit=2');
  assert.deepEqual(objs[0], { count: 30, num_results: 2, time_first: 50, time_last: 200 });
  assert.deepEqual(last, { cond: 'limited', msg: 'Result limit reached' });
  assert.deepEqual((await server.query('summarize/rrset/name/*.example?limit=4')).last, {
    cond: 'succeeded',
  });
  const other = await server.query('summarize/rrset/name/*.example?offset=3&sort=time_last');
  assert.equal(other.objs[0]?.['num_results'], 4);
});

test('PDNS-32 PDNS-35 time fences, min_count, humantime and types apply to summaries', async () => {
  const server = await sharedServer(seen);
  const counts = async (rest: string) =>
    (await server.query(`summarize/rrset/name/*.example${rest}`)).objs[0]?.['count'];
  assert.equal(await counts('?time_last_after=200'), 45);
  assert.equal(await counts('?min_count=20'), 50);
  assert.equal(await counts('/MX'), 5);
  const { objs } = await server.query('summarize/rrset/name/b.example?humantime=t');
  assert.deepEqual(objs[0], {
    count: 20,
    num_results: 1,
    time_first: '1970-01-01T00:00:50Z',
    time_last: '1970-01-01T00:02:30Z',
  });
});

test('PE-21 a max_count that is not a number returns 400 and is named', async () => {
  const server = await sharedServer();
  const answer = await server.call('GET /pdns/v2/summarize/rrset/name/a?max_count=many', { key: server.key });
  assertTextError(answer, 400, /max_count/);
});
