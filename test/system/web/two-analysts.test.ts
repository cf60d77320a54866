/** Two analysts before the same domains, each in a browser of their own. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { countOf, desks, showsCount, until } from '../../harness/browser/triage-desk.ts';
import { fileScope } from '../../harness/test-scope.ts';

const openDesk = desks(fileScope());

describe('two analysts', { concurrency: 1 }, () => {
  test('an undo is seen by the colleague, and the counts of both agree with the server', async (t) => {
    const desk = await openDesk(t, 4);
    if (!desk) return;
    const bob = await desk.colleague();
    const ofAnn = (await desk.app.open(t, desk.ann, '/ui/triage')).page;
    const ofBob = (await desk.app.open(t, bob, '/ui/triage')).page;
    await Promise.all([showsCount(ofAnn, '4'), showsCount(ofBob, '4')]);
    await ofAnn.keyboard.press('w');
    await showsCount(ofBob, '3');
    await ofAnn.keyboard.press('u');
    await showsCount(ofAnn, '4');
    await until(ofBob, async () => {
      const arrivals = ofBob.getByRole('button', { name: /new/ });
      if ((await arrivals.count()) > 0) await ofBob.keyboard.press('n');
      return (await countOf(ofBob)) === '4';
    });
    assert.deepEqual(await desk.lists(), { new: 4, changed: 0, watched: 0, ignored: 0, blocked: 0 });
  });

  test('what a colleague has decided since is not undone, and the message names the colleague', async (t) => {
    const desk = await openDesk(t, 3);
    if (!desk) return;
    const bob = await desk.colleague();
    const { page } = await desk.app.open(t, desk.ann, '/ui/triage');
    await showsCount(page, '3');
    await page.keyboard.press('b');
    await showsCount(page, '2');
    await until(page, async () => (await desk.lists()).blocked === 1);
    const [blocked] = (await bob.call('GET /detect/domains?list=blocked')).json.domains;
    const body = { ids: [blocked.id], to: 'ignored' };
    assert.equal((await bob.call('POST /detect/decisions', { body })).status, 200);
    await page.keyboard.press('u');
    await page.locator('.toast', { hasText: bob.person.name }).waitFor();
    assert.equal((await desk.lists()).new, 2);
  });

  test('of two decisions about one domain at once, the second is refused with the first', async (t) => {
    const desk = await openDesk(t, 2);
    if (!desk) return;
    const bob = await desk.colleague();
    const { page } = await desk.app.open(t, desk.ann, '/ui/triage', {
      // Ann has no notice of it before she decides.
      prepare: (given) =>
        given.route('**/ui/api/events', (route) => route.fulfill({ status: 204 })).then(() => undefined),
    });
    await showsCount(page, '2');
    const [first] = (await bob.call('GET /detect/domains?list=new')).json.domains;
    await bob.call('POST /detect/decisions', { body: { ids: [first.id], to: 'watched' } });
    await page.keyboard.press('i');
    await page.locator('.toast.bad').waitFor();
    const lists = await desk.lists();
    assert.deepEqual([lists.watched, lists.ignored], [1, 0]);
  });
});
