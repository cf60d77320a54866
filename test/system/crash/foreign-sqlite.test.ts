/** Other software opens the databases of a running server, as a backup script or the sqlite3 shell does, and the server loses nothing by it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { canaryKey } from '../../harness/artifacts.ts';
import { needsPackage } from '../../harness/debian-package.ts';
import { nameglass, type Served, serve } from '../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const run = promisify(execFile);
const options = { timeout: 900_000 };
const worker = join(import.meta.dirname, '../../harness/workers/foreign-sqlite-worker.ts');

type Touch = (database: string) => Promise<unknown>;

const ways: Readonly<Record<string, Touch>> = {
  'another process with SQLite': (database) => run(process.execPath, [worker, database]),
  'the sqlite3 shell': (database) => run('sqlite3', [database, 'select count(*) from sqlite_schema']),
};

async function startServer(t: TestContext, data: string): Promise<Served> {
  const quiet = ['collect.resolvers=', 'limits.detect.monitorsQueriesPerHour=100000'];
  return serve(t, ['--data', data, ...quiet.flatMap((setting) => ['--set', setting])]);
}

/** Files that a process has open although they were removed. */
function removedFiles(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`)
    .map((descriptor) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${descriptor}`);
      } catch {
        return '';
      }
    })
    .filter((target) => /-(?:wal|shm) \(deleted\)$/.test(target));
}

/** Whether the process holds a POSIX lock on the file: without one, other software takes it for unused. */
function isLocked(path: string, pid: number): boolean {
  const inode = `:${statSync(path).ino} `;
  return readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .some((line) => line.includes('POSIX') && line.includes(` ${pid} `) && line.includes(inode));
}

for (const [way, touch] of Object.entries(ways)) {
  test(
    `${way} that opens and closes every database of a running server removes no log under it, and no later write is lost`,
    options,
    async (t) => {
      if (way.includes('shell') && !needsPackage(t, 'sqlite3', 'sqlite3')) return;
      const data = temporaryDirectory(t);
      const key = canaryKey();
      const user = ['--username', 'ann', '--key', key, '--permissions', 'read,triage,escalate,manage'];
      assert.equal((await nameglass(['account', 'create', '--data', data, ...user])).code, 0);
      const served = await startServer(t, data);
      const addMonitor = async (term: string) => {
        const response = await fetch(`${served.url}/v1/intel-detect/monitors/`, {
          method: 'POST',
          headers: { 'x-api-key': key, 'content-type': 'application/json' },
          body: JSON.stringify({ term }),
        });
        assert.equal(response.status, 200, await response.text());
      };
      await addMonitor('before');

      const databases = globSync('**/*.db', { cwd: data });
      assert.ok(databases.length >= 10, databases.join());
      const pids = [served.pidOf('api'), served.pidOf('worker')];
      const unlocked = () =>
        databases.filter((database) => !pids.some((pid) => isLocked(join(data, database), pid)));
      assert.deepEqual(unlocked(), []);
      for (const database of databases) await touch(join(data, database));

      assert.deepEqual(unlocked(), []);
      assert.deepEqual(pids.flatMap(removedFiles), []);
      assert.equal((await fetch(`${served.url}/metrics`)).status, 200);
      await addMonitor('afterwards');
      await served.stop('SIGKILL');
      const { url } = await startServer(t, data);
      const response = await fetch(`${url}/v1/intel-detect/monitors/`, { headers: { 'x-api-key': key } });
      const { monitors } = (await response.json()) as { monitors: { term: string }[] };
      assert.deepEqual(monitors.map(({ term }) => term).sort(), ['afterwards', 'before']);
    },
  );
}
