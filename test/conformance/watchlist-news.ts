/** What records say, and what of it is a change. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { facts, WatchlistWorld } from '../harness/watchlist-world.ts';
import type { NewWorld, OpenWatchlistStore } from './watchlist-store.ts';

const changed = { atMs: 600, fields: ['mx', 'registrar'] };

export function watchlistNews(newWorld: NewWorld, open: OpenWatchlistStore): void {
  test('TRI-03 DOM-14 a change of a watched domain is its date and an event with the members', async () => {
    const world = newWorld();
    const monitor = await world.monitor();
    await world.discover('a.example', [monitor]);
    await world.triage('a.example', 'watched');
    await world.news([{ domain: 'a.example', facts: { ...facts, mxExists: true }, changed }]);
    const { id, changedMs, mxExists } = await world.find('a.example');
    const events = await world.store.listEvents(world.accountId, {
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

  test('TRI-06 new and ignored domains change in no sense of Detect, but their facts do', async () => {
    const world = newWorld();
    const monitor = await world.monitor();
    for (const name of ['new.example', 'ignored.example']) await world.discover(name, [monitor]);
    await world.triage('ignored.example', 'ignored');
    const full = { ...facts, riskScore: 90, riskStatus: 'full' } as const;
    await world.news([{ domain: 'ignored.example', facts: full, changed }]);
    await world.news([{ domain: 'new.example', facts: { ...facts, active: false }, changed }]);
    const [fresh, ignored] = [await world.find('new.example'), await world.find('ignored.example')];
    assert.deepEqual(
      [fresh.changedMs, fresh.active, ignored.changedMs, ignored.riskScore],
      [undefined, false, undefined, 90],
    );
    assert.deepEqual(await world.events(), ['discovered new.example', 'discovered ignored.example']);
  });

  test('an older change does not move the date back', async () => {
    const world = newWorld();
    await world.discover('a.example', [await world.monitor()]);
    await world.triage('a.example', 'watched');
    for (const atMs of [600, 500]) {
      await world.news([{ domain: 'a.example', facts, changed: { atMs, fields: ['mx'] } }]);
    }
    assert.equal((await world.find('a.example')).changedMs, 600);
  });

  test('a score that becomes full is told once, with the number', async () => {
    const world = newWorld();
    await world.discover('a.example', [await world.monitor()]);
    for (const [riskScore, riskStatus] of [
      [50, 'provisional'],
      [80, 'full'],
      [85, 'full'],
    ] as const) {
      await world.news([
        { domain: 'a.example', facts: { ...facts, riskScore, riskStatus }, changed: undefined },
      ]);
    }
    const events = await world.store.listEvents(world.accountId, {
      afterId: 0,
      limit: 9,
      kinds: ['risk-full'],
    });
    assert.deepEqual(
      events.map(({ detail, atMs }) => [detail, atMs]),
      [[{ riskScore: 80 }, 5000]],
    );
  });

  test('nothing is told of a domain that exclusions hide', async () => {
    const world = newWorld();
    await world.discover('school.example', [await world.monitor({ textExclusions: ['school'] })]);
    await world.news([{ domain: 'school.example', facts: { ...facts, riskStatus: 'full' }, changed }]);
    assert.deepEqual(await world.events(), []);
  });

  test('news reach every account that has the domain', async () => {
    const [world, other] = [newWorld(), newWorld()];
    for (const each of [world, other]) await each.discover('shared.example', [await each.monitor()]);
    await world.news([{ domain: 'shared.example', facts: { ...facts, riskScore: 7 }, changed: undefined }]);
    assert.deepEqual(
      [(await world.find('shared.example')).riskScore, (await other.find('shared.example')).riskScore],
      [7, 7],
    );
  });

  test('news move the place with them, and from elsewhere nothing happens', async (t) => {
    const world = new WatchlistWorld(open(t)());
    await world.discover('a.example', [await world.monitor()]);
    const take = (riskScore: number, from: number, to: number) =>
      world.store.takeNews(
        [{ domain: 'a.example', facts: { ...facts, riskScore }, changed: undefined }],
        { from, to },
        0,
      );
    assert.deepEqual(
      [await world.store.newsPlace(), await take(1, 0, 7), await take(2, 0, 7), await take(3, 5, 9)],
      [0, true, false, false],
    );
    assert.deepEqual([await world.store.newsPlace(), (await world.find('a.example')).riskScore], [7, 1]);
  });

  test('names that any account has are known, with what is decided about them', async () => {
    const [world, other] = [newWorld(), newWorld()];
    for (const each of [world, other]) {
      const monitor = await each.monitor({ textExclusions: ['hidden'] });
      for (const name of ['kw.example', 'ki.example', 'kh.hidden.example'])
        await each.discover(name, [monitor]);
      await each.triage('ki.example', 'ignored');
    }
    await world.triage('kw.example', 'watched');
    await other.triage('kw.example', 'ignored');
    const asked = ['kw.example', 'ki.example', 'kh.hidden.example', 'unknown.example'];
    assert.deepEqual(
      [...(await world.store.findListed(asked))],
      [
        ['kw.example', { watched: true }],
        ['ki.example', { watched: false }],
        ['kh.hidden.example', { watched: false }],
      ],
    );
  });

  test('watched names of all accounts are listed once each, in order, page by page', async (t) => {
    const store = open(t)();
    for (const world of [new WatchlistWorld(store), new WatchlistWorld(store)]) {
      const monitor = await world.monitor();
      for (const name of ['c.example', 'a.example', 'b.example', 'new.example']) {
        await world.discover(name, [monitor]);
        if (name !== 'new.example') await world.triage(name, 'watched');
      }
    }
    assert.deepEqual(
      [await store.listWatchedNames('', 2), await store.listWatchedNames('b.example', 2)],
      [['a.example', 'b.example'], ['c.example']],
    );
  });
}
