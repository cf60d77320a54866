import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as fc from 'fast-check';
import { anyCharacter } from '../../harness/arbitraries/any-character.ts';
import { propertyRuns } from '../../harness/property-runs.ts';
import { type Answer } from '../../harness/server/test-server.ts';
import { type DetectFixture, freshAccounts } from './detect-fixture.ts';

const json = { 'content-type': 'application/json' };

type Kind = 'text' | 'flag' | 'texts';

/** The members of each write operation with their types. */
const writes: readonly (readonly [route: string, members: Readonly<Record<string, Kind>>])[] = [
  [
    'POST /v1/intel-detect/monitors/',
    {
      term: 'text',
      match_substring_variations: 'flag',
      nameserver_exclusions: 'texts',
      text_exclusions: 'texts',
    },
  ],
  ['PATCH /v1/intel-detect/domains/', { watchlist_domain_ids: 'texts', state: 'text' }],
  ['POST /v1/intel-detect/escalations/', { watchlist_domain_ids: 'texts', escalation_type: 'text' }],
];

const anything = fc.oneof(
  fc.jsonValue(),
  fc.integer(),
  fc.double(),
  fc.constantFrom(null, true, [], {}, [null], [[]], [{}], { length: 3 }, { toString: 'x' }),
);

function wrongFor(kind: Kind): fc.Arbitrary<unknown> {
  return anything.filter((value) => {
    if (kind === 'text') return typeof value !== 'string';
    if (kind === 'flag') return typeof value !== 'boolean';
    if (typeof value === 'string') return false;
    return !Array.isArray(value) || value.some((item) => typeof item !== 'string');
  });
}

async function snapshot(world: DetectFixture): Promise<string> {
  const answers: Answer[] = [];
  for (const path of [
    'monitors',
    'domains/new',
    'domains/watched',
    'domains/ignored',
    'escalations',
    'own-domains',
  ])
    answers.push(await world.call(`GET /v1/intel-detect/${path}/`));
  return answers.map(({ text }) => text).join('\n');
}

async function listed(fresh: () => Promise<DetectFixture>): Promise<DetectFixture> {
  const world = await fresh();
  await world.monitor('acme');
  await world.discover('acme-a.example');
  await world.patch([await world.discover('acme-b.example')], 'watched');
  return world;
}

const fresh = await freshAccounts({ after });

test('ERR-09 ERR-14 ERR-15 every member of the wrong type, and no other, is named with 422, and nothing changes', async () => {
  const world = await listed(fresh);
  const before = await snapshot(world);
  for (const [route, members] of writes) {
    const wrong = fc.record(
      Object.fromEntries(Object.entries(members).map(([name, kind]) => [name, wrongFor(kind)])),
      { requiredKeys: [] },
    );
    const property = fc.asyncProperty(wrong, async (body) => {
      const required = Object.keys(members).filter(
        (name) => members[name] !== 'flag' && !name.endsWith('_exclusions'),
      );
      const failing = [...new Set([...Object.keys(body), ...required])].sort();
      const {
        status,
        text,
        json: answer,
      } = await world.call(route, { headers: json, body: JSON.stringify(body) });
      assert.equal(status, 422, text);
      assert.deepEqual(Object.keys(answer.error), ['code', 'summary', 'messages']);
      assert.deepEqual(Object.keys(answer.error.messages).sort(), failing);
      for (const messages of Object.values(answer.error.messages))
        assert.ok(
          Array.isArray(messages) && messages.length > 0 && messages.every((one) => typeof one === 'string'),
        );
      assert.match(answer.resources.support, /^https?:/);
    });
    await fc.assert(property, { numRuns: propertyRuns(30) });
  }
  assert.equal(await snapshot(world), before);
});

test('ERR-04 a body that is not JSON returns 400 on every write, and nothing changes', async () => {
  const world = await listed(fresh);
  const before = await snapshot(world);
  const { id } = JSON.parse(before.split('\n')[0] as string).monitors[0];
  for (const route of [...writes.map(([one]) => one), `PUT /v1/intel-detect/monitors/?monitor_id=${id}`]) {
    for (const body of ['{"term":', '{', 'term=acme', "{'state':'watched'}", '\u0000', '{"term":"acme"}}'])
      assert.equal((await world.call(route, { headers: json, body })).status, 400, `${route} ${body}`);
  }
  assert.equal(await snapshot(world), before);
});

const names = [
  'monitor_id',
  'escalation_types[]',
  'tlds[]',
  'risk_score_ranges[]',
  'mx_exists',
  'domain_state',
  'discovered_since',
  'discovered_before',
  'changed_since',
  'changed_before',
  'escalated_since',
  'search',
  'sort[]',
  'order',
  'include_domain_data',
  'include_counts',
  'datetime_counts_since',
  'offset',
  'limit',
  'preview',
  'screenshots',
  'before',
];
const odd = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.constantFrom('', '0', '-1', '1', 'true', '__proto__', "'", '%', '*', '[', '\u0000', '9'.repeat(400)),
  fc.integer().map(String),
);

