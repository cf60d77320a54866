/** Killing a process wherever it is in a round: every domain is looked at in the end, and its record is as if nothing had happened. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { feedStream } from '../../../src/model/stream-names.ts';
import { collectWorld } from '../../harness/collecting.ts';
import { feedLines } from '../../harness/discovering.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { linesIn } from '../../harness/told.ts';

const worker = join(import.meta.dirname, '../../harness/collect-worker.ts');
const count = 200;
const kills = 3;
/** Longer than a lease of the usual settings. */
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

test('after kill -9 at any moment every discovered domain is looked at, and the records are the same', async (t) => {
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
  t.diagnostic(`${killed} of ${kills} were killed on the way`);
  assert.ok(await run(directory, leaseSeconds * kills, undefined));

  const records = await world.domains.findRecords(names);
  for (const [index, record] of records.entries()) {
    assert.equal(record?.domain, names[index]);
    assert.equal(record?.website_title, `About ${names[index]}`);
    assert.deepEqual(record?.ip?.[0]?.asn, [64500]);
    assert.ok(record?.parsed_domain_rdap?.registrar);
    assert.deepEqual(await world.domains.listChanges(names[index] as string, { limit: 5 }), []);
  }
  const told = (await linesIn(world.streams, feedStream('domainrdap'))).map(
    (line) => (JSON.parse(line) as { domain: string }).domain,
  );
  assert.deepEqual([...new Set(told)].sort(), [...names].sort());
  // Each waits for the day when it is old, and none is lost.
  world.clock.advanceSeconds(leaseSeconds * kills);
  const nowMs = world.clock.now();
  assert.deepEqual(await world.jobs.statistics('collect', nowMs), { waiting: count, due: 0, leased: 0 });
  assert.deepEqual(await world.domains.verifyCounts(), []);
});
