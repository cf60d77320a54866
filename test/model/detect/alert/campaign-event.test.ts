/** How receivers read that a lookalike joined a campaign. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarizeEvent } from '../../../../src/model/detect/alert/event-summary.ts';
import { severityOf } from '../../../../src/model/detect/alert/syslog/severity.ts';
import { writeDigest } from '../../../../src/model/detect/digest.ts';
import { eventJson } from '../../../../src/model/detect/event-json.ts';
import type { WatchlistEvent } from '../../../../src/model/detect/watchlist.ts';

const terms = new Map([['m1', 'acme']]);
const event: WatchlistEvent = {
  id: 7,
  kind: 'campaign-joined',
  atMs: Date.parse('2026-03-04T10:11:12Z'),
  domainId: 'd1',
  domain: 'acm3.example',
  monitorIds: ['m1'],
  detail: { campaign: 'Spring', links: ['ip 192.0.2.1', 'registrant x@mail.example'], campaignId: 'c1' },
};

test('a message names the campaign and what links the domain, defanged', () => {
  const { title, about } = summarizeEvent(event, { terms });
  assert.equal(title, 'A lookalike joined a campaign that you follow');
  assert.match(
    about,
    /campaign: Spring;.*links: ip 192\[\.\]0\[\.\]2\[\.\]1, registrant x\[@\]mail\[\.\]example/,
  );
});

test('a webhook gets the name and id of the campaign, and the links', () => {
  const { campaign, campaign_id, links } = eventJson(event) as Record<string, unknown>;
  assert.deepEqual([campaign, campaign_id, links], ['Spring', 'c1', event.detail['links']]);
});

test('a digest has a section of its own for them', () => {
  const { subject, text } = writeDigest({
    events: [event],
    counts: new Map([['campaign-joined', 1]]),
    terms,
  });
  assert.equal(subject, 'Nameglass: 1 that joined a campaign');
  assert.match(text, /^Domains that joined a campaign\n.*acm3\[\.\]example {2}acme, Spring, ip 192/);
});

test('it is more serious than a discovery and less than an escalation', () => {
  assert.equal(severityOf(event), 7);
});
