/** Crashes at any point of collection: in the end every domain is collected, with the same record as without a crash. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { feedStream } from '../../../src/model/stream-names.ts';
import { collectWorld } from '../../harness/fixtures/collection-fixture.ts';
import { feedLines } from '../../harness/fixtures/discovery-fixture.ts';
import { linesIn } from '../../harness/fixtures/observation-fixture.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const worker = join(import.meta.dirname, '../../harness/workers/collect-worker.ts');
const count = 200;
const kills = 3;
/** Longer than a lease with the default settings. */
const leaseSeconds = 300;

async function run(
  directory: string,
  laterSeconds: number,
  killAfterMs: number | undefined,
): Promise<boolean> {
  const child = spawn(process.execPath, [worker, directory, String(laterSeconds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  if (killAfterMs !== undefined)
    child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), killAfterMs));
  await once(child, 'close');
  return text.includes('complete');
}

test('after kill -9 at any moment every discovered domain is collected, and the records are the same', async (t) => {
  const directory = temporaryDirectory(t);
  const world = collectWorld(t, directory);
  const names = Array.from({ length: count }, (_, index) => `site${index}.com`);
  const stream = feedStream('domaindiscovery');
  await world.streams.append([{ stream, bytes: feedLines(names, world.clock.now()) }], world.clock.now());
  let killed = 0;
  for (let round = 0; round < kills; round += 1) {
    const isComplete = await run(directory, leaseSeconds * round, 200 + Math.random() * 800);
    killed += isComplete ? 0 : 1;
  }
  t.diagnostic(`${killed} of ${kills} were killed before they finished`);
  assert.ok(await run(directory, leaseSeconds * kills, undefined));

  const records = await world.domains.findRecords(names);
  for (const [index, record] of records.entries()) {
    assert.equal(record?.domain, names[index]);
    assert.equal(record?.website_title, `About ${names[index]}`);
    assert.deepEqual(record?.ip?.[0]?.asn, [64500]);
    assert.ok(record?.parsed_domain_rdap?.registrar);
    assert.deepEqual(await world.domains.listChanges(names[index] as string, { limit: 5 }), []);
  }
  const published = (await linesIn(world.streams, feedStream('domainrdap'))).map(
    (line) => (JSON.parse(line) as { domain: string }).domain,
  );
  assert.deepEqual([...new Set(published)].sort(), [...names].sort());
  // Each has a job for when its record is stale, and none is lost.
  world.clock.advanceSeconds(leaseSeconds * kills);
  const nowMs = world.clock.now();
  assert.deepEqual(await world.jobs.statistics('collect', nowMs), { waiting: count, due: 0, leased: 0 });
  assert.deepEqual(await world.domains.verifyCounts(), []);
});
