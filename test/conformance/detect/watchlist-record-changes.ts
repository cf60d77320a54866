/** Record changes applied to listed domains. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LogPosition, logStart } from '../../../src/store/paging/log-position.ts';
import { facts, WatchlistFixture } from '../../harness/fixtures/watchlist-fixture.ts';
import type { NewFixture, OpenDetectStores } from './describe-detect-store.ts';

const changed = { atMs: 600, fields: ['mx', 'registrar'] };

export function watchlistRecordChanges(newFixture: NewFixture, open: OpenDetectStores): void {
  test('TRI-03 DOM-14 a change of a watched domain sets its changed date and appends an event with the changed members', async () => {
    const fixture = newFixture();
    const monitor = await fixture.monitor();
    await fixture.discover('a.example', [monitor]);
    await fixture.triage('a.example', 'watched');
    await fixture.applyChanges([{ domain: 'a.example', facts: { ...facts, mxExists: true }, changed }]);
    const { id, changedMs, mxExists } = await fixture.find('a.example');
    const events = await fixture.events.listEvents(fixture.accountId, {
      afterId: 0,
      limit: 9,
      kinds: ['changed'],
    });
    assert.deepEqual([changedMs, mxExists], [600, true]);
    assert.deepEqual(events, [
      {
        id: events[0]?.id,
        kind: 'changed',
        atMs: 600,
        domainId: id,
        domain: 'a.example',
        monitorIds: [monitor.id],
        detail: { fields: changed.fields },
      },
    ]);
  });

  test('TRI-06 DOM-14 new and ignored domains get a changed date and their facts, but no event', async () => {
    const fixture = newFixture();
    const monitor = await fixture.monitor();
    for (const name of ['new.example', 'ignored.example']) await fixture.discover(name, [monitor]);
    await fixture.triage('ignored.example', 'ignored');
    const full = { ...facts, riskScore: 90, riskStatus: 'full' } as const;
    await fixture.applyChanges([{ domain: 'ignored.example', facts: full, changed }]);
    await fixture.applyChanges([{ domain: 'new.example', facts: { ...facts, active: false }, changed }]);
    const [fresh, ignored] = [await fixture.find('new.example'), await fixture.find('ignored.example')];
    assert.deepEqual(
      [fresh.changedMs, fresh.active, ignored.changedMs, ignored.riskScore],
      [600, false, 600, 90],
    );
    assert.deepEqual(await fixture.listEvents(), ['discovered new.example', 'discovered ignored.example']);
  });

  test('an older change does not move the date back', async () => {
    const fixture = newFixture();
    await fixture.discover('a.example', [await fixture.monitor()]);
    await fixture.triage('a.example', 'watched');
    for (const atMs of [600, 500]) {
      await fixture.applyChanges([{ domain: 'a.example', facts, changed: { atMs, fields: ['mx'] } }]);
    }
    assert.equal((await fixture.find('a.example')).changedMs, 600);
  });

  test('a score that becomes full has one event, with the score', async () => {
    const fixture = newFixture();
    await fixture.discover('a.example', [await fixture.monitor()]);
    for (const [riskScore, riskStatus] of [
      [50, 'provisional'],
      [80, 'full'],
      [85, 'full'],
    ] as const) {
      await fixture.applyChanges([
        { domain: 'a.example', facts: { ...facts, riskScore, riskStatus }, changed: undefined },
      ]);
    }
    const events = await fixture.events.listEvents(fixture.accountId, {
      afterId: 0,
      limit: 9,
      kinds: ['risk-full'],
    });
    assert.deepEqual(
      events.map(({ detail, atMs }) => [detail, atMs]),
      [[{ riskScore: 80 }, 5000]],
    );
  });

  test('a domain hidden by exclusions has no events', async () => {
    const fixture = newFixture();
    await fixture.discover('school.example', [await fixture.monitor({ textExclusions: ['school'] })]);
    await fixture.applyChanges([
      { domain: 'school.example', facts: { ...facts, riskStatus: 'full' }, changed },
    ]);
    assert.deepEqual(await fixture.listEvents(), []);
  });

  test('record changes apply to every account that has the domain', async () => {
    const [fixture, other] = [newFixture(), newFixture()];
    for (const each of [fixture, other]) await each.discover('shared.example', [await each.monitor()]);
    await fixture.applyChanges([
      { domain: 'shared.example', facts: { ...facts, riskScore: 7 }, changed: undefined },
    ]);
    assert.deepEqual(
      [(await fixture.find('shared.example')).riskScore, (await other.find('shared.example')).riskScore],
      [7, 7],
    );
  });

  test('record changes move the checkpoint, and are refused from another checkpoint', async (t) => {
    const fixture = new WatchlistFixture(open(t)());
    await fixture.discover('a.example', [await fixture.monitor()]);
    const apply = (riskScore: number, from: LogPosition, to: LogPosition) =>
      fixture.watchlist.applyRecordChanges(
        [{ domain: 'a.example', facts: { ...facts, riskScore }, changed: undefined }],
        { from, to },
        0,
      );
    assert.deepEqual(
      [
        await fixture.watchlist.recordChangesCheckpoint(),
        await apply(1, logStart, '7'),
        await apply(2, logStart, '7'),
        await apply(3, '5', '9'),
      ],
      [logStart, true, false, false],
    );
    assert.deepEqual(
      [await fixture.watchlist.recordChangesCheckpoint(), (await fixture.find('a.example')).riskScore],
      ['7', 1],
    );
  });

  test('domains listed by any account are found', async () => {
    const [fixture, other] = [newFixture(), newFixture()];
    for (const each of [fixture, other]) {
      const monitor = await each.monitor({ textExclusions: ['hidden'] });
      for (const name of ['kw.example', 'ki.example', 'kh.hidden.example'])
        await each.discover(name, [monitor]);
      await each.triage('ki.example', 'ignored');
    }
    await fixture.triage('kw.example', 'watched');
    await other.triage('kw.example', 'ignored');
    const names = ['kw.example', 'ki.example', 'kh.hidden.example', 'unknown.example'];
    assert.deepEqual(
      [...(await fixture.watchlist.findListedDomains(names))],
      ['kw.example', 'ki.example', 'kh.hidden.example'],
    );
  });

  test('domains watched by any account are listed once, in order of name, page by page', async (t) => {
    const stores = open(t)();
    for (const fixture of [new WatchlistFixture(stores), new WatchlistFixture(stores)]) {
      const monitor = await fixture.monitor();
      for (const name of ['c.example', 'a.example', 'b.example', 'new.example']) {
        await fixture.discover(name, [monitor]);
        if (name !== 'new.example') await fixture.triage(name, 'watched');
      }
    }
    assert.deepEqual(
      [
        await stores.watchlist.listWatchedNames('', 2),
        await stores.watchlist.listWatchedNames('b.example', 2),
      ],
      [['a.example', 'b.example'], ['c.example']],
    );
  });
}
