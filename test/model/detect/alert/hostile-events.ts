/** Events whose every text tries to be something else for the programs that show or parse it. */
import * as fc from 'fast-check';
import type { AlertMessage } from '../../../../src/model/detect/alert/message.ts';
import { eventKinds, type WatchlistEvent } from '../../../../src/model/detect/watchlist.ts';
import { anyCharacter } from '../../../harness/arbitraries/any-character.ts';

const tricks = [
  '<!channel>',
  '<!here|x>',
  '<@U012AB3CD>',
  '<https://evil.example|your bank>',
  '@all @channel @here',
  '[click](https://evil.example/login)',
  '![x](https://evil.example/x.png)',
  '`end of code` <!channel>',
  '```',
  '<at>everybody</at>',
  'www.evil.example evil.example',
  'javascript:alert(1)',
  '\n<134>1 2026-01-01T00:00:00Z forged - - - - forged',
  '\r\nCEF:0|a|b|c|d|e|10|act=forged',
  'x|y|z=1 act=forged cs1=forged',
  '\\|\\=\\',
  '"] [forged@1 a="b"]',
  '\u0000\u001b[31m\u009b\u202egro\u2066\u200b\ufeff',
  '\ud800',
  '"}}\n{"event":"forged"}',
  '~town-square #hash :smile:',
  'ä😀中',
];

const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...tricks), fc.string({ unit: anyCharacter, maxLength: 30 })), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join(''));

const megabytes = ['a', '=|\\"]', 'ä', '😀', '<!channel>\n'].map((part) => part.repeat(1e6 / part.length));

const title = fc.oneof(
  { weight: 9, arbitrary: hostileText },
  { weight: 1, arbitrary: fc.constantFrom(...megabytes) },
);

const hostileEvent: fc.Arbitrary<WatchlistEvent> = fc.record({
  id: fc.integer({ min: 1, max: 2 ** 40 }),
  kind: fc.constantFrom(...eventKinds),
  atMs: fc.integer({ min: 0, max: 4e12 }),
  domain: hostileText,
  domainId: hostileText,
  monitorIds: fc.constantFrom([], ['m1'], ['m1', 'm2']),
  detail: fc.oneof(
    fc.constant({}),
    fc.record({ title, fields: fc.array(hostileText, { maxLength: 30 }) }),
    fc.record({ riskScore: fc.integer({ min: 0, max: 100 }), type: hostileText }),
  ),
});

export const hostileMessage: fc.Arbitrary<AlertMessage> = fc.record({
  subscriptionId: fc.constant('kT7bQ2mXzA'),
  deliveryId: fc.constant('kT7bQ2mXzA.1-2'),
  events: fc.array(hostileEvent, { minLength: 1, maxLength: 12 }),
  atMs: fc.constant(1_772_618_400_000),
  terms: hostileText.map((term) => new Map([['m1', term]])),
  webUrl: fc.constantFrom(undefined, 'https://names.example'),
});
