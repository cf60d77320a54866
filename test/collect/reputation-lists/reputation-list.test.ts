import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { findListCheckpoint } from '../../../src/collect/reputation-lists/list-checkpoint.ts';
import { openReceiver } from '../../harness/network/http-receiver.ts';
import { numbered, openListing } from './listing.ts';

const { signal } = new AbortController();

test('a file is read once, and again when it changes, and domains that it no longer names leave the list', async (t) => {
  const { data, make, said, list, clock } = openListing(t);
  const location = join(data, 'list.txt');
  writeFileSync(location, '# bad ones\na.example\nwww.b.example\nlogin.bank.example\nnonsense\n');
  const reader = make({ location, weight: 0.5 });
  await reader.poll(signal);
  assert.deepEqual(await said('a.example', 'b.example', 'bank.example'), [
    'own phishing',
    'own phishing',
    '',
  ]);
  await reader.poll(signal);
  const counts = { domains: 2, invalid: 1, hosts: 1, shared: 0 };
  assert.deepEqual(reader.statistics(), { snapshots: 1, unchanged: 1, rejected: 0, ...counts });
  writeFileSync(location, gzipSync('b.example\nc.example\nc.example\n'));
  clock.advanceSeconds(60);
  await make({ location, weight: 0.5 }).poll(signal);
  const later = make({ location, weight: 0.5 });
  await later.poll(signal);
  assert.deepEqual([later.statistics().unchanged, later.statistics().domains], [1, 2]);
  assert.deepEqual(await said('a.example', 'b.example', 'c.example'), ['', 'own phishing', 'own phishing']);
  assert.deepEqual([(await list())?.domains, (await list())?.readMs], [2, clock.now()]);
});

test('an unchanged file is read again when its settings change', async (t) => {
  const { data, make, said, risks } = openListing(t);
  const location = join(data, 'list.csv');
  writeFileSync(location, 'domain,other\na.example,b.example\n');
  await make({ location, format: 'csv' }).poll(signal);
  assert.deepEqual(await said('a.example', 'b.example'), ['own phishing', '']);
  await make({ location, format: 'csv', column: 2, label: 'good' }).poll(signal);
  assert.deepEqual(await said('a.example', 'b.example'), ['', 'own good']);
  await make({ location, format: 'csv', column: 2, label: 'good', weight: 0.25 }).poll(signal);
  assert.deepEqual((await risks.findVerdicts(['b.example'], 0))[0], [
    { list: 'own', label: 'good', weight: 0.25 },
  ]);
});

test('a URL is requested with the validators of the last snapshot, compressed or not', async (t) => {
  const server = await openReceiver(t, {
    answer: ({ headers }, response) => {
      if (headers['if-none-match'] === '"one"') response.writeHead(304).end();
      else response.writeHead(200, { etag: '"one"' }).end(gzipSync('0.0.0.0 a.example b.example\n'));
    },
  });
  const { make, said, directory } = openListing(t);
  await make({ location: server.url, format: 'hosts' }).poll(signal);
  const again = make({ location: server.url, format: 'hosts' });
  await again.poll(signal);
  assert.deepEqual(await said('a.example', 'b.example'), ['own phishing', 'own phishing']);
  assert.deepEqual([server.received.length, again.statistics().unchanged], [2, 1]);
  assert.deepEqual(readdirSync(directory), [], 'nothing is left of the download');
});

test('a truncated or damaged download removes nothing from the list', async (t) => {
  const whole = numbered(200).join('\n');
  let answers = 0;
  const server = await openReceiver(t, {
    answer: (_, response) => {
      answers += 1;
      if (answers === 1) response.end(whole);
      else if (answers === 2) {
        response.writeHead(200, { 'content-length': whole.length });
        response.write(whole.slice(0, 100), () => response.destroy());
      } else if (answers === 3) response.end(gzipSync(whole).subarray(0, 200));
      else response.writeHead(503).end();
    },
  });
  const { make, list } = openListing(t);
  const reader = make({ location: server.url });
  await reader.poll(signal);
  for (let attempt = 0; attempt < 3; attempt += 1) await assert.rejects(reader.poll(signal));
  assert.equal((await list())?.domains, 200);
});

test('an aborted snapshot removes nothing, and the next one starts from the first line', async (t) => {
  const listing = openListing(t);
  const { data, said, list, risks } = listing;
  const location = join(data, 'list.txt');
  writeFileSync(location, 'old.example\n');
  await listing.make({ location }).poll(signal);
  writeFileSync(location, numbered(60_000).join('\n'));
  const stopping = new AbortController();
  const take = risks.addListed.bind(risks);
  risks.addListed = async (reading, domains) => {
    await take(reading, domains);
    stopping.abort();
  };
  await assert.rejects(listing.make({ location }).poll(stopping.signal), { name: 'AbortError' });
  assert.deepEqual(await said('old.example', 'n0.example', 'n59999.example'), [
    'own phishing',
    'own phishing',
    '',
  ]);
  risks.addListed = take;
  await listing.make({ location }).poll(signal);
  assert.deepEqual(await said('old.example', 'n0.example', 'n59999.example'), [
    '',
    'own phishing',
    'own phishing',
  ]);
  assert.equal((await list())?.domains, 60_000);
});

