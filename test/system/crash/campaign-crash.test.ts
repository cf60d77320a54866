/** Campaigns found by processes that are killed. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { normaliseRecord } from '../../../src/model/record/normalise.ts';
import { openEmbeddedStores } from '../../../src/store/embedded/open-stores.ts';
import { WatchlistFixture } from '../../harness/fixtures/watchlist-fixture.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const worker = join(import.meta.dirname, '../../harness/workers/campaigns/campaign-worker.ts');
const domains = 3000;
const kills = 6;

test('while the process that finds campaigns is killed again and again, every domain joins once, with one alert', async (t) => {
  const data = temporaryDirectory(t);
  const stores = openEmbeddedStores({ data, clock: { now: () => 5000 } });
  t.after(() => stores.close());
  const fixture = new WatchlistFixture(stores);
  const monitor = await fixture.monitor();
  const names = Array.from({ length: domains }, (_, at) => `acme${at}.example`);
  const add = async (added: readonly string[]) => {
    const records = added.map((domain) => {
      const made = normaliseRecord({ domain, registrant_contact: { email: ['one@mail.example'] } });
      assert.ok(!('faults' in made));
      return { record: made.record, source: 'test', seenMs: 1 };
    });
    await stores.domains.upsert(records);
    await stores.watchlist.addDiscoveries(added.map((name) => fixture.discovery(name, [monitor])));
  };
  const run = async (killAfterMs?: number): Promise<string> => {
    const child = spawn(process.execPath, [worker, data, fixture.accountId], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => child.kill('SIGKILL'));
    const out = text(child.stdout);
    const ended = once(child, 'exit');
    if (killAfterMs !== undefined) {
      await once(child.stdout, 'data');
      await pause(killAfterMs);
      child.kill('SIGKILL');
    }
    await ended;
    return out;
  };

  await add(names.slice(0, 3));
  assert.match(await run(), /complete/);
  const { campaigns } = await stores.campaigns.listCampaigns(fixture.accountId, { offset: 0, limit: 10 });
  const id = campaigns[0]?.id ?? assert.fail('no campaign was found');
  await stores.campaigns.updateCampaign(fixture.accountId, id, { followed: true });
  await add(names.slice(3));
  for (let kill = 0; kill < kills; kill += 1) await run(kill * 150);
  assert.match(await run(), /complete/);

  const found = await stores.campaigns.findCampaign(fixture.accountId, id);
  assert.equal(found?.members, domains);
  const page = { afterId: 0, limit: 2 * domains, kinds: ['campaign-joined'] } as const;
  const alerts = (await stores.events.listEvents(fixture.accountId, page)).map(({ domain }) => domain);
  assert.deepEqual(alerts.toSorted(), names.slice(3).toSorted());
});
