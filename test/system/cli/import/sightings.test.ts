/** Logs of Zeek and Suricata are sightings of their sensors, without the clients that they name. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDetectStores } from '../../../../src/store/embedded/detect-stores.ts';
import { WatchlistFixture } from '../../../harness/fixtures/watchlist-fixture.ts';
import { nameglass } from '../../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

const seconds = 1_700_000_000;
const client = '203.0.113.77';

const zeek = JSON.stringify({
  ts: seconds,
  uid: 'C1',
  'id.orig_h': client,
  'id.orig_p': 40_000,
  'id.resp_h': '192.0.2.53',
  'id.resp_p': 53,
  proto: 'udp',
  query: 'www.paypa1.com',
  qclass: 1,
  qtype: 1,
  qtype_name: 'A',
  rcode: 0,
  rcode_name: 'NOERROR',
  AA: false,
  TC: false,
  answers: ['192.0.2.80'],
  TTLs: [60],
  rejected: false,
});

const eve = JSON.stringify({
  timestamp: '2023-11-14T22:14:20.000000+0000',
  event_type: 'dns',
  src_ip: client,
  src_port: 40_000,
  dest_ip: '192.0.2.53',
  dest_port: 53,
  proto: 'UDP',
  dns: {
    version: 2,
    type: 'answer',
    id: 7,
    rcode: 'NOERROR',
    rrname: 'mail.paypa1.com',
    rrtype: 'A',
    answers: [{ rrname: 'mail.paypa1.com', rrtype: 'A', ttl: 60, rdata: '192.0.2.81' }],
  },
});

const cof = JSON.stringify({
  rrname: 'ftp.paypa1.com.',
  rrtype: 'A',
  rdata: ['192.0.2.82'],
  bailiwick: 'paypa1.com.',
  count: 5,
  time_first: seconds,
  time_last: seconds,
});

function filesHolding(directory: string, bytes: Buffer): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) => {
    const path = join(directory, file);
    return statSync(path).isFile() && readFileSync(path).includes(bytes);
  });
}

test('imports of Zeek and EVE are sightings, once each, and observations of others are none', async (t) => {
  const [data, files] = [temporaryDirectory(t), temporaryDirectory(t)];
  const account = 'account of imports';
  const before = openDetectStores(data);
  const fixture = new WatchlistFixture(before, account);
  await fixture.discover('paypa1.com', [await fixture.monitor()]);
  assert.ok(await before.sightings.addPast([{ domain: 'paypa1.com', past: undefined }], 0));
  await before.close();
  for (const [format, line] of Object.entries({ zeek, eve, cof, again: zeek })) {
    const file = join(files, format);
    writeFileSync(file, `${line}\n`);
    const kind = format === 'again' ? 'zeek' : format;
    const { code, err } = await nameglass(['import', 'rrsets', '--data', data, '--format', kind, file]);
    assert.equal(code, 0, err);
  }
  const stores = openDetectStores(data);
  t.after(() => stores.close());
  assert.deepEqual((await new WatchlistFixture(stores, account).find('paypa1.com')).sightings, [
    { sensor: 'eve', firstSeconds: seconds + 60, lastSeconds: seconds + 60, count: 1 },
    { sensor: 'zeek', firstSeconds: seconds, lastSeconds: seconds, count: 1 },
  ]);
  const bytes = Buffer.from(client.split('.').map(Number));
  for (const form of [Buffer.from(client), bytes, Buffer.from(bytes.toReversed())])
    assert.deepEqual(filesHolding(data, form), []);
});
