/** Bodies of webhooks for other services: nothing that third parties wrote is markup, a mention or a link, and every limit holds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { AlertMessage } from '../../../../src/model/detect/alert/message.ts';
import type { WebhookFormat } from '../../../../src/model/detect/alert/receiver.ts';
import { writeWebhookBody } from '../../../../src/model/detect/alert/webhook-body.ts';
import type { WatchlistEvent } from '../../../../src/model/detect/watchlist.ts';
import { hostileMessage } from './hostile-events.ts';

const runs = { numRuns: 60 };
const bodyOf = (format: WebhookFormat, message: AlertMessage) => writeWebhookBody(format, message, {});
const code = /`[^`\n]*`/g;
/** What programs make links of. */
const linkable = /[a-z][a-z0-9+.-]*:\/\/|[\p{L}\p{N}_-]\.[\p{L}\p{N}_-]/iu;
const title = '(?:Lookalike found|Watched domain changed|Domain escalated|Full risk score)';

/** Every text in a JSON value. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

const discovered: WatchlistEvent = {
  id: 41,
  kind: 'discovered',
  atMs: Date.parse('2026-03-04T10:11:12Z'),
  domain: 'xn--cme-5cd.example',
  domainId: 'Zb81kQ0xTa',
  monitorIds: ['m1'],
  detail: {},
};
const message: AlertMessage = {
  subscriptionId: 'kT7bQ2mXzA',
  deliveryId: 'kT7bQ2mXzA.41-41',
  events: [discovered],
  atMs: discovered.atMs,
  terms: new Map([['m1', 'acme']]),
  webUrl: 'https://names.example',
};

test('an event in Slack has its title, its name as code, its time and the term that it resembles', () => {
  const { blocks } = JSON.parse(bodyOf('slack', message).body);
  assert.deepEqual(blocks, [
    { type: 'header', text: { type: 'plain_text', text: 'Nameglass: 1 event', emoji: false } },
    {
      type: 'section',
      text: {
        type: 'mrkdwn',
        verbatim: true,
        text: '*Lookalike found* `аcme[.]example (xn--cme-5cd[.]example)`\n2026-03-04 10:11 UTC: `resembles acme`',
      },
    },
    {
      type: 'section',
      text: { type: 'mrkdwn', verbatim: true, text: '<https://names.example/ui/triage|Open Nameglass>' },
    },
  ]);
});

test('in Slack, what third parties wrote is code without brackets, and nothing else is there', () => {
  const outside = new RegExp(`^\\*${title}\\* \\n\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC(?:: )?$`);
  fc.assert(
    fc.property(hostileMessage, (hostile) => {
      const { body, count } = bodyOf('slack', { ...hostile, webUrl: undefined });
      const { blocks } = JSON.parse(body);
      assert.equal(blocks.length, count + 1);
      for (const { text } of blocks.slice(1)) {
        assert.match(text.text.replaceAll(code, ''), outside);
        assert.doesNotMatch(text.text, /[<>]|&(?!amp;|lt;|gt;)/);
        assert.doesNotMatch(text.text, linkable);
        assert.ok(text.text.length <= 3000, String(text.text.length));
      }
    }),
    runs,
  );
});

test('in Mattermost, what third parties wrote is code on the line of its event', () => {
  const line = new RegExp(`^- \\*\\*${title}\\*\\* , \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC(?:: )?$`);
  fc.assert(
    fc.property(hostileMessage, (hostile) => {
      const { body, count } = bodyOf('mattermost', { ...hostile, webUrl: undefined });
      const [head, ...lines] = JSON.parse(body).text.split('\n');
      assert.match(head, /^\*\*Nameglass: \d+ events?\*\*$/);
      assert.equal(lines.length, count);
      for (const one of lines) assert.match(one.replaceAll(code, ''), line);
      assert.doesNotMatch(lines.join(' '), linkable);
    }),
    runs,
  );
});

test('in Teams, what third parties wrote is only in runs of text, without tags and links', () => {
  fc.assert(
    fc.property(hostileMessage, (hostile) => {
      const { body, count } = bodyOf('teams', { ...hostile, webUrl: undefined });
      const [head, ...blocks] = JSON.parse(body).attachments[0].content.body;
      assert.match(head.text, /^Nameglass: \d+ events?$/);
      assert.equal(blocks.length, count);
      for (const { type, inlines } of blocks) {
        assert.equal(type, 'RichTextBlock');
        for (const inline of inlines) {
          assert.equal(inline.type, 'TextRun');
          assert.doesNotMatch(inline.text, /[<>]/);
          assert.doesNotMatch(inline.text, linkable);
        }
      }
    }),
    runs,
  );
});

test('for Splunk each event is one object on one line, whatever is in it', () => {
  fc.assert(
    fc.property(hostileMessage, (hostile) => {
      const { body, count } = writeWebhookBody('splunk', hostile, { index: 'main', sourcetype: 'x:y' });
      const objects = body.split('\n').map((line) => JSON.parse(line));
      assert.deepEqual(
        objects.map(({ time, index, sourcetype, event }) => [time, index, sourcetype, event.id, event.event]),
        hostile.events.slice(0, count).map(({ id, kind, atMs }) => [atMs / 1000, 'main', 'x:y', id, kind]),
      );
    }),
    runs,
  );
});

test('every body is within the limits of its service, and events that do not fit are left for the next one', () => {
  const limits = { slack: 100_000, teams: 28_000, mattermost: 16_383, splunk: 1_000_000 } as const;
  fc.assert(
    fc.property(hostileMessage, fc.constantFrom(...Object.keys(limits)), (hostile, name) => {
      const format = name as keyof typeof limits;
      const events = Array.from({ length: 100 }, (_, at) => hostile.events[at % hostile.events.length]);
      const { body, count } = bodyOf(format, { ...hostile, events: events as WatchlistEvent[] });
      assert.ok(Buffer.byteLength(body) <= limits[format], `${format} ${Buffer.byteLength(body)}`);
      assert.ok(count >= 1 && count <= 100);
    }),
    { numRuns: 20 },
  );
});

test('no body has characters that are not seen', () => {
  fc.assert(
    fc.property(hostileMessage, fc.constantFrom('slack', 'teams', 'mattermost'), (hostile, format) => {
      const texts = textsOf(JSON.parse(bodyOf(format, hostile).body))
        .join('')
        .replaceAll('\n', '');
      assert.doesNotMatch(texts, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
    }),
    runs,
  );
});

test('a test says that it is one', () => {
  const sentence = 'This is a test of an alert of Nameglass.';
  for (const format of ['slack', 'teams', 'mattermost', 'splunk'] as const)
    assert.ok(bodyOf(format, { ...message, events: [] }).body.includes(sentence), format);
  assert.equal(JSON.parse(bodyOf('nameglass', { ...message, events: [] }).body).test, true);
});
