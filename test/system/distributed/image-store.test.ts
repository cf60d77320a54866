import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { DamagedData } from '../../../src/store/damage.ts';
import { openImageStore } from '../../../src/store/distributed/image/image-store.ts';
import { openObjects } from '../../../src/store/distributed/s3/open-objects.ts';
import type { ImageStore } from '../../../src/store/image-store.ts';
import { capture, image, imageStoreConformance } from '../../conformance/image-store.ts';
import { newNodes } from '../../harness/engines/nodes.ts';
import { startPostgres } from '../../harness/engines/postgres.ts';
import { startRadosGateway } from '../../harness/engines/rados-gateway.ts';
import { fileScope } from '../../harness/test-scope.ts';

const scope = fileScope();
const postgres = await startPostgres(scope);
const gateway = await startRadosGateway(scope);

if (postgres && gateway) {
  const open = (t: TestContext) => {
    const node = newNodes(postgres, ['images'], t);
    const options = gateway.newOptions();
    const store = (): ImageStore => {
      const database = node();
      return openImageStore(database, openObjects(database, options));
    };
    const sweep = async () => {
      const database = node();
      await database.read((sql) => sql`update unused_object set since = since - interval '25 hours'`);
      await openObjects(database, options).stored.sweep();
      return gateway.listKeys(options);
    };
    return { store, options, sweep };
  };

  imageStoreConformance('the distributed adapter', (t) => open(t).store);

  test('an image that several domains show is one object, which is deleted a day after the last of them', async (t) => {
    const { store, sweep } = open(t);
    const images = store();
    for (const name of ['a.example', 'b.example']) await images.saveCapture(capture(name, 0, 'parked'));
    assert.equal((await sweep()).length, 1);
    for (const name of ['a.example', 'b.example'])
      await images.saveCapture(capture(name, 1000, `${name} sold`));
    assert.equal((await sweep()).length, 3);
    assert.equal(await images.pruneImages(1000), 2);
    assert.equal((await sweep()).length, 2);
    assert.deepEqual(await images.statistics(), { domains: 2, images: 2, bytes: 28 });
  });

  test('of two nodes that prune and capture at once none loses an image or its count', async (t) => {
    const { store, sweep } = open(t);
    const [one, other] = [store(), store()];
    const saveAll = async (images: ImageStore, half: number) => {
      for (let round = 0; round < 12; round += 1)
        await images.saveCapture(capture(`n${half}.example`, round * 10 + half, `pixels ${round % 3}`));
    };
    const pruneAll = async (images: ImageStore) => {
      for (let round = 0; round < 12; round += 1) await images.pruneImages(round * 10);
    };
    await Promise.all([saveAll(one, 0), saveAll(other, 1), pruneAll(one), pruneAll(other)]);
    await one.pruneImages(1000);
    assert.equal((await sweep()).length, 1);
    assert.deepEqual(await one.statistics(), { domains: 2, images: 2, bytes: 8 });
    for (const name of ['n0.example', 'n1.example']) {
      const [shot] = await other.listCaptures(name, 1);
      assert.deepEqual(await other.findImage(name, shot?.capturedMs ?? 0), image('pixels 2'));
    }
  });

  test('a damaged or lost image is named by verification, and replaced when it is captured again', async (t) => {
    const { store, options } = open(t);
    const images = store();
    const damages = async () => {
      const found: string[] = [];
      for await (const { file } of images.verify()) found.push(file);
      return found.length;
    };
    await images.saveCapture(capture('a.example', 0));
    const [key = ''] = await gateway.listKeys(options);
    await gateway.overwrite(options, key, Buffer.from('b'));
    assert.equal(await damages(), 1);
    await assert.rejects(images.findImage('a.example', 0), DamagedData);
    assert.equal(await images.saveCapture(capture('a.example', 1000)), 'same');
    assert.deepEqual([await damages(), await images.findImage('a.example', 0)], [0, image('a')]);
    for (const each of await gateway.listKeys(options)) await gateway.overwrite(options, each, undefined);
    assert.equal(await damages(), 1);
    assert.equal(await images.saveCapture(capture('b.example', 2000)), 'first');
    assert.deepEqual([await damages(), await images.findImage('a.example', 0)], [0, image('a')]);
  });
} else {
  test('images in S3', { skip: 'skipped: no PostgreSQL or no RADOS Gateway' }, () => undefined);
}
