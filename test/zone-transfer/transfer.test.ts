/** Zone transfers, with a secondary that was written from the RFCs. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as fc from 'fast-check';
import { expectedRecords, newKey, zoneFixture } from '../harness/fixtures/zone-fixture.ts';
import { applyIxfr, serialOf, textOf, types, zoneOf } from '../harness/network/zone-client.ts';
import { TestClock } from '../harness/test-clock.ts';

const scope = { after };
const shared = await zoneFixture(scope, { keys: [newKey('second', 'hmac-sha512')] });

const blocked = (...names: string[]) => names.map((name) => ({ name, kind: 'blocked' }) as const);

test('AXFR gives the whole zone between two copies of its SOA, every message signed', async (t) => {
  const fixture = await zoneFixture(t);
  const names = Array.from({ length: 1500 }, (_, at) => `acme-${String(at).padStart(4, '0')}.example`);
  await fixture.block(...names);
  const answer = await fixture.axfr();
  assert.ok(answer.raw.length > 3, 'several messages');
  assert.deepEqual(answer.records.slice(0, 2).map(textOf), [
    `${fixture.zone}. SOA ${fixture.clock.now() / 1000}`,
    `${fixture.zone}. ${types.ns} localhost.`,
  ]);
  const zone = [...zoneOf(answer)].slice(2);
  assert.deepEqual(zone.sort(), [...expectedRecords(fixture.zone, blocked(...names))].sort());
});

test('an allowed name below a blocked one is passed through', async (t) => {
  const fixture = await zoneFixture(t);
  await fixture.block('acme.example');
  const by = { username: 'alice', atMs: fixture.clock.now() };
  const change = { add: ['www.acme.example'], remove: [] };
  await fixture.stores.blocklists.changeAllowed(fixture.accountId, change, by);
  const expected = [...blocked('acme.example'), { name: 'www.acme.example', kind: 'passed' } as const];
  assert.deepEqual([...zoneOf(await fixture.axfr())].slice(2), expectedRecords(fixture.zone, expected));
});

test('a selection is a zone of its own', async (t) => {
  const fixture = await zoneFixture(t);
  await fixture.block('acme.example');
  const rules = { blocked: true, tags: [], monitorIds: [] };
  const by = { username: 'alice', atMs: fixture.clock.now() };
  const key = { accountId: fixture.accountId, selection: 'mine' };
  await fixture.stores.blocklists.putSelection(key, rules, by);
  const zone = fixture.zone.replace('blocked.', 'mine.');
  const answer = await fixture.ask({ zone, type: types.axfr });
  assert.deepEqual([...zoneOf(answer)].slice(2), expectedRecords(zone, blocked('acme.example')));
  await fixture.stores.blocklists.deleteSelection(key);
  assert.equal((await fixture.ask({ zone, type: types.axfr })).rcode, 5);
});

test('IXFR from any version that is kept gives the same zone as AXFR', async () => {
  const fixture = shared;
  const universe = ['a.test', 'b.a.test', 'www.a.test', 'c.test', 'd.test'];
  const step = fc.record({
    what: fc.constantFrom('block', 'undo', 'allow', 'disallow'),
    name: fc.constantFrom(...universe),
  });
  const decisions = new Map<string, string>();
  const known = new Map<number, ReadonlySet<string>>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
      for (const { what, name } of steps) {
        const by = { username: 'alice', atMs: fixture.clock.now() };
        const [add, remove] = what === 'allow' ? [[name], []] : [[], [name]];
        if (what === 'block' && !decisions.has(name)) decisions.set(name, await fixture.block(name));
        else if (what === 'undo') {
          const id = decisions.get(name);
          if (id !== undefined) await fixture.undo(id);
          decisions.delete(name);
        } else if (what !== 'block')
          await fixture.stores.blocklists.changeAllowed(fixture.accountId, { add, remove }, by);
      }
      const whole = await fixture.axfr();
      const zone = zoneOf(whole);
      for (const [serial, before] of [...known].slice(-8)) {
        const answer = await fixture.ixfr(serial);
        assert.deepEqual([...applyIxfr(before, answer)].sort(), [...zone].sort());
      }
      known.set(serialOf(whole.records[0] as (typeof whole.records)[number]), zone);
    }),
    { numRuns: 40 },
  );
  assert.ok(known.size > 10, `${known.size} versions`);
});

test('IXFR with a version that is not kept gives the whole zone, and with the present one a single SOA', async (t) => {
  const fixture = await zoneFixture(t);
  await fixture.block('acme.example');
  const whole = await fixture.axfr();
  const serial = fixture.clock.now() / 1000;
  assert.deepEqual((await fixture.ixfr(serial - 7)).records.map(textOf), whole.records.map(textOf));
  const same = await fixture.ixfr(serial);
  assert.deepEqual(same.records.map(textOf), [`${fixture.zone}. SOA ${serial}`]);
  // A client that is ahead of us keeps what it has (RFC 1995).
  assert.equal((await fixture.ixfr(serial + 1000)).records.length, 1);
});

test('serials wrap around, and IXFR goes on across the end (RFC 1982)', async (t) => {
  const clock = new TestClock('2106-02-07T06:28:15Z');
  assert.equal(clock.now() / 1000, 2 ** 32 - 1);
  const fixture = await zoneFixture(t, { clock });
  await fixture.block('a.example');
  const before = zoneOf(await fixture.axfr());
  await fixture.block('b.example');
  const soa = (await fixture.ask({ type: types.soa })).records.map(textOf);
  const answer = await fixture.ixfr(2 ** 32 - 1);
  assert.deepEqual(soa, [`${fixture.zone}. SOA 0`]);
  assert.equal(answer.records.length, 6, 'a difference');
  assert.deepEqual([...applyIxfr(before, answer)].sort(), [...zoneOf(await fixture.axfr())].sort());
});

test('a name that does not fit below the zone is in neither kind of transfer', async (t) => {
  const fixture = await zoneFixture(t);
  const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example`;
  const zone = fixture.zone.replace('blocked.', `${'s'.repeat(40)}.`);
  const key = { accountId: fixture.accountId, selection: 's'.repeat(40) };
  const by = { username: 'alice', atMs: fixture.clock.now() };
  await fixture.stores.blocklists.putSelection(key, { blocked: true, tags: [], monitorIds: [] }, by);
  const before = zoneOf(await fixture.ask({ zone, type: types.axfr }));
  const serial = fixture.clock.now() / 1000;
  await fixture.block(long, 'a.example');
  const answer = await fixture.ask({ zone, type: types.ixfr, serial });
  const whole = zoneOf(await fixture.ask({ zone, type: types.axfr }));
  assert.deepEqual([...applyIxfr(before, answer)].sort(), [...whole].sort());
  assert.equal(answer.rcode, 0);
});

test('transfers are listed with those who fetched blocklists, and counted', async (t) => {
  const fixture = await zoneFixture(t);
  await fixture.axfr();
  let fetches: readonly object[] = [];
  while (fetches.length === 0)
    fetches = await fixture.stores.escalations.listBlocklistFetches(fixture.accountId);
  assert.deepEqual(fetches, [
    {
      selection: 'blocked',
      format: 'transfer',
      address: '127.0.0.1',
      agent: 'key acme-secondary.',
      atMs: fixture.clock.now(),
      version: fixture.clock.now() / 1000,
    },
  ]);
  assert.equal(fixture.counts()['axfr'], 1);
});
