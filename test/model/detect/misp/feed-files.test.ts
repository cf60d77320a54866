/** Files of a MISP feed: our own reader reads back what was written, and what has not changed keeps its bytes. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { readManifest, scanEventNames } from '../../../../src/collect/reputation-lists/misp/feed-files.ts';
import type { MembershipPeriod } from '../../../../src/model/detect/blocklist/selection.ts';
import { type FeedEvent, FeedEvents, type FeedOwner } from '../../../../src/model/detect/misp/feed-event.ts';
import { eventFile, hashesFile, manifestFile } from '../../../../src/model/detect/misp/feed-files.ts';

const owner: FeedOwner = { id: 'a1', name: 'Acme "Ltd"', selection: 'blocked', tlp: 'amber' };
const dayStart = Date.parse('2026-03-04T00:00:00Z') / 1000;

function eventsOf(periods: readonly MembershipPeriod[]): ReadonlyMap<string, FeedEvent> {
  const sorted = periods.toSorted((one, other) =>
    one.name === other.name ? one.added - other.added : one.name < other.name ? -1 : 1,
  );
  const events = new FeedEvents(owner);
  for (const period of sorted) events.add(period);
  return events.byUuid();
}

const textOf = (parts: Iterable<string>) => [...parts].join('');

async function* inChunks(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
}

/** As a client reads the feed: the manifest first, then each event. */
async function readFeed(events: ReadonlyMap<string, FeedEvent>): Promise<readonly string[]> {
  const names: string[] = [];
  for (const uuid of (await readManifest(inChunks(textOf(manifestFile(events.values(), owner))))).keys()) {
    const event = events.get(uuid);
    assert.ok(event, uuid);
    for await (const found of scanEventNames(inChunks(textOf(eventFile(event, owner))))) names.push(...found);
  }
  return names.toSorted();
}

const period: fc.Arbitrary<MembershipPeriod> = fc
  .record({
    number: fc.nat(30),
    at: fc.nat(4 * 86_400),
    lasts: fc.option(fc.integer({ min: 1, max: 86_400 })),
    source: fc.constantFrom('blocked' as const, 'new' as const, 'tagged' as const),
    riskScore: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
    terms: fc.array(fc.constantFrom('acme', 'über "x"', '</script>\n\u202e,"]}'), { maxLength: 2 }),
    tag: fc.option(fc.constantFrom('hot', '{"Event":{}}'), { nil: undefined }),
  })
  .map(({ number, at, lasts, source, riskScore, terms, tag }) => ({
    name: `acme${number}.example`,
    added: dayStart + at,
    removed: lasts === null ? undefined : dayStart + at + lasts,
    reason: { source, riskScore, terms, ...(tag === undefined ? {} : { tag }) },
  }));

/** A name is blocked once at a time. */
const history = fc.array(period, { maxLength: 40 }).map((periods) =>
  periods.filter(({ name, removed }, at) => {
    const others = periods.filter((other, index) => index !== at && other.name === name);
    return (
      others.length === 0 ||
      (removed !== undefined && at === periods.findLastIndex((one) => one.name === name))
    );
  }),
);

test('a feed has exactly the names that are blocked now, for our own reader', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (periods) => {
      const blocked = periods.flatMap(({ name, removed }) => (removed === undefined ? [name] : []));
      assert.deepEqual(await readFeed(eventsOf(periods)), blocked.toSorted());
    }),
    { numRuns: 100 },
  );
});

test('hashes are those of the names that are blocked, each with the event that has it', () => {
  fc.assert(
    fc.property(history, (periods) => {
      const events = eventsOf(periods);
      const lines = textOf(hashesFile(events.values())).split('\n').slice(0, -1);
      const expected = [...events.values()].flatMap(({ uuid, periods: members }) =>
        members
          .filter(({ removed }) => removed === undefined)
          .map(({ name }) => `${createHash('md5').update(name).digest('hex')},${uuid}`),
      );
      assert.deepEqual(lines, expected);
    }),
    { numRuns: 50 },
  );
});

