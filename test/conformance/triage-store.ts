/** What every store of triage must do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SharedFacts } from '../../src/model/detect/watchlist.ts';
import { dayMs } from '../../src/model/durations.ts';
import type { Period, TriageFilter } from '../../src/store/triage-store.ts';
import { addDomains, facts, type WatchlistFixture } from '../harness/fixtures/watchlist-fixture.ts';
import {
  describeDetectStore,
  type NewFixture,
  type OpenDetectStores,
} from './detect/describe-detect-store.ts';

const ann = { username: 'ann', atMs: 3000 };

export function triageStoreConformance(name: string, open: OpenDetectStores): void {
  describeDetectStore(`${name} as a store of triage`, open, (newFixture) => {
    listing(newFixture);
    filtering(newFixture);
    counting(newFixture);
    annotating(newFixture);
    visiting(newFixture);
    summarizing(newFixture);
  });
}

const namesOf = async (fixture: WatchlistFixture, filter: TriageFilter, more = {}) =>
  (await fixture.triageList(filter, more)).domains.map(({ domain }) => domain);

function shared(more: Partial<SharedFacts>): SharedFacts {
  return { registrar: '', ip: [], country: [], certificate: [], analytics: [], ...more };
}

function listing(newFixture: NewFixture): void {
  test('each list has its domains, the latest arrival first', async () => {
    const fixture = newFixture();
    const ids = await addDomains(fixture, 'a.example', 'b.example', 'c.example', 'd.example', 'e.example');
    const [, b = '', c = '', d = '', e = ''] = ids;
    const decide = (id: string, target: 'watched' | 'ignored' | 'blocked', atMs: number) =>
      fixture.decisions.decideDomains(
        fixture.accountId,
        [id],
        { target, pieceDomains: 9 },
        { username: 'ann', atMs },
      );
    await decide(b, 'watched', 3000);
    await decide(c, 'ignored', 3000);
    await decide(d, 'blocked', 3500);
    await decide(e, 'watched', 4000);
    await fixture.applyChanges([
      { domain: 'b.example', facts, changed: { atMs: 3100, fields: ['ip', 'mx'] } },
    ]);
    await fixture.applyChanges([{ domain: 'e.example', facts, changed: { atMs: 3900, fields: ['ip'] } }]);
    const lists = ['new', 'changed', 'watched', 'ignored', 'blocked'] as const;
    assert.deepEqual(await Promise.all(lists.map((list) => namesOf(fixture, { list }))), [
      ['a.example'],
      ['b.example'],
      ['e.example', 'd.example', 'b.example'],
      ['c.example'],
      ['d.example'],
    ]);
    const [changed] = (await fixture.triageList({ list: 'changed' })).domains;
    assert.deepEqual([changed?.changedFields, changed?.arrivedMs], [['ip', 'mx'], 3100]);
  });

  test('a blocked domain stays on the list of blocked ones when its monitor goes', async () => {
    const fixture = newFixture();
    const monitor = await fixture.monitor();
    await fixture.discover('a.example', [monitor]);
    await fixture.escalate('a.example', 'blocked');
    await fixture.monitors.deleteMonitor(fixture.accountId, monitor.id);
    const [domain] = (await fixture.triageList({ list: 'blocked' })).domains;
    assert.equal(domain?.domain, 'a.example');
    assert.equal(
      (await fixture.triageLists.findTriageDomain(fixture.accountId, domain.id))?.domain,
      'a.example',
    );
  });

  test('pages keep the order of the first page while others decide', async () => {
    const fixture = newFixture();
    const names = Array.from({ length: 9 }, (_, index) => `n${index}.example`);
    const ids = await addDomains(fixture, ...names);
    const page = (offset: number) =>
      namesOf(fixture, { list: 'new' }, { sort: 'name', offset, limit: 3, query: 'list one' });
    const first = await page(0);
    await fixture.decisions.decideDomains(
      fixture.accountId,
      ids.slice(0, 5),
      { target: 'ignored', pieceDomains: 9 },
      ann,
    );
    assert.deepEqual([...first, ...(await page(3)), ...(await page(6))], names);
  });

  test('lists are sorted by risk with unknown scores last, and by name', async () => {
    const fixture = newFixture();
    const monitor = await fixture.monitor();
    for (const [name, riskScore] of [
      ['b.example', 50],
      ['a.example', undefined],
      ['c.example', 90],
    ] as const)
      await fixture.discover(name, [monitor], { facts: { ...facts, riskScore } });
    assert.deepEqual(
      [
        await namesOf(fixture, { list: 'new' }, { sort: 'risk' }),
        await namesOf(fixture, { list: 'new' }, { sort: 'name' }),
      ],
      [
        ['c.example', 'b.example', 'a.example'],
        ['a.example', 'b.example', 'c.example'],
      ],
    );
  });
}

async function filled(fixture: WatchlistFixture) {
  const [one, other] = [await fixture.monitor(), await fixture.monitor({ term: 'other' })];
  const discover = (
    name: string,
    monitors: (typeof one)[],
    known: Partial<typeof facts>,
    more: Partial<SharedFacts>,
  ) => fixture.discover(name, monitors, { facts: { ...facts, ...known, shared: shared(more) } });
  await discover(
    'a.com',
    [one],
    { riskScore: 90, mxExists: true, nameServers: ['ns1.host.net', 'ns2.host.net'] },
    { registrar: 'Ember, Ash & Co', ip: ['192.0.2.1', '192.0.2.2'], country: ['us'], certificate: ['c1'] },
  );
  await discover(
    'b.co.uk',
    [one, other],
    { riskScore: 70, nameServers: ['ns1.host.net'] },
    { registrar: 'Other', ip: ['192.0.2.2'], country: ['us', 'de'], analytics: ['UA-1'] },
  );
  await discover('c.com', [other], {}, {});
  return { one, other };
}

function filtering(newFixture: NewFixture): void {
  test('filters select by every attribute', async () => {
    const fixture = newFixture();
    const { other } = await filled(fixture);
    await fixture.triageLists.assignDomain(fixture.accountId, (await fixture.find('a.com')).id, 'ann');
    const filters: readonly [Omit<TriageFilter, 'list'>, readonly string[]][] = [
      [{ monitorIds: [other.id] }, ['b.co.uk', 'c.com']],
      [{ classes: ['leet'] }, ['a.com', 'b.co.uk', 'c.com']],
      [{ classes: ['omission'] }, []],
      [{ tlds: ['uk'] }, ['b.co.uk']],
      [{ riskRanges: [[70, 80]] }, ['b.co.uk']],
      [{ riskRanges: [[90, 100]], isUnscored: true }, ['a.com', 'c.com']],
      [{ mxExists: true }, ['a.com']],
      [{ search: 'co' }, ['a.com', 'b.co.uk', 'c.com']],
      [{ registrars: ['Ember, Ash & Co'] }, ['a.com']],
      [{ nameServers: ['host.net'] }, ['a.com', 'b.co.uk']],
      [{ nameServers: ['ns2.host.net'] }, ['a.com']],
      [{ addresses: ['192.0.2.2'] }, ['a.com', 'b.co.uk']],
      [{ countries: ['de'] }, ['b.co.uk']],
      [{ certificates: ['c1'] }, ['a.com']],
      [{ analytics: ['UA-1'] }, ['b.co.uk']],
      [{ names: ['c.com', 'x.com'] }, ['c.com']],
      [{ assignees: ['ann'] }, ['a.com']],
      [{ assignees: [], isUnassigned: true }, ['b.co.uk', 'c.com']],
      [{ ids: [(await fixture.find('c.com')).id, 'unknown'] }, ['c.com']],
      [{ arrivedSinceMs: 2001 }, []],
      [{ nameServers: ['host.net'], narrowedBy: { nameServers: ['ns2.host.net'] } }, ['a.com']],
    ];
    for (const [filter, expected] of filters)
      assert.deepEqual(
        await namesOf(fixture, { list: 'new', ...filter }, { sort: 'name' }),
        expected,
        JSON.stringify(filter),
      );
  });

  test('rows of earlier versions are filled in once, and newer values are kept', async () => {
    const fixture = newFixture();
    await filled(fixture);
    await fixture.triageLists.fillSharedFacts([{ domain: 'a.com', shared: shared({ ip: ['192.0.2.99'] }) }]);
    assert.deepEqual(await namesOf(fixture, { list: 'new', addresses: ['192.0.2.99'] }), []);
    assert.deepEqual(await fixture.triageLists.listUnfilledNames(9), []);
  });
}

function counting(newFixture: NewFixture): void {
  test('facets count each domain once per value, with the average score', async () => {
    const fixture = newFixture();
    const { one, other } = await filled(fixture);
    const values = async (
      attribute: Parameters<typeof fixture.triageLists.countTriageValues>[2],
      limit = 9,
    ) => {
      const counted = await fixture.triageLists.countTriageValues(
        fixture.accountId,
        { list: 'new' },
        attribute,
        { limit },
      );
      assert.ok(counted !== 'unknown-monitor');
      return counted;
    };
    assert.deepEqual((await values('class')).values, [{ value: 'leet', domains: 3, averageRisk: 80 }]);
    assert.deepEqual((await values('tld')).values, [
      { value: 'com', domains: 2, averageRisk: 90 },
      { value: 'co.uk', domains: 1, averageRisk: 70 },
    ]);
    assert.deepEqual(await values('name_server', 1), {
      values: [{ value: 'ns1.host.net', domains: 2, averageRisk: 80 }],
      more: true,
    });
    assert.deepEqual(
      new Set((await values('monitor')).values.map(({ value, domains }) => `${value} ${domains}`)),
      new Set([`${one.id} 2`, `${other.id} 2`]),
    );
    assert.deepEqual(
      (await values('country')).values.map(({ value }) => value),
      ['us', 'de'],
    );
    const among = await fixture.triageLists.countTriageValues(fixture.accountId, { list: 'new' }, 'ip', {
      limit: 9,
      among: ['192.0.2.1'],
    });
    assert.deepEqual(among !== 'unknown-monitor' && among.values.map(({ value }) => value), ['192.0.2.1']);
  });

  test('lists are counted as a whole and by monitor, with the discoveries of each day', async () => {
    const fixture = newFixture();
    const [one, other] = [await fixture.monitor({ term: 'bank' }), await fixture.monitor({ term: 'Acme' })];
    for (const [name, day] of [
      ['a.example', 0],
      ['b.example', 1],
      ['c.example', 1],
    ] as const)
      await fixture.discover(name, [one], { discoveredMs: day * dayMs + 12_345_678 });
    await fixture.escalate('b.example', 'blocked', { username: 'ann', atMs: 2 * dayMs });
    const { lists, monitors } = await fixture.triageLists.countLists(fixture.accountId, {
      fromMs: dayMs,
      days: 2,
    });
    const none = { new: 0, changed: 0, watched: 0, ignored: 0, blocked: 0 };
    const counts = { new: 2, changed: 0, watched: 1, ignored: 0, blocked: 1 };
    assert.deepEqual(lists, counts);
    assert.deepEqual(monitors, [
      { id: other.id, term: 'Acme', state: 'active', ...none, days: [0, 0] },
      { id: one.id, term: 'bank', state: 'active', ...counts, days: [2, 0] },
    ]);
  });
}

function annotating(newFixture: NewFixture): void {
  test('notes are listed newest first, with those of decisions', async () => {
    const fixture = newFixture();
    const [a = ''] = await addDomains(fixture, 'a.example');
    const { triageLists, accountId } = fixture;
    await triageLists.addNote(accountId, a, 'first', { username: 'bob', atMs: 1000 });
    const decision = { target: 'watched', pieceDomains: 1, note: 'looks like the kit of May' } as const;
    const { decisionId } = await fixture.decisions.decideDomains(accountId, [a], decision, ann);
    const notes = await triageLists.listNotes(accountId, a, 9);
    assert.deepEqual(
      notes.map(({ by, atMs, text, decisionId: of }) => [by, atMs, text, of]),
      [
        ['ann', 3000, 'looks like the kit of May', decisionId],
        ['bob', 1000, 'first', undefined],
      ],
    );
    assert.equal((await triageLists.findTriageDomain(accountId, a))?.notes, 2);
    assert.equal(await triageLists.addNote(accountId, 'nobody', 'x', ann), undefined);
  });

  test('an assignee is set and taken back', async () => {
    const fixture = newFixture();
    const [a = ''] = await addDomains(fixture, 'a.example');
    const { triageLists, accountId } = fixture;
    assert.equal(await triageLists.assignDomain(accountId, a, 'ann'), true);
    assert.equal((await triageLists.findTriageDomain(accountId, a))?.assignee, 'ann');
    await triageLists.assignDomain(accountId, a, undefined);
    assert.equal((await triageLists.findTriageDomain(accountId, a))?.assignee, undefined);
    assert.equal(await triageLists.assignDomain(accountId, 'nobody', 'ann'), false);
  });
}

function visiting(newFixture: NewFixture): void {
  test('a visit never moves back, and a visit to the whole list counts for each monitor', async () => {
    const { triageLists, accountId } = newFixture();
    const whole = { accountId, username: 'ann', list: 'new' } as const;
    const ofMonitor = { ...whole, monitorId: 'm1' };
    const find = () => Promise.all([triageLists.findVisitMs(whole), triageLists.findVisitMs(ofMonitor)]);
    const seen = [await find()];
    await triageLists.recordVisit({ ...whole, atMs: 500 });
    await triageLists.recordVisit({ ...whole, atMs: 300 });
    seen.push(await find());
    await triageLists.recordVisit({ ...ofMonitor, atMs: 900 });
    seen.push(await find());
    assert.deepEqual(seen, [
      [undefined, undefined],
      [500, 500],
      [500, 900],
    ]);
  });

  test('what came since the last visit is counted', async () => {
    const fixture = newFixture();
    await addDomains(fixture, 'a.example', 'b.example');
    const count = async (readMs: number) =>
      (await fixture.triageList({ list: 'new' }, { readMs })).arrivedSinceRead;
    assert.deepEqual([await count(1999), await count(2000)], [2, 0]);
    assert.equal(await fixture.triageLists.countArrivedSince(fixture.accountId, 'new', 1999), 2);
  });
}

function summarizing(newFixture: NewFixture): void {
  const limits = { values: 10, names: 2, blocked: 1 };
  const decide = (
    fixture: WatchlistFixture,
    id: string | undefined,
    target: 'watched' | 'ignored' | 'blocked',
    atMs: number,
  ) =>
    fixture.decisions.decideDomains(
      fixture.accountId,
      [id as string],
      { target, pieceDomains: 9 },
      { username: 'ann', atMs },
    );
  const summarize = async (fixture: WatchlistFixture, period: Period) => {
    const summary = await fixture.triageLists.summarizePeriod(fixture.accountId, period, limits);
    assert.ok(summary !== 'unknown-monitor');
    return summary;
  };

  test('a period counts what was found, decided and blocked in it, and what is still open', async () => {
    const fixture = newFixture();
    const [a, b, c] = await addDomains(fixture, 'a.example', 'b.example', 'c.example', 'd.example');
    const discoveredMs = (await fixture.triageList({ list: 'new' })).domains[0]?.discoveredMs as number;
    await decide(fixture, a, 'ignored', discoveredMs + 1000);
    await decide(fixture, b, 'blocked', discoveredMs + 3000);
    await decide(fixture, c, 'watched', discoveredMs + dayMs);
    const day = await summarize(fixture, { fromMs: discoveredMs, toMs: discoveredMs + dayMs });
    assert.deepEqual([day.found, day.decided, day.blocked, day.open], [4, 2, 1, 1]);
    assert.deepEqual([day.medianMsToDecision, day.medianMsToBlock], [2000, 3000]);
    assert.deepEqual(day.days, [{ found: 4, decided: 2, blocked: 1 }]);
    assert.deepEqual(day.blockedDomains, [{ id: b, domain: 'b.example', atMs: discoveredMs + 3000 }]);
    assert.equal(day.foundNames.length, 2);
    const next = await summarize(fixture, { fromMs: discoveredMs + dayMs, toMs: discoveredMs + 2 * dayMs });
    assert.deepEqual([next.found, next.decided, next.blocked, next.open], [0, 1, 0, 0]);
  });

  test('a decision that was undone is none, and a domain counts with its first one', async () => {
    const fixture = newFixture();
    const [a, b] = await addDomains(fixture, 'a.example', 'b.example');
    const discoveredMs = (await fixture.triageList({ list: 'new' })).domains[0]?.discoveredMs as number;
    const undone = await decide(fixture, a, 'ignored', discoveredMs + 1000);
    await fixture.decisions.undoDecision(
      fixture.accountId,
      undone.decisionId as string,
      { skipConflicts: false, pieceDomains: 9 },
      { username: 'ann', atMs: discoveredMs + 2000 },
    );
    await decide(fixture, b, 'watched', discoveredMs + 3000);
    await decide(fixture, b, 'ignored', discoveredMs + 9000);
    const { decided, medianMsToDecision } = await summarize(fixture, {
      fromMs: discoveredMs,
      toMs: discoveredMs + dayMs,
    });
    assert.deepEqual([decided, medianMsToDecision], [1, 3000]);
  });

  test('a period of one monitor has its domains alone, and an unknown monitor is reported', async () => {
    const fixture = newFixture();
    const [one, other] = [await fixture.monitor(), await fixture.monitor()];
    await fixture.discover('a.example', [one]);
    await fixture.discover('b.example', [one, other]);
    const all = { fromMs: 0, toMs: dayMs };
    assert.equal((await summarize(fixture, { ...all, monitorId: one.id })).found, 2);
    assert.equal((await summarize(fixture, { ...all, monitorId: other.id })).found, 1);
    assert.equal(
      await fixture.triageLists.summarizePeriod(fixture.accountId, { ...all, monitorId: 'no' }, limits),
      'unknown-monitor',
    );
  });
}
