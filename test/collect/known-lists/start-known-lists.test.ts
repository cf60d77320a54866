import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ListSettings } from '../../../src/collect/known-lists/find-changed-list.ts';
import { startKnownLists } from '../../../src/collect/known-lists/start-known-lists.ts';
import { Problem } from '../../../src/model/problem.ts';
import { openReceiver } from '../../harness/receiver.ts';
import { openListing } from './listing.ts';

/** Lists of the settings, with promises for what happens to them. */
function starting(listing: ReturnType<typeof openListing>, lists: readonly ListSettings[]) {
  const failed: string[] = [];
  const ended = new Map(lists.map(({ name }) => [name, Promise.withResolvers<void>()] as const));
  const end = listing.risks.endReading.bind(listing.risks);
  const risks = {
    ...listing.risks,
    endReading: async (...[reading, place, nowMs]: Parameters<typeof end>) => {
      await end(reading, place, nowMs);
      ended.get(reading.list)?.resolve();
    },
  };
  const known = startKnownLists({
    ...listing,
    risks,
    settings: { lists, popularRankMax: 100 },
    onFailure: (error, list) => {
      failed.push(`${list}: ${(error as Error).message}`);
      if (error instanceof Problem && error.code === 'unavailable') ended.get(list)?.resolve();
    },
  });
  return { known, failed, until: (name: string) => ended.get(name)?.promise };
}

test('every list of the settings is read at the start, good and popular ones before bad ones', async (t) => {
  const listing = openListing(t);
  const order: string[] = [];
  const server = await openReceiver(t, {
    answer: async ({ path }, response) => {
      order.push(path);
      if (path === '/top') response.end('1,big.example\n');
      else if (path === '/bad')
        response.end('http://big.example/x\nhttp://evil.example/x\nmore.evil.example\n');
      else response.writeHead(404).end();
    },
  });
  const { known, failed, until } = starting(listing, [
    { name: 'bad', location: `${server.url}bad`, label: 'phishing' },
    { name: 'top', location: `${server.url}top`, label: 'popular' },
    { name: 'absent', location: `${server.url}absent`, label: 'good' },
    { name: 'bad', location: `${server.url}other`, label: 'spam' },
  ]);
  await until('bad');
  assert.equal(order.at(-1), '/bad');
  assert.deepEqual(order.sort(), ['/absent', '/bad', '/top']);
  assert.deepEqual(await listing.said('big.example', 'evil.example'), ['top popular 1', 'bad phishing']);
  await known.close();
  assert.equal(failed.length, 2);
  assert.match(failed.join(), /risk\.lists has 2 lists of this name.*absent: .*404/);
  const { bad } = known.byList();
  assert.deepEqual(bad, {
    readings: 1,
    unchanged: 0,
    doubted: 0,
    failures: 0,
    domains: 1,
    invalid: 0,
    hosts: 1,
    shared: 1,
  });
  const { readings, domains, failures, expired } = known.statistics();
  assert.deepEqual(
    { readings, domains, failures, expired },
    { readings: 2, domains: 2, failures: 1, expired: 0 },
  );
});

test('lists that nobody names any more are forgotten at the start, with their events, and so is what has expired', async (t) => {
  const listing = openListing(t);
  const { risks, clock, directory, said } = listing;
  const old = { list: 'old', label: 'spam', weight: 1, id: 1, untilMs: undefined } as const;
  await risks.takeListed(old, [{ domain: 'old.example' }]);
  const own = { ...old, list: 'own', untilMs: clock.now() };
  await risks.takeListed(
    own,
    Array.from({ length: 2500 }, (_, index) => ({ domain: `n${index}.example` })),
  );
  mkdirSync(join(directory, 'misp-old'), { recursive: true });
  mkdirSync(join(directory, 'misp-own'));
  const location = join(listing.data, 'list.txt');
  writeFileSync(location, 'a.example\n');
  const removed = Promise.withResolvers<void>();
  const remove = risks.removeExpired.bind(risks);
  const steps: number[] = [];
  const given = {
    ...listing,
    risks: {
      ...risks,
      removeExpired: async (nowMs: number, limit: number) => {
        const count = await remove(nowMs, limit);
        steps.push(count);
        if (count < limit) removed.resolve();
        return count;
      },
    },
  };
  const { known } = starting(given, [{ name: 'own', location, label: 'spam', keepDays: 1 }]);
  await removed.promise;
  await known.close();
  assert.deepEqual(await said('old.example', 'n0.example'), ['', '']);
  assert.deepEqual(
    (await risks.listLists()).map(({ list }) => list),
    ['own'],
  );
  assert.deepEqual(
    [existsSync(join(directory, 'misp-old')), existsSync(join(directory, 'misp-own'))],
    [false, true],
  );
  assert.deepEqual([steps, known.statistics().expired], [[1000, 1000, 500], 2500]);
});

test('a download under way ends with the stop', async (t) => {
  const listing = openListing(t);
  const server = await openReceiver(t, { answer: (_, response) => void response.write('a.example\n') });
  const { known, failed } = starting(listing, [{ name: 'slow', location: server.url, label: 'malware' }]);
  await server.until(1);
  await known.close();
  assert.deepEqual([failed, await listing.said('a.example')], [[], ['']]);
});

test('without lists there is nothing to read, and it can be stopped at once', async (t) => {
  const { known } = starting(openListing(t), []);
  await known.close();
  assert.deepEqual(known.byList(), {});
});
