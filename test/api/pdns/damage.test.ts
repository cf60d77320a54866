/** Passive DNS whose stored data is damaged: nothing wrong is served, and what does not need the damaged part is answered. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type TestServer, testServer } from '../../harness/server/test-server.ts';
import { onSharedPassiveDns } from '../../harness/server/test-stores.ts';

const options = { skip: onSharedPassiveDns('it damages files of passive DNS on this node') };

const names = Array.from(
  { length: 3000 },
  (_, number) => `host-${String(number).padStart(5, '0')}.example.com.`,
);

/** A server whose file of forward rows has a flipped bit at this part of its length. */
async function damagedServer(t: TestContext, part: number): Promise<{ server: TestServer; key: string }> {
  const server = await testServer(t);
  await server.observe(names.map((rrname) => ({ rrname })));
  const directory = join(server.directory, 'rrsets');
  const [file] = readdirSync(directory).filter((one) => one.endsWith('.forward')) as [string];
  const bytes = readFileSync(join(directory, file));
  const at = Math.floor(bytes.length * part);
  bytes[at] = (bytes[at] as number) ^ 16;
  writeFileSync(join(directory, file), bytes);
  const { key } = await server.user();
  return { server, key };
}

const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { cond?: string; msg?: string; obj?: { rrname: string } });

test(
  'PDNS-12 a stream that meets damaged data ends with failed after rows that are right',
  options,
  async (t) => {
    const { server, key } = await damagedServer(t, 0.7);
    const { status, text } = await server.call('GET /pdns/v2/lookup/rrset/name/*.example.com?limit=0', {
      key,
    });
    const lines = linesOf(text);
    assert.equal(status, 200);
    assert.equal(lines.at(-1)?.cond, 'failed');
    assert.match(lines.at(-1)?.msg ?? '', /damaged/);
    const rows = lines.flatMap(({ obj }) => (obj ? [obj.rrname] : []));
    assert.ok(rows.length > 1000 && rows.length < names.length, `${rows.length} rows`);
    assert.deepEqual(rows, names.slice(0, rows.length));
    assert.match(server.log(), /\.forward is damaged at byte \d+: the checksum of a block/);
  },
);

test('PDNS-12 a lookup that needs damaged data answers 500, and others are answered', options, async (t) => {
  const { server, key } = await damagedServer(t, 0.7);
  const lookUp = (name: string) => server.call(`GET /pdns/v2/lookup/rrset/name/${name}`, { key });
  const statuses: number[] = [];
  for (const name of names.filter((_, index) => index % 10 === 0)) {
    const { status, text } = await lookUp(name);
    statuses.push(status);
    if (status === 200) assert.equal(linesOf(text)[1]?.obj?.rrname, name);
  }
  assert.deepEqual(new Set(statuses), new Set([200, 500]));
  assert.ok(statuses.filter((status) => status === 500).length < 20);
});
