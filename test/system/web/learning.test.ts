/** What is learned from decisions, in a real browser: a suggestion is tested, accepted and taken back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appOf } from '../../harness/browser/start-app.ts';
import { discoveryFixture } from '../../harness/fixtures/discovery-fixture.ts';
import { fileScope } from '../../harness/test-scope.ts';

const openApp = appOf(fileScope());

test('a suggestion shows what it would have meant, changes its monitor when accepted, and is taken back', async (t) => {
  const app = await openApp(t);
  if (!app) return;
  const ann = await (await app.account()).person('learner');
  const names = discoveryFixture(app.server);
  await ann.call('POST /monitors', { body: { term: 'willowbrook' } });
  await names.searchKnown();
  const found = Array.from({ length: 16 }, (_, at) => `willowbrook-fanclub-${at}.com`);
  for (const domain of found)
    await names.write({
      domain,
      name_server: [{ host: 'ns1.parking.example' }, { host: 'ns2.parking.example' }],
    });
  await names.append(found);
  await names.discover();
  const { domains } = (await ann.call('GET /detect/domains?list=new')).json;
  const ids = domains.map(({ id }: { id: string }) => id);
  await ann.call('POST /detect/decisions', { body: { ids, to: 'ignored' } });
  const { page, problems } = await app.open(t, ann, '/ui/monitors');
  await page.getByText('Of 16 decided domains, 0 were worth attention and 16 were ignored.').waitFor();
  const line = page.getByRole('listitem').filter({ hasText: 'leave out names with fanclub' });
  await line.getByText('16 of 16 were ignored').waitFor();
  await line.getByText('What it would have meant').first().click();
  await line.getByText('16 names would not have been found (16 ignored)').waitFor();
  await line.getByRole('button', { name: 'Accept' }).click();
  await page.getByText('Accepted: the monitor is changed').waitFor();
  const exclusions = async () => (await ann.call('GET /monitors')).json.monitors[0].text_exclusions;
  assert.deepEqual(await exclusions(), ['fanclub']);
  await page.getByText('Earlier answers').click();
  await page.getByRole('listitem').filter({ hasText: 'accepted by' }).getByRole('button').click();
  await page.getByText('taken back by').waitFor();
  assert.deepEqual(await exclusions(), []);
  assert.deepEqual(problems, []);
});
