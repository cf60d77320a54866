import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backupFinding } from '../../../src/cli/doctor/backup-findings.ts';
import { readConfig } from '../../../src/config.ts';
import { describeHealth } from '../../../src/product/health/describe-health.ts';
import { openHealthStore } from '../../../src/store/distributed/health/health-store.ts';
import { openJobStore } from '../../../src/store/distributed/job/job-store.ts';
import { healthStoreConformance } from '../../conformance/health-store.ts';
import { newNodes } from '../../harness/engines/nodes.ts';
import { startPostgres } from '../../harness/engines/postgres.ts';
import { TestClock } from '../../harness/test-clock.ts';
import { fileScope } from '../../harness/test-scope.ts';

const server = await startPostgres(fileScope());

if (server) {
  healthStoreConformance('the distributed adapter', (t) => {
    const node = newNodes(server, ['health'], t);
    return () => openHealthStore(node());
  });

  test('sizes are those of the parts of the schema, partitions and indexes included, the largest first', async (t) => {
    const node = newNodes(server, ['health', 'names', 'jobs'], t);
    const database = node();
    await database.read(
      (sql) => sql`insert into reported_name select 'name' || n, n from generate_series(1, 10000) n`,
    );
    const sizes = await openHealthStore(database).listSizes();
    assert.deepEqual(new Set(sizes.map(({ name }) => name)), new Set(['names', 'jobs', 'core', 'health']));
    assert.equal(sizes[0]?.name, 'names');
    assert.ok(sizes[0].bytes > 500_000, `${sizes[0].bytes} bytes`);
  });

  test('nobody is warned of a missing backup, since whether the database and S3 have one is not known', async (t) => {
    const database = newNodes(server, ['health', 'jobs'], t)();
    const [health, clock] = [openHealthStore(database), new TestClock()];
    const { settings } = readConfig({ environment: {}, flags: {} });
    const { state, advice } = await backupFinding({ health }, settings, clock.now());
    assert.deepEqual([state, /backed up with their own tools/.test(advice)], ['ok', true]);
    const freeSpace = {
      state: () => ({ isLow: false, freeBytes: 1, totalBytes: 2, reserveBytes: 0 }),
    };
    const jobs = openJobStore(database, clock);
    const { backup } = await describeHealth({ health, jobs, freeSpace, clock, settings });
    assert.deepEqual(backup, { last: undefined, isOverdue: undefined });
  });
} else test('the distributed health store', { skip: 'skipped: no PostgreSQL' }, () => undefined);
