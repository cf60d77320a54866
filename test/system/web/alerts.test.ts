/** Alerts and blocklists in a real browser. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createDialer } from '../../../src/outgoing/guarded-dialer.ts';
import { startDeliveries } from '../../../src/product/detect/deliveries.ts';
import { axeViolations } from '../../harness/browser/axe.ts';
import { fillWatchlist } from '../../harness/browser/fill-watchlist.ts';
import { appOf } from '../../harness/browser/start-app.ts';
import { openReceiver } from '../../harness/network/http-receiver.ts';
import { openSyslogReceiver } from '../../harness/network/syslog-receiver.ts';
import { fileScope } from '../../harness/test-scope.ts';

const openApp = appOf(fileScope(), {
  settings: {
    'outgoing.allow': '127.0.0.1',
    'mail.host': '127.0.0.1',
    'mail.from': 'alerts@nameglass.example',
  },
});

describe('alerts and blocklists', { concurrency: 1 }, () => {
  test('a webhook is made with its secret shown once, tested, paused, resumed and ended', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    const receiver = await openReceiver(t);
    const ann = await (await app.account()).person('alert-maker');
    const { page, problems } = await app.open(t, ann, '/ui/alerts');
    await page.getByRole('button', { name: 'New alert' }).first().click();
    const form = page.getByRole('dialog', { name: 'New alert' });
    await form.getByLabel('webhook').check();
    await form.getByLabel('URL').fill(receiver.url);
    await page.keyboard.press('Enter');
    const shown = page.getByRole('dialog', { name: 'Secret of the webhook' });
    assert.notEqual(await shown.getByLabel('Secret').inputValue(), '');
    await page.keyboard.press('Escape');
    await shown.getByRole('button', { name: 'I have it' }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test was delivered').waitFor();
    assert.equal(receiver.received.length, 1);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByRole('button', { name: 'Deliveries' }).click();
    await page.getByRole('cell', { name: 'test', exact: true }).waitFor();
    await page.waitForURL(/open=/);
    await page.reload();
    await page.getByRole('cell', { name: 'test', exact: true }).waitFor();
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByRole('button', { name: 'End it' }).click();
    await page.getByRole('heading', { name: 'Nobody is notified yet' }).waitFor();
    assert.deepEqual(problems, []);
  });

  test('a format is chosen with a preview of its messages, and a syslog receiver gets a test', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    const receiver = await openSyslogReceiver(t);
    const ann = await (await app.account()).person('format-chooser');
    const { page, problems } = await app.open(t, ann, '/ui/alerts?make=1');
    const form = page.getByRole('dialog', { name: 'New alert' });
    await form.getByLabel('webhook').check();
    await form.getByLabel('Format').selectOption('slack');
    await form.getByText('Preview').click();
    await form.getByText('"text": "Nameglass: 2 events"').first().waitFor();
    await form.getByLabel('Format').selectOption('splunk');
    await form.getByText('"sourcetype": "nameglass:detect"').first().waitFor();
    await form.getByLabel('Token of the collector').waitFor();
    assert.deepEqual(await axeViolations(page), []);
    await form.getByLabel('syslog').check();
    await form
      .getByText(/CEF:0\|Nameglass/)
      .first()
      .waitFor();
    await form.getByLabel('Receiver').fill('tls://siem.example');
    await form.getByLabel('CA certificates').waitFor();
    await form.getByLabel('Receiver').fill(`tcp://127.0.0.1:${receiver.port}`);
    await form.getByLabel('Format').selectOption('ecs');
    await form.getByRole('button', { name: 'Create' }).click();
    await page.getByText('each event as ECS JSON').waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test was delivered').waitFor();
    assert.equal(receiver.messages.length, 1);
    assert.deepEqual(problems, []);
  });

  test('an e-mail digest has its hour, days and events as they were chosen', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    const ann = await (await app.account()).person('digest-maker');
    const { page, problems } = await app.open(t, ann, '/ui/alerts?make=1');
    const form = page.getByRole('dialog', { name: 'New alert' });
    await form.getByLabel('Address').fill('analysts@velt.example');
    await form.getByLabel('a watched domain changed').uncheck();
    await form.getByLabel('the full risk score is there').check();
    await form.getByLabel('At,').selectOption('7');
    await form.getByLabel('Sat').uncheck();
    await form.getByLabel('Sun').uncheck();
    assert.deepEqual(await axeViolations(page), []);
    await form.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'analysts@velt.example' }).waitFor();
    const [made] = (await ann.call('GET /subscriptions')).json.subscriptions;
    const zone = await page.evaluate<string>('Intl.DateTimeFormat().resolvedOptions().timeZone');
    assert.deepEqual(
      [made.by, made.target, made.every, made.events.toSorted(), made.schedule],
      [
        'email',
        'analysts@velt.example',
        'day',
        ['discovered', 'risk-full'],
        { hour: 7, zone, weekdays: [1, 2, 3, 4, 5] },
      ],
    );
    await page.getByText('every day at 7:00').waitFor();
    assert.deepEqual(problems, []);
  });

  test('what was delivered is listed with its outcome, and sent again', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    const receiver = await openReceiver(t);
    const { accountId, person } = await app.account();
    const ann = await person('alert-replayer');
    const made = await ann.call('POST /subscriptions', { body: { webhook: receiver.url } });
    const { server } = app;
    const deliveries = startDeliveries({
      ...server,
      dialer: createDialer({ settings: server.settings }),
      sendMail: () => assert.fail('no mail is sent'),
      linkKey: Buffer.alloc(32, 1),
      onFailure: (error) => assert.fail(error as Error),
      pollMs: 10,
    });
    t.after(() => deliveries.close());
    await fillWatchlist(server, accountId, 1);
    await receiver.until(1);
    const { page, problems } = await app.open(t, ann, `/ui/alerts?open=${made.json.subscription.id}`);
    await page.getByRole('cell', { name: 'delivered' }).waitFor();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Delivered again').waitFor();
    assert.equal(receiver.received.length, 2);
    assert.deepEqual(problems, []);
  });

  test('a webhook on an address that may not be reached is refused with the reason, and what was typed stays', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    const ann = await (await app.account()).person('alert-refused');
    const { page } = await app.open(t, ann, '/ui/alerts?make=1', {
      prepare: async (opened) =>
        void (await opened.route('**/ui/api/subscriptions', async (route) => {
          const answer = await route.fetch();
          const json = await answer.json();
          await route.fulfill({ response: answer, json: 'mail' in json ? { ...json, mail: false } : json });
        })),
    });
    const form = page.getByRole('dialog', { name: 'New alert' });
    await form.getByLabel('URL').fill('https://10.0.0.1/hook');
    await page.keyboard.press('Enter');
    await form.getByRole('alert').waitFor();
    assert.equal(await form.getByLabel('URL').inputValue(), 'https://10.0.0.1/hook');
    assert.equal(await form.getByLabel('e-mail').isDisabled(), true);
  });

  test('a blocklist is previewed and its link copied; replaced links end the old ones', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    const { accountId, person } = await app.account();
    const ann = await person('list-keeper');
    await fillWatchlist(app.server, accountId, 2);
    const [first] = (await ann.call('GET /detect/domains?list=new')).json.domains;
    await ann.call('POST /detect/decisions', { body: { ids: [first.id], to: 'blocked' } });
    const { page, problems } = await app.open(t, ann, '/ui/blocklists');
    const panel = page.locator('.list-panel', { hasText: 'Plain list' });
    await panel.getByText('Preview').click();
    await panel.getByText(first.domain).waitFor();
    await panel.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Link copied').waitFor();
    const link = await page.evaluate<string>('navigator.clipboard.readText()');
    const answer = await fetch(link);
    assert.equal((await answer.text()).includes(first.domain), true);
    await page.getByRole('button', { name: 'Replace all links' }).click();
    await page.getByRole('button', { name: 'Replace them' }).click();
    await page.getByText('All links are new').waitFor();
    assert.equal((await fetch(link)).ok, false);
    assert.deepEqual(problems, []);
  });

  test('a list is made, changed and deleted, and an allowed domain leaves it at once', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    const { accountId, person } = await app.account();
    const ann = await person('list-maker');
    await fillWatchlist(app.server, accountId, 2);
    const [first] = (await ann.call('GET /detect/domains?list=new')).json.domains;
    await ann.call('POST /detect/decisions', { body: { ids: [first.id], to: 'blocked' } });
    const { page, problems } = await app.open(t, ann, '/ui/blocklists');
    await page.getByRole('button', { name: 'New list' }).click();
    const form = page.getByRole('dialog', { name: 'New list' });
    await form.getByLabel('Name', { exact: true }).fill('Not A Name');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByRole('alert').waitFor();
    await form.getByLabel('Name', { exact: true }).fill('everything');
    await form.getByLabel('New domains with a high risk score').check();
    await form.getByLabel('Lowest risk score').fill('0');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/list=everything/);
    const row = page.getByRole('row', { name: /everything/ });
    await row.getByText('New domains with a risk score of 0 or more').waitFor();
    const plainList = page.locator('.list-panel', { hasText: 'Plain list' });
    await plainList.getByText('Preview').click();
    await plainList.getByText(first.domain).waitFor();
    await page.getByLabel('Allow a domain').fill(first.domain);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await plainList.getByText(first.domain).waitFor({ state: 'detached' });
    assert.deepEqual(await axeViolations(page), []);
    await row.getByRole('button', { name: 'Delete the list everything' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The list is deleted').waitFor();
    await row.waitFor({ state: 'detached' });
    // Of the name that was refused.
    assert.deepEqual(
      problems.filter((problem) => !problem.includes('422')),
      [],
    );
  });
});