test('ERR-05 ERR-16 no query makes a list answer anything but 200, 404 for an unknown monitor, or 400 with the parameter named', async () => {
  const world = await listed(fresh);
  const paths = fc.constantFrom(
    'monitors',
    'domains/new',
    'domains/watched',
    'domains/ignored',
    'escalations',
  );
  const pairs = fc.array(fc.tuple(fc.constantFrom(...names), odd), { minLength: 1, maxLength: 4 });
  const seen = new Set<number>();
  const property = fc.asyncProperty(paths, pairs, async (path, sent) => {
    const query = new URLSearchParams(sent).toString();
    const { status, text, json: answer } = await world.call(`GET /v1/intel-detect/${path}/?${query}`);
    seen.add(status);
    assert.ok([200, 400, 404].includes(status), `${status} ${text}`);
    if (status === 404) assert.ok(sent.some(([name]) => name === 'monitor_id'));
    if (status !== 400) return;
    const named = names.map((name) => name.replace('[]', ''));
    assert.ok(
      named.some((name) => answer.error.message.startsWith(`${name}:`)),
      text,
    );
  });
  // Chance alone seldom finds all three statuses.
  const examples: [string, [string, string][]][] = [
    ['domains/ignored', [['limit', '1']]],
    ['domains/new', [['limit', 'x']]],
    ['domains/new', [['monitor_id', 'AAAAAAAAAA']]],
  ];
  await fc.assert(property, { numRuns: propertyRuns(100), examples });
  assert.deepEqual(seen, new Set([200, 400, 404]));
});

test('ERR-16 no body makes a write answer anything but 200, 400, 404 and 422', async () => {
  const world = await listed(fresh);
  const routes = [
    ...writes.map(([route]) => route),
    'PUT /v1/intel-detect/monitors/?monitor_id=AAAAAAAAAA',
    'DELETE /v1/intel-detect/monitors/?monitor_id=AAAAAAAAAA',
    'POST /v1/intel-detect/own-domains/',
  ];
  const member = fc.constantFrom(
    ...writes.flatMap(([, members]) => Object.keys(members)),
    'monitor_id',
    'add',
    'remove',
    '__proto__',
  );
  const values = fc.oneof(
    anything,
    fc.string({ unit: anyCharacter }),
    fc.array(fc.string({ unit: anyCharacter })),
    fc.constantFrom('watched', 'blocked', ['AAAAAAAAAA'], 'acme.example', true),
  );
  const body = fc.dictionary(member, values).map((members) => JSON.stringify(members));
  const property = fc.asyncProperty(fc.constantFrom(...routes), body, async (route, text) => {
    const answer = await world.call(route, { headers: json, body: text });
    const allowed =
      route.includes('own-domains') || route.startsWith('DELETE') ? [200, 400, 404] : [200, 400, 404, 422];
    assert.ok(allowed.includes(answer.status), `${route} ${text} ${answer.status} ${answer.text}`);
  });
  await fc.assert(property, { numRuns: propertyRuns(100) });
});

/** Characters that hide text, reverse it or cannot be seen. */
const hidden = [
  '\u202e',
  '\u202d',
  '\u2066',
  '\u200f',
  '\u061c',
  '\u200b',
  '\u2060',
  '\u00ad',
  '\ufeff',
  '\u2028',
];
const moreHidden = [
  '\u034f',
  '\u115f',
  '\u3164',
  '\u180e',
  '\ufe0f',
  '\u200d',
  '\u{e0041}',
  '\u0007',
  '\ud800',
];

test('MON-24 a term with an invisible or direction-changing character is refused with 422, and the field is named', async () => {
  const world = await fresh();
  for (const character of [...hidden, ...moreHidden]) {
    const { status, json: answer } = await world.call('POST /v1/intel-detect/monitors/', {
      body: { term: `acme${character}bank` },
    });
    assert.equal(status, 422, JSON.stringify(character));
    assert.deepEqual(answer.error.messages, {
      term: ['must not contain control, invisible or direction-changing characters'],
    });
  }
  for (const term of ['می‌خواهم', 'acmé', '日本語', '⚠️ acme', 'क्‍ष bank']) await world.monitor(term);
});

test('MON-24 an exclusion with an invisible or direction-changing character is refused with 422, and the field is named', async () => {
  const world = await fresh();
  for (const field of ['text_exclusions', 'nameserver_exclusions']) {
    const { status, json: answer } = await world.call('POST /v1/intel-detect/monitors/', {
      body: { term: 'acme', [field]: ['good', 'ba\u202ed'] },
    });
    assert.deepEqual([status, Object.keys(answer.error.messages)], [422, [field]]);
  }
});
