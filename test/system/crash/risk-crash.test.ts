/** Crash test: after a writer is killed, no acknowledged write is lost, and links, counts and lists agree. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openRiskStore } from '../../../src/store/embedded/risk-store.ts';
import { logStart } from '../../../src/store/paging/log-position.ts';
import type { RiskStore } from '../../../src/store/risk-store.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { crashAddresses } from '../../harness/workers/crash-links.ts';

const worker = join(import.meta.dirname, '../../harness/workers/risk-worker.ts');

/** Kills the worker some time after its first output, and gives the last number that it printed. */
async function killAfter(directory: string, afterMs: number): Promise<number> {
  const child = spawn(process.execPath, [worker, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  await once(child.stdout, 'data');
  await pause(afterMs);
  child.kill('SIGKILL');
  await once(child, 'close');
  return Number(out.split('\n').at(-2));
}

test('a writer killed at random moments loses no acknowledged write, and leaves links, counts and lists consistent', async (t) => {
  const directory = temporaryDirectory(t);
  for (let round = 0; round < 4; round += 1) {
    const acknowledged = await killAfter(directory, (round * 17) % 60);
    const risks = openRiskStore(directory);
    const reached = Number(await risks.findCheckpoint('worker'));
    assert.ok(reached >= acknowledged);
    const domains = Array.from({ length: reached + 2 }, (_, index) => `n${index}.example`);
    await countsAgree(risks, domains, reached);
    await listsAgree(risks, domains, reached);
    await risks.close();
  }
});

async function countsAgree(risks: RiskStore, domains: readonly string[], reached: number): Promise<void> {
  const bad = (await risks.findBadLinks(domains)).filter(({ links }) => links.length > 0);
  assert.ok(bad.length >= reached);
  for (const link of crashAddresses) {
    const having = bad.filter(({ links }) => links.some(({ value }) => value === link.value));
    const listed = await risks.listBadDomains(link, '', 1e6);
    assert.deepEqual(listed.toSorted(), having.map(({ domain }) => domain).toSorted());
    const weight = Math.max(0, ...having.map((each) => each.weight));
    assert.deepEqual(await risks.countBadDomains([{ link, except: '' }]), [
      { domains: having.length, weight },
    ]);
  }
  assert.equal((await risks.statistics()).badDomains, bad.length);
}

/** The last complete snapshot is there, with at most the domains that the interrupted one had added. */
async function listsAgree(risks: RiskStore, domains: readonly string[], reached: number): Promise<void> {
  const [list] = await risks.listLists();
  assert.ok(Number(list?.checkpoint) >= reached - 1);
  const found = (await risks.findVerdicts(domains, 0)).flatMap((verdicts, index) =>
    verdicts.length > 0 ? [domains[index]] : [],
  );
  assert.equal((await risks.statistics()).verdicts, found.length);
  assert.equal(list?.domains, found.length);
  assert.ok(found.includes(`n${reached}.example`));
  const changed = (await risks.listVerdictChanges(logStart, 1e6)).map(({ domain }) => domain);
  assert.equal(new Set(changed).size, found.at(-1) === `n${reached + 1}.example` ? reached + 2 : reached + 1);
}
