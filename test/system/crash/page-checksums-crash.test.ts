/** Processes that are killed while they write and copy pages: nothing acknowledged is lost, and no checksum is wrong afterwards. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import Sqlite from 'better-sqlite3';
import { openDatabase } from '../../../src/store/embedded/database.ts';
import { checkPages } from '../../../src/store/embedded/page-checksums/check-pages.ts';
import { checkAtStart } from '../../../src/store/embedded/verify/check-at-start.ts';
import { verifyDatabases } from '../../../src/store/embedded/verify/verify-databases.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const workers = join(import.meta.dirname, '../../harness/workers');
const rounds = Number(process.env['ROUNDS'] ?? 12);
const seed = Number(process.env['SEED'] ?? (Date.now() % 1_000_000) + 1);
const all = { bytesMax: Number.MAX_SAFE_INTEGER };

interface Writer {
  /** Kills it; the number of the last transaction that it acknowledged. */
  kill(): Promise<number>;
}

async function startWriter(path: string, name: string, round: number): Promise<Writer> {
  const args = [join(workers, 'page-writer-worker.ts'), path, name, String(seed + round * 7)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  await once(child.stdout, 'data');
  return {
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'close');
      return Number(out.slice(0, out.lastIndexOf('\n')).split('\n').at(-1));
    },
  };
}

function lastOf(path: string, names: readonly string[]): number[] {
  const database = openDatabase(path, 'usage', 'full');
  const last = names.map((name) =>
    Number(database.prepare('select text from mark where name = ?').pluck().get(name)),
  );
  database.close();
  return last;
}

test('two processes killed at random lost nothing, and every page has its checksum', async (t) => {
  t.diagnostic(`SEED=${seed}`);
  const data = temporaryDirectory(t);
  const path = join(data, 'usage.db');
  let compared = 0;
  for (let round = 0; round < rounds; round += 1) {
    const names = [`one ${round}`, `two ${round}`];
    const writers = await Promise.all(names.map((name) => startWriter(path, name, round)));
    const until = performance.now() + 300 + ((round * 131) % 700);
    while (performance.now() < until) {
      // Beside both of them.
      const { damages } = await verifyDatabases(data, { how: 'pages' });
      assert.deepEqual(damages, [], `beside running processes in round ${round}`);
      compared += 1;
    }
    const confirmed = await Promise.all(writers.map((writer) => writer.kill()));
    const { damages, notices, doubtful, unknown } = await checkPages(path);
    assert.deepEqual({ damages, notices, doubtful }, { damages: [], notices: [], doubtful: [] });
    t.diagnostic(`round ${round}: ${confirmed.join(' and ')} transactions, ${unknown.length} pages unknown`);
    await checkAtStart(data, all);
    for (const [index, last] of lastOf(path, names).entries())
      assert.ok(last >= (confirmed[index] as number), `${last} of ${confirmed[index]}`);
    const after = await checkPages(path);
    assert.deepEqual([after.damages, after.doubtful], [[], []]);
  }
  assert.ok(compared > 0);
  const database = new Sqlite(path, { readonly: true });
  assert.equal(database.prepare('pragma integrity_check').pluck().get(), 'ok');
  database.close();
});

test('another program that opens the database after a kill, and so copies the log, is no damage', async (t) => {
  const data = temporaryDirectory(t);
  const path = join(data, 'usage.db');
  for (let round = 0; round < Math.ceil(rounds / 3); round += 1) {
    const writer = await startWriter(path, 'one', round);
    await pause(100 + round * 40);
    await writer.kill();
    await promisify(execFile)(process.execPath, [join(workers, 'foreign-sqlite-worker.ts'), path]);
    const { damages } = await checkPages(path);
    assert.deepEqual(damages, []);
    await checkAtStart(data, all);
    lastOf(path, ['one']);
    const after = await checkPages(path);
    assert.deepEqual([after.damages, after.doubtful, after.unknown], [[], [], []]);
  }
});
