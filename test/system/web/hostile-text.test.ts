/** Hostile text in every string of a record, in terms, notes and own names: drawn as text, in its own order, by every page. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { DomainRecord } from '../../../src/model/record/domain-record.ts';
import { fillWatchlist } from '../../harness/browser/fill-watchlist.ts';
import { appOf } from '../../harness/browser/start-app.ts';
import { fileScope } from '../../harness/test-scope.ts';

const openApp = appOf(fileScope());

const markup = '<img src=x onerror=alert(1)>"><svg onload=alert(1)>javascript:alert(1)//';
const reversed = 'pay\u202elap.test\u2066z';
const unseen = 'a\u200bb\u00adc\u0000d';
const hostile = `${markup} ${reversed} ${unseen}`;
/** As it is to be drawn: what cannot be seen is boxed, and nothing changes the order. */
const drawn = `${markup} payU+202Elap.testU+2066z aU+200BbU+00ADcU+0000d`;

const contact = {
  name: hostile,
  org: hostile,
  street: hostile,
  city: hostile,
  state: hostile,
  postal: hostile,
  country: hostile,
  phone: hostile,
  fax: hostile,
  email: hostile,
};

/** The store keeps what collectors and imports give it. */
const record = {
  registrar: hostile,
  registrant_name: hostile,
  registrant_org: hostile,
  registrant_contact: contact,
  admin_contact: contact,
  technical_contact: contact,
  registrar_status: [hostile],
  website_title: hostile,
  server_type: hostile,
  redirect: hostile,
  soa_email: [hostile],
  spf_info: hostile,
  google_analytics: [hostile],
  parsed_whois: { registrar: hostile, record: `${hostile}\nsecond line\nthird\nfourth` },
  parsed_domain_rdap: { registrar: hostile },
  ssl_info: [
    {
      hash: 'ab',
      subject: hostile,
      organization: hostile,
      common_name: hostile,
      issuer_common_name: hostile,
      alt_names: [hostile],
    },
  ],
  name_server: [{ host: 'ns1.example', domain: hostile }],
  mx: [{ host: hostile, domain: hostile }],
  ip: [{ address: '192.0.2.1', isp: hostile, country_code: 'us' }],
} as unknown as Partial<DomainRecord>;

/** Nodes that we did not make, and text that reverses what is around it. */
async function assertHarmless(page: Page, where: string): Promise<void> {
  const made = await page.evaluate<number>(
    'document.querySelectorAll(\'img[onerror], svg[onload], script:not([src]), iframe, a[href^="javascript:"]\').length',
  );
  assert.equal(made, 0, where);
  const text = await page.evaluate<string>('document.body.innerText');
  assert.doesNotMatch(
    text,
    /[\u202a-\u202e\u2066-\u2069\u200b\u00ad]/,
    `${where}: no unseen character is left`,
  );
}

describe('hostile text', { concurrency: 1 }, () => {
  test('every tab of a domain, Triage, its notes and the monitors draw it as text', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    const { accountId, person } = await app.account();
    const ann = await person('hostile-reader');
    const [first = ''] = await fillWatchlist(app.server, accountId, 2, { record: () => record });
    const later = { domain: first, ...record, registrar: 'Harmless', website_title: `${hostile} changed` };
    await app.server.domains.upsert([
      { record: later, source: hostile.slice(0, 40), seenMs: app.server.clock.now() + 1000 },
    ]);
    const { domains } = (await ann.call('GET /detect/domains?list=new')).json;
    const at = domains.find(({ domain }: { domain: string }) => domain === first).id;
    assert.equal(
      (await ann.call(`POST /detect/domains/${at}/notes`, { body: { text: hostile } })).status,
      200,
    );
    const term = '"><img src=x onerror=alert(1)>';
    await ann.call('POST /monitors', { body: { term, text_exclusions: [markup.slice(0, 28)] } });
    const { page, problems } = await app.open(t, ann, `/ui/triage?at=${at}&card=1`);
    await page.locator('.card .notes li').first().waitFor();
    await assertHarmless(page, 'the card');
    assert.ok((await page.locator('.card .notes').innerText()).includes('payU+202Elap.testU+2066z'));
    for (const tab of ['', '?tab=record', '?tab=history', '?tab=pictures', '?tab=dns', '?tab=risk']) {
      await page.goto(`${app.url}/ui/domain/${first}${tab}`);
      await page.locator('.domain-page').waitFor();
      await page.locator('.skeletons').first().waitFor({ state: 'detached' });
      await page.evaluate("document.querySelectorAll('details').forEach((closed) => (closed.open = true))");
      await assertHarmless(page, tab);
    }
    await page.goto(`${app.url}/ui/domain/${first}?tab=record`);
    const value = page.locator('.record tr', { hasText: 'Web server' }).locator('.value');
    assert.equal(await value.innerText(), drawn);
    await page.goto(`${app.url}/ui/monitors`);
    await page.getByRole('heading', { name: 'Monitors' }).waitFor();
    await page.locator('.monitor-table').waitFor();
    await assertHarmless(page, 'monitors');
    await page.goto(`${app.url}/ui/monitors/new?term=${encodeURIComponent(hostile)}`);
    await page.getByLabel('Term').waitFor();
    await assertHarmless(page, 'the editor');
    await page.goto(`${app.url}/ui/domain/${encodeURIComponent(hostile)}`);
    await page.getByRole('alert').first().waitFor();
    await assertHarmless(page, 'a name that is none');
    assert.deepEqual(
      problems.filter((problem) => !problem.startsWith('Failed to load resource')),
      [],
    );
  });
});
