import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ArchiveStore } from '../../../src/store/archive-store.ts';
import { DamagedData } from '../../../src/store/damage.ts';
import { openArchiveStore } from '../../../src/store/distributed/archive/archive-store.ts';
import { openObjects } from '../../../src/store/distributed/s3/open-objects.ts';
import { archiveStoreConformance, chunks, hourName, textOf } from '../../conformance/archive-store.ts';
import { newNodes } from '../../harness/engines/nodes.ts';
import { startPostgres } from '../../harness/engines/postgres.ts';
import { startRadosGateway } from '../../harness/engines/rados-gateway.ts';
import { fileScope } from '../../harness/test-scope.ts';

const scope = fileScope();
const postgres = await startPostgres(scope);
const gateway = await startRadosGateway(scope);
const madeMs = Date.parse('2026-02-20T18:01:12Z');

if (postgres && gateway) {
  const open = (t: TestContext) => {
    const node = newNodes(postgres, ['archives'], t);
    const options = gateway.newOptions();
    const store = (): ArchiveStore => {
      const database = node();
      return openArchiveStore(database, openObjects(database, options));
    };
    return { store, node, options };
  };

  archiveStoreConformance('the distributed adapter', (t) => open(t).store);

  test('the objects of pruned files, and of writers who came second, are deleted after a day', async (t) => {
    const { store, node, options } = open(t);
    const [one, other, database] = [store(), store(), node()];
    const [kept, pruned] = [hourName('2026-02-20', 17), hourName('2026-02-19', 17)];
    await Promise.all([one, other].map((writer) => writer.addFile(kept, chunks('same'), madeMs)));
    await one.addFile(pruned, chunks('old'), madeMs);
    await other.pruneFiles('2026-02-20', madeMs);
    const { stored } = openObjects(database, options);
    await database.read((sql) => sql`update unused_object set since = since - interval '25 hours'`);
    await stored.sweep();
    assert.equal((await gateway.listKeys(options)).length, 1);
    assert.equal(await textOf(one, kept), 'same');
  });

  test('verification reads every file, and names those that were changed or lost', async (t) => {
    const { store, options } = open(t);
    const archives = store();
    const names = [1, 2, 3].map((hour) => hourName('2026-02-20', hour));
    for (const name of names) await archives.addFile(name, chunks('right'), madeMs);
    const keys = await gateway.listKeys(options);
    await gateway.overwrite(options, keys[0] as string, Buffer.from('wrong'));
    await gateway.overwrite(options, keys[1] as string, undefined);
    const [damages, progress]: [string[], string[]] = [[], []];
    for await (const { file } of archives.verify((done, all) => progress.push(`${done}/${all}`)))
      damages.push(file);
    assert.deepEqual(
      damages,
      keys.slice(0, 2).map((key) => `s3://nameglass/${options.prefix}${key}`),
    );
    assert.deepEqual(progress, ['1/3', '2/3', '3/3']);
    await assert.rejects(archives.openFile(names[1] as string), DamagedData);
    await assert.rejects(textOf(archives, names[0] as string), DamagedData);
    assert.equal(await textOf(archives, names[2] as string), 'right');
  });
} else {
  test('archives in S3', { skip: 'skipped: no PostgreSQL or no RADOS Gateway' }, () => undefined);
}
