import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { feedStream, hostsStream } from '../../../../src/model/stream-names.ts';
import { openLeaseStore } from '../../../../src/store/distributed/lease/lease-store.ts';
import { openNameStore } from '../../../../src/store/distributed/name/name-store.ts';
import {
  type DatabaseOptions,
  PostgresDatabase,
} from '../../../../src/store/distributed/postgres/database.ts';
import { openObjects } from '../../../../src/store/distributed/s3/open-objects.ts';
import { openStreamStore } from '../../../../src/store/distributed/stream/stream-store.ts';
import { LeaseLost } from '../../../../src/store/lease/fencing-token.ts';
import { fencedAtMs, fencingConformance, formerAndPresent } from '../../../conformance/lease/fencing.ts';
import { contentOf } from '../../../conformance/stream-store.ts';
import { newSchema, startPostgres } from '../../../harness/engines/postgres.ts';
import { unusedS3 } from '../../../harness/engines/unused-s3.ts';
import { fileScope, lastFirst } from '../../../harness/test-scope.ts';

const server = await startPostgres(fileScope());

function openNode(t: TestContext, options: DatabaseOptions) {
  lastFirst(t);
  const database = new PostgresDatabase(options);
  t.after(() => database.close());
  const streams = openStreamStore(database, openObjects(database, unusedS3));
  t.after(() => streams.close());
  return { leases: openLeaseStore(database), names: openNameStore(database), streams };
}

/** A worker in a process of its own. */
function startWorker(t: TestContext, options: DatabaseOptions) {
  const file = join(import.meta.dirname, '../../../harness/workers/distributed/source-worker.ts');
  const child = spawn(process.execPath, [file, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const reported: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => reported.push(line));
  const until = async (isReached: (lines: readonly string[]) => boolean) => {
    while (!isReached(reported)) await pause(5);
  };
  return { child, until, reported };
}

if (server) {
  const parts = ['leases', 'names', 'streams'] as const;

  fencingConformance('the distributed adapter', (t) => openNode(t, newSchema(server, parts)));

  test('what a former holder writes is refused from the moment that another one has the lease', async (t) => {
    const stores = openNode(t, newSchema(server, parts));
    const { former } = await formerAndPresent(stores);
    const late = { checkpoint: '5', fence: former };
    await assert.rejects(stores.names.recordNames('one', ['a.example'], fencedAtMs, late), LeaseLost);
    const lines = [{ stream: hostsStream, bytes: Buffer.from('a\n') }];
    assert.equal(await stores.streams.append(lines, fencedAtMs, undefined, former), false);
    assert.deepEqual(await stores.names.statistics(), { domains: 0, unpublished: 0 });
    assert.equal(await stores.streams.findState(hostsStream), undefined);
  });

  test('a worker that was paused beyond its lease writes no line and no checkpoint when it continues, and stops reading', async (t) => {
    const options = newSchema(server, parts);
    const { names, streams } = openNode(t, options);
    const paused = startWorker(t, options);
    await paused.until((lines) => lines.includes('read 2'));
    paused.child.kill('SIGSTOP');
    const before = Number(await names.findCheckpoint('numbers'));
    const other = startWorker(t, options);
    await other.until((lines) => lines.includes(`read ${before + 5}`));
    paused.child.kill('SIGCONT');
    await paused.until((lines) => lines.includes('ended'));
    const reached = other.reported.length;
    await other.until((lines) => lines.length >= reached + 5);
    const last = Number(await names.findCheckpoint('numbers'));
    other.child.kill('SIGTERM');
    const read = other.reported.map((line) => Number(line.replace('read ', '')));
    assert.deepEqual(
      read,
      Array.from({ length: read.length }, (_, index) => before + index),
      'no older checkpoint has come back',
    );
    assert.deepEqual(
      paused.reported.filter((line) => !line.startsWith('read')),
      ['ended'],
    );
    while ((await names.statistics()).unpublished > 0) await pause(20);
    for (const [stream, prefix] of [
      [hostsStream, 'host.'],
      [feedStream('domaindiscovery'), ''],
    ] as const) {
      const domains = (await contentOf(streams, stream)).trimEnd().split('\n').map(domainOf);
      assert.equal(new Set(domains).size, domains.length, 'no line is there twice');
      for (let number = 0; number < last; number += 1)
        assert.ok(domains.includes(`${prefix}n${number}.example`));
    }
  });
} else test('fencing', { skip: 'skipped: no PostgreSQL' }, () => undefined);

function domainOf(line: string): string {
  return (JSON.parse(line) as { domain: string }).domain;
}
