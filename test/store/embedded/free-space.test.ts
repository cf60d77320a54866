import assert from 'node:assert/strict';
import { statfsSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { Problem } from '../../../src/model/problem.ts';
import { FreeSpaceWatch, type Reserve } from '../../../src/store/embedded/free-space.ts';
import { isDiskFull, type SpaceState } from '../../../src/store/free-space.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const usualReserve = { bytes: 100_000, percent: 50 };

/** A file system of a million bytes. */
function watchOf(t: TestContext, reserve: Reserve = usualReserve) {
  const disk = { freeBytes: 1_000_000 };
  const changes: SpaceState[] = [];
  const watch = new FreeSpaceWatch('/data', {
    reserve,
    onChange: (state) => changes.push(state),
    statfs: () => ({ bsize: 1000, blocks: 1000, bavail: disk.freeBytes / 1000 }),
  });
  t.after(() => watch.close());
  /** Whether there is room when this much is free. */
  const hasRoomAt = (freeBytes: number) => {
    disk.freeBytes = freeBytes;
    return watch.hasRoom();
  };
  return { watch, changes, hasRoomAt };
}

const isFull = (error: unknown) => error instanceof Problem && error.code === 'storage-full';

test('space is low below the reserve, and again enough when a quarter of the reserve more is free', (t) => {
  const { hasRoomAt } = watchOf(t);
  const free = [100_000, 99_000, 100_000, 124_000, 125_000, 100_000, 99_000];
  assert.deepEqual(free.map(hasRoomAt), [true, false, false, false, true, true, false]);
});

test('a process that starts between the two thresholds counts space as low', (t) => {
  const changes: SpaceState[] = [];
  const watch = new FreeSpaceWatch('/data', {
    reserve: usualReserve,
    onChange: (state) => changes.push(state),
    statfs: () => ({ bsize: 1000, blocks: 1000, bavail: 110 }),
  });
  t.after(() => watch.close());
  assert.deepEqual([watch.hasRoom(), changes.length], [false, 1]);
});

test('a file system that cannot be read fails those who ask, not the process', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const disk = { isReadable: true };
  const watch = new FreeSpaceWatch('/data', {
    reserve: usualReserve,
    statfs: () => {
      if (!disk.isReadable) throw new Error('EIO: i/o error, statfs');
      return { bsize: 1000, blocks: 1000, bavail: 500 };
    },
  });
  t.after(() => watch.close());
  disk.isReadable = false;
  t.mock.timers.tick(60_000);
  assert.throws(() => watch.hasRoom(), /EIO/);
  disk.isReadable = true;
  assert.equal(watch.hasRoom(), true);
});

test('a change between low and enough is reported once', (t) => {
  const { hasRoomAt, changes } = watchOf(t);
  for (const free of [500_000, 90_000, 80_000, 110_000, 200_000, 300_000]) hasRoomAt(free);
  assert.deepEqual(
    changes.map(({ isLow, freeBytes }) => [isLow, freeBytes]),
    [
      [true, 90_000],
      [false, 200_000],
    ],
  );
  assert.deepEqual(changes[0], {
    isLow: true,
    freeBytes: 90_000,
    totalBytes: 1_000_000,
    reserveBytes: 100_000,
  });
});

test('what would touch the reserve is refused before it is written', (t) => {
  const { watch, hasRoomAt } = watchOf(t);
  assert.equal(hasRoomAt(150_000), true);
  watch.requireRoom();
  watch.requireRoom(50_000);
  assert.throws(() => watch.requireRoom(50_001), isFull);
});

test('the reserve is at most its share of the file system', (t) => {
  const { watch, hasRoomAt } = watchOf(t, { bytes: 1 << 30, percent: 5 });
  assert.equal(watch.state().reserveBytes, 50_000);
  assert.deepEqual([hasRoomAt(50_000), hasRoomAt(49_000)], [true, false]);
});

test('without a reserve space is never low', (t) => {
  const { hasRoomAt } = watchOf(t, { bytes: 0, percent: 5 });
  assert.equal(hasRoomAt(0), true);
});

test('the free space is that of the file system of the directory', (t) => {
  const directory = temporaryDirectory(t);
  const watch = new FreeSpaceWatch(directory, { reserve: usualReserve });
  t.after(() => watch.close());
  const { bsize, blocks } = statfsSync(directory);
  const { totalBytes, freeBytes } = watch.state();
  assert.equal(totalBytes, bsize * blocks);
  assert.ok(freeBytes > 0 && freeBytes <= totalBytes);
});

test('a full disk is recognized by its error, also as the cause of another', () => {
  const withCode = (code: string) => Object.assign(new Error('failed'), { code });
  for (const code of ['ENOSPC', 'EDQUOT', 'SQLITE_FULL'])
    assert.deepEqual(
      [isDiskFull(withCode(code)), isDiskFull(new Error('outer', { cause: withCode(code) }))],
      [true, true],
    );
  assert.deepEqual(
    [isDiskFull(withCode('EIO')), isDiskFull(undefined), isDiskFull('ENOSPC')],
    [false, false, false],
  );
});
