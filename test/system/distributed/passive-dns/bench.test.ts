/** `npm run bench -- pdns --store distributed` at its smallest size: that it runs, and every store gives the same rows. Figures are not judged here. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { readRun } from '../../../../bench/harness/run-file.ts';
import { hasPackage } from '../../../harness/debian-package.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

const root = join(import.meta.dirname, '../../../..');

test('passive DNS of several nodes is measured beside that of one machine', {
  timeout: 300_000,
}, async (t) => {
  if (!hasPackage('clickhouse-server', 'clickhouse-server')) return t.skip('skipped: no ClickHouse');
  const file = join(temporaryDirectory(t), 'run.json');
  const args = ['bench/run.ts', 'pdns', '--store', 'distributed', '--size', 'tiny', '--json', file];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  t.after(() => child.kill());
  const [code] = (await once(child, 'close')) as [number];
  const [benchmark] = readRun(file).benchmarks;
  assert.deepEqual([code, benchmark?.failed, benchmark?.skipped], [0, undefined, undefined]);
  const results = benchmark?.results ?? [];
  assert.equal(results.length, 2 + 7 * 3 * 2);
  for (const { work, ours, peer } of results) {
    assert.equal(peer?.name, 'embedded', work);
    assert.ok(ours.value >= 0 && (peer?.value ?? -1) >= 0, work);
  }
  for (const part of ['import', 'name', 'left', 'right', '/24', 'CIDR, up to', 'regular', '1,000 rows after'])
    assert.ok(
      results.some(({ work, ours }) => work.includes(part) && ours.value > 0),
      part,
    );
});
