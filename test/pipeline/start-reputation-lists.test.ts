import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ListSettings } from '../../src/collect/reputation-lists/find-changed-list.ts';
import { Problem } from '../../src/model/problem.ts';
import { startReputationLists } from '../../src/pipeline/start-reputation-lists.ts';
import { openListing } from '../collect/reputation-lists/listing.ts';
import { unsavedHealth } from '../harness/health-reporter.ts';
import { openReceiver } from '../harness/network/http-receiver.ts';

/** Starts the lists, with promises for their first readings. */
function starting(listing: ReturnType<typeof openListing>, lists: readonly ListSettings[]) {
  const failed: string[] = [];
  const ended = new Map(lists.map(({ name }) => [name, Promise.withResolvers<void>()] as const));
  const end = listing.risks.completeSnapshot.bind(listing.risks);
  const risks = {
    ...listing.risks,
    completeSnapshot: async (...[snapshot, checkpoint, nowMs]: Parameters<typeof end>) => {
      await end(snapshot, checkpoint, nowMs);
      ended.get(snapshot.list)?.resolve();
    },
  };
  const health = unsavedHealth(listing.clock);
  const started = startReputationLists({
    ...listing,
    risks,
    settings: { lists },
    health,
    zerolist: { popularRankMax: 100, wellKnown: new Set<string>() },
    onFailure: (error, list) => {
      failed.push(`${list}: ${(error as Error).message}`);
      if (error instanceof Problem && error.code === 'unavailable') ended.get(list)?.resolve();
    },
  });
  return { lists: started, health, failed, until: (name: string) => ended.get(name)?.promise };
}

test('every configured list is read at the start, good and popular ones before bad ones', async (t) => {
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
  const { lists, failed, until } = starting(listing, [
    { name: 'bad', location: `${server.url}bad`, label: 'phishing' },
    { name: 'top', location: `${server.url}top`, label: 'popular' },
    { name: 'absent', location: `${server.url}absent`, label: 'good' },
    { name: 'bad', location: `${server.url}other`, label: 'spam' },
  ]);
  await until('bad');
  assert.equal(order.at(-1), '/bad');
  assert.deepEqual(order.sort(), ['/absent', '/bad', '/top']);
  assert.deepEqual(await listing.said('big.example', 'evil.example'), ['top popular 1', 'bad phishing']);
  await lists.close();
  assert.equal(failed.length, 2);
  assert.match(failed.join(), /risk\.lists has 2 lists of this name.*absent: .*404/);
  const { bad } = lists.byList();
  assert.deepEqual(bad, {
    snapshots: 1,
    unchanged: 0,
    rejected: 0,
    failures: 0,
    domains: 1,
    invalid: 0,
    hosts: 1,
    shared: 1,
  });
  const { snapshots, domains, failures, expired } = lists.statistics();
  assert.deepEqual(
    { snapshots, domains, failures, expired },
    { snapshots: 2, domains: 2, failures: 1, expired: 0 },
  );
});

test('lists that are no longer configured are removed at the start, with their events, and so are expired entries', async (t) => {
  const listing = openListing(t);
  const { risks, clock, directory, said } = listing;
  const old = { list: 'old', label: 'spam', weight: 1, id: 1, untilMs: undefined } as const;
  await risks.addListed(old, [{ domain: 'old.example' }]);
  const own = { ...old, list: 'own', untilMs: clock.now() };
  await risks.addListed(
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
  const { lists } = starting(given, [{ name: 'own', location, label: 'spam', keepDays: 1 }]);
  await removed.promise;
  await lists.close();
  assert.deepEqual(await said('old.example', 'n0.example'), ['', '']);
  assert.deepEqual(
    (await risks.listLists()).map(({ list }) => list),
    ['own'],
  );
  assert.deepEqual(
    [existsSync(join(directory, 'misp-old')), existsSync(join(directory, 'misp-own'))],
    [false, true],
  );
  assert.deepEqual([steps, lists.statistics().expired], [[1000, 1000, 500], 2500]);
});

test('closing aborts a download', async (t) => {
  const listing = openListing(t);
  const server = await openReceiver(t, { answer: (_, response) => void response.write('a.example\n') });
  const { lists, failed } = starting(listing, [{ name: 'slow', location: server.url, label: 'malware' }]);
  await server.until(1);
  await lists.close();
  assert.deepEqual([failed, await listing.said('a.example')], [[], ['']]);
});

test('without lists there is nothing to read, and closing is immediate', async (t) => {
  const { lists } = starting(openListing(t), []);
  await lists.close();
  assert.deepEqual(lists.byList(), {});
});
