/** `nameglass export misp`: the directory of a feed that is written again and again, and killed in between. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { findChangedFeed } from '../../../src/collect/reputation-lists/misp/misp-feed.ts';
import { createDialer } from '../../../src/outgoing/guarded-dialer.ts';
import { openEmbeddedStores } from '../../../src/store/embedded/open-stores.ts';
import { newUser } from '../../harness/fixtures/delivery-fixture.ts';
import { discover, watchTerm } from '../../harness/fixtures/watch-domains.ts';
import { nameglass } from '../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';

async function startWorld(t: TestContext) {
  const data = temporaryDirectory(t);
  const feed = join(temporaryDirectory(t), 'feed');
  const clock = new TestClock();
  const stores = openEmbeddedStores({ data, clock });
  t.after(() => stores.close());
  const { account } = await newUser(stores.accounts, clock);
  const monitorId = await watchTerm(stores.monitors, account.id, clock.now());
  const block = async (...domains: readonly string[]) => {
    const found = await discover(stores.watchlist, {
      accountId: account.id,
      monitorId,
      domains,
      atMs: clock.now(),
    });
    const by = { username: 'alice', atMs: clock.now() };
    await stores.escalations.escalateDomains(account.id, [...found.values()], 'blocked', by);
    await stores.blocklists.refreshSelections(account.id, clock.now());
  };
  const args = ['export', 'misp', feed, '--username', 'alice', '--data', data];
  return { data, feed, clock, block, args, run: (...more: string[]) => nameglass([...args, ...more]) };
}

async function readNames(t: TestContext, location: string): Promise<readonly string[]> {
  const dialer = createDialer({ settings: { outgoing: { allow: [] } } });
  const { signal } = new AbortController();
  const needs = { dialer, directory: temporaryDirectory(t) };
  const found = await findChangedFeed(needs, { name: 'own', location, known: undefined, signal });
  const names: string[] = [];
  for await (const entries of found?.entries() ?? []) names.push(...entries.map(({ text }) => text));
  return names.filter((name) => name !== '').toSorted();
}

test('a second export writes only what has changed, and the manifest last', async (t) => {
  const { feed, clock, block, run } = await startWorld(t);
  await block('acme-a.example');
  const first = await run('--json');
  assert.equal(first.code, 0, first.err);
  assert.deepEqual([JSON.parse(first.out).events, JSON.parse(first.out).written], [1, 3]);
  const old = readdirSync(feed).find((name) => /^[0-9a-f-]{36}\.json$/.test(name)) ?? '';
  const before = statSync(join(feed, old), { bigint: true });
  assert.equal(JSON.parse((await run('--json')).out).written, 0);
  clock.advanceSeconds(3 * 86_400);
  await block('acme-b.example');
  assert.equal(JSON.parse((await run('--json')).out).written, 3);
  const now = statSync(join(feed, old), { bigint: true });
  assert.deepEqual([now.ino, now.mtimeNs], [before.ino, before.mtimeNs]);
  assert.deepEqual(await readNames(t, feed), ['acme-a.example', 'acme-b.example']);
  assert.ok(statSync(join(feed, 'manifest.json')).mtimeMs >= statSync(join(feed, 'hashes.csv')).mtimeMs);
});

test('a directory with other files, or of another organisation, is refused', async (t) => {
  const { data, feed, block, run } = await startWorld(t);
  await block('acme-a.example');
  const other = await nameglass(['export', 'misp', data, '--username', 'alice', '--data', data]);
  assert.deepEqual([other.code, /has other files/.test(other.err)], [1, true], other.err);
  await run();
  const manifest = readFileSync(join(feed, 'manifest.json'), 'utf8');
  writeFileSync(
    join(feed, 'manifest.json'),
    manifest.replace(/("Orgc":\{"uuid":")[0-9a-f]{8}/, '$100000000'),
  );
  const foreign = await run();
  assert.deepEqual([foreign.code, /another organisation/.test(foreign.err)], [1, true], foreign.err);
});

test('an export that is killed at any moment leaves a feed that reads whole', {
  timeout: 300_000,
}, async (t) => {
  const { feed, clock, block, run, args } = await startWorld(t);
  const names: string[] = [];
  /** Of many days, so that there are many files. */
  const add = async (round: number) => {
    for (let day = 0; day < 40; day += 1) {
      const name = `acme${round}-${day}.example`;
      names.push(name);
      clock.advanceSeconds(86_400);
      await block(name);
    }
  };
  await add(0);
  assert.equal((await run()).code, 0);
  let kept = names.toSorted();
  assert.deepEqual(await readNames(t, feed), kept);
  let killed = 0;
  for (let round = 1; round <= 6; round += 1) {
    await add(round);
    const child = spawn(process.execPath, ['src/main.ts', ...args], { stdio: 'ignore' });
    const ended = once(child, 'exit');
    // Until the first files appear, and then a little longer in each round.
    const files = readdirSync(feed).length;
    while (readdirSync(feed).length === files && child.exitCode === null) await pause(1);
    await pause(round);
    child.kill('SIGKILL');
    const [, signal] = await ended;
    if (signal === 'SIGKILL') killed += 1;
    const read = await readNames(t, feed);
    const isNew = read.length === names.length;
    assert.deepEqual(read, isNew ? names.toSorted() : kept);
    if (isNew) kept = read;
  }
  assert.ok(killed > 0, 'no export was killed');
  assert.equal((await run()).code, 0);
  assert.deepEqual(await readNames(t, feed), names.toSorted());
  assert.deepEqual(
    readdirSync(feed).filter((name) => name.endsWith('.part')),
    [],
  );
});