test('a name that is added or removed changes one event, whose timestamp rises, and no other', () => {
  const files = (periods: readonly MembershipPeriod[]) =>
    new Map([...eventsOf(periods)].map(([uuid, event]) => [uuid, textOf(eventFile(event, owner))]));
  fc.assert(
    fc.property(
      history.filter((periods) => periods.length > 0),
      fc.boolean(),
      (periods, adds) => {
        const [first] = periods as [MembershipPeriod];
        // Every change of a list has a later serial than all before it.
        const later = 1 + Math.max(...periods.map(({ added, removed = 0 }) => Math.max(added, removed)));
        const after = adds
          ? [...periods, { ...first, name: 'zzz.example', added: later, removed: undefined }]
          : [{ ...first, removed: later }, ...periods.slice(1)];
        const [before, now] = [files(periods), files(after)];
        const changed = [...now].filter(([uuid, text]) => before.get(uuid) !== text).map(([uuid]) => uuid);
        assert.equal(changed.length, 1);
        const timestampOf = (text: string | undefined) =>
          Number(JSON.parse(text ?? '{"Event":{}}').Event.timestamp ?? 0);
        const [uuid = ''] = changed;
        assert.ok(timestampOf(now.get(uuid)) > timestampOf(before.get(uuid)));
        assert.equal(now.size - before.size, before.has(uuid) ? 0 : 1);
      },
    ),
    { numRuns: 50 },
  );
});

test('an event has the members that MISP needs, and a name that left the list is deleted', () => {
  const reason = { source: 'blocked', riskScore: 88, terms: ['acme'] } as const;
  const periods = [
    { name: 'acme-a.example', added: dayStart + 60, removed: undefined, reason },
    {
      name: 'acme-b.example',
      added: dayStart + 61,
      removed: dayStart + 99,
      reason: { source: 'blocked' as const, terms: ['acme'] },
    },
  ];
  const [[uuid, event] = []] = eventsOf(periods);
  assert.ok(event && uuid);
  const { Event } = JSON.parse(textOf(eventFile(event, owner)));
  const head = {
    info: 'Nameglass, list blocked: domains resembling acme, 2026-03-04',
    Orgc: { uuid: Event.Orgc.uuid as string, name: 'Acme "Ltd"' },
    analysis: '2',
    Tag: [{ name: 'tlp:amber', colour: '#ffc000' }],
    timestamp: String(dayStart + 99),
    date: '2026-03-04',
    threat_level_id: '1',
  };
  const { Attribute, ...members } = Event;
  assert.deepEqual(members, {
    uuid,
    ...head,
    published: true,
    publish_timestamp: String(dayStart + 99),
    extends_uuid: '',
  });
  assert.deepEqual(
    Attribute.map((one: object) => ({ ...one, uuid: undefined })),
    [
      {
        uuid: undefined,
        category: 'Network activity',
        type: 'domain',
        value: 'acme-a.example',
        to_ids: true,
        comment: 'blocked; resembles acme; risk 88',
        timestamp: String(dayStart + 60),
        deleted: false,
        disable_correlation: false,
      },
      {
        uuid: undefined,
        category: 'Network activity',
        type: 'domain',
        value: 'acme-b.example',
        to_ids: false,
        comment: 'blocked; resembles acme',
        timestamp: String(dayStart + 99),
        deleted: true,
        disable_correlation: false,
      },
    ],
  );
  assert.deepEqual(JSON.parse(textOf(manifestFile([event], owner))), { [uuid]: head });
  const uuids = [uuid, Event.Orgc.uuid, ...Attribute.map((one: { uuid: string }) => one.uuid)];
  for (const one of uuids)
    assert.match(one, /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(new Set(uuids).size, uuids.length);
});

test('a feed without names is an empty manifest', () => {
  assert.equal(textOf(manifestFile([], owner)), '{}\n');
  assert.equal(textOf(hashesFile([])), '');
});