test('a list that shrank below a tenth keeps its old snapshot until three consecutive snapshots agree', async (t) => {
  const { data, make, list } = openListing(t);
  const location = join(data, 'list.txt');
  const put = (count: number) => writeFileSync(location, numbered(count).join('\n'));
  const reader = make({ location });
  put(100);
  await reader.poll(signal);
  for (const count of [9, 0]) {
    put(count);
    await assert.rejects(reader.poll(signal), /it shrank from 100 domains to \d: the old snapshot stays/);
  }
  put(10);
  await reader.poll(signal);
  assert.equal((await list())?.domains, 10, 'a tenth is believed');
  put(0);
  for (let attempt = 0; attempt < 2; attempt += 1) await assert.rejects(reader.poll(signal));
  assert.equal((await list())?.domains, 10);
  await reader.poll(signal);
  assert.deepEqual([(await list())?.domains, reader.statistics().rejected], [0, 4]);
});

test('a first snapshot with lines but no domain is reported and rejected', async (t) => {
  const { data, make, list } = openListing(t);
  const location = join(data, 'list.html');
  writeFileSync(location, '<!doctype html>\n<p>Please log in</p>\n');
  await assert.rejects(make({ location }).poll(signal), /no line holds a domain; is its format plain\?/);
  assert.equal((await list())?.readMs, undefined);
  writeFileSync(location, '# none yet\n');
  await make({ location }).poll(signal);
  assert.equal((await list())?.domains, 0);
});

test('entries of a list with keepDays expire after they were last listed, and an unchanged file renews them', async (t) => {
  const { data, make, said, clock, risks } = openListing(t);
  const location = join(data, 'list.txt');
  const reader = make({ location, keepDays: 10 });
  writeFileSync(location, 'a.example\nb.example\n');
  await reader.poll(signal);
  clock.advanceSeconds(4 * 86_400);
  await reader.poll(signal);
  assert.equal(reader.statistics().unchanged, 1);
  clock.advanceSeconds(2 * 86_400);
  await reader.poll(signal);
  assert.equal(reader.statistics().snapshots, 2, 'it is read again before the days are over');
  writeFileSync(location, 'b.example\n');
  clock.advanceSeconds(86_400);
  await reader.poll(signal);
  clock.advanceSeconds(8 * 86_400);
  assert.deepEqual(await said('a.example', 'b.example'), ['own phishing', 'own phishing']);
  clock.advanceSeconds(86_400);
  assert.deepEqual(await said('a.example', 'b.example'), ['', 'own phishing']);
  assert.equal(await risks.removeExpired(clock.now(), 100), 1);
});

test('popular domains have the rank in the line, or their position in the list', async (t) => {
  const { data, make, said } = openListing(t);
  const write = (name: string, text: string) => {
    writeFileSync(join(data, name), text);
    return { location: join(data, name), name, label: 'popular' } as const;
  };
  await make(write('ranked', '3,a.example\n7,www.a.example\n9,login.a.example\n12,b.example\n')).poll(signal);
  await make(write('placed', '# by use\na.example\nb.example\n')).poll(signal);
  await make({ ...write('table', 'Rank,TLD,Domain\n5,x,"b.example"\n'), format: 'csv', column: 3 }).poll(
    signal,
  );
  assert.deepEqual(await said('a.example', 'b.example'), [
    'ranked popular 3, placed popular 1',
    'ranked popular 12, placed popular 2, table popular 5',
  ]);
});

test('a malicious page does not list a well-known site, but its domain on a list does', async (t) => {
  const { data, make, said } = openListing(t);
  const location = join(data, 'urls.txt');
  const page = 'https://wellknown-shop.com/~user/login.html\n';
  const other = 'https://smallshop.com/login.html\n';
  writeFileSync(location, page + other);
  await make({ location }).poll(signal);
  assert.deepEqual(await said('wellknown-shop.com', 'smallshop.com'), ['', 'own phishing']);
  writeFileSync(location, `wellknown-shop.com\n${page}${other}`);
  await make({ location }).poll(signal);
  assert.deepEqual(await said('wellknown-shop.com'), ['own phishing']);
});

test('a malicious page does not list a popular site, but its domain on a list does', async (t) => {
  const { data, make, said } = openListing(t);
  const write = (name: string, text: string) => {
    writeFileSync(join(data, name), text);
    return { location: join(data, name), name };
  };
  await make({
    ...write('top', '1,big.example\n2,named.example\n20000,small.example\n'),
    label: 'popular',
  }).poll(signal);
  const lines = [
    'https://big.example/user/x',
    'https://small.example/y',
    'https://named.example/z',
    'named.example',
    'https://evil.example/',
  ];
  const reader = make(write('urls', lines.join('\n')));
  await reader.poll(signal);
  assert.deepEqual(await said('big.example', 'small.example', 'named.example', 'evil.example'), [
    'top popular 1',
    'top popular 20000, urls phishing',
    'top popular 2, urls phishing',
    'urls phishing',
  ]);
  assert.deepEqual([reader.statistics().domains, reader.statistics().shared], [3, 1]);
});

test('an unreadable checkpoint counts as none', () => {
  for (const place of [
    undefined,
    '',
    'nonsense',
    '{}',
    '[1]',
    'null',
    '{"version":"1"}',
    '{"version":"1","settings":"","reading":"x","domains":1}',
  ])
    assert.equal(findListCheckpoint(place), undefined);
  fc.assert(fc.property(fc.json(), (text) => void findListCheckpoint(text)));
});
