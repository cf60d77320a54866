import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type DetectFixture, freshAccounts } from './detect-fixture.ts';

const parameters = [
  'datetime_counts_since',
  'discovered_since',
  'discovered_before',
  'changed_since',
  'changed_before',
  'escalated_since',
] as const;
type Parameter = (typeof parameters)[number];

function listWith(world: DetectFixture, name: Parameter, text: string) {
  const value = encodeURIComponent(text);
  return name === 'datetime_counts_since'
    ? world.call(`GET /v1/intel-detect/monitors/?include_counts=1&${name}=${value}`)
    : world.call(`GET /v1/intel-detect/domains/watched/?${name}=${value}`);
}

/** A domain that was discovered, changed and escalated at the same instant. */
async function happened(fresh: () => Promise<DetectFixture>, at: string): Promise<DetectFixture> {
  const world = await fresh();
  await world.monitor('acme');
  world.server.clock.set(at);
  const id = await world.discover('acme-then.example', { at });
  await world.escalate([id], 'blocked');
  await world.applyChange('acme-then.example', {}, at);
  return world;
}

/** Whether the response includes the event. */
async function counts(world: DetectFixture, name: Parameter, text: string): Promise<boolean> {
  const { status, json } = await listWith(world, name, text);
  assert.equal(status, 200, `${name}=${text}`);
  if (name !== 'datetime_counts_since') return json.total_count === 1;
  const [{ domain_counts }] = json.monitors;
  assert.equal(domain_counts.escalated, domain_counts.changed);
  return domain_counts.escalated === 1;
}

/**
 * Asserts that the text denotes exactly this instant: an event at it matches `since` and not `before`, to the
 * millisecond.
 */
async function assertMeans(fresh: () => Promise<DetectFixture>, text: string, at: string): Promise<void> {
  const atMs = Date.parse(at);
  const instants = [-1, 0, 1].map((aside) => new Date(atMs + aside).toISOString());
  for (const [index, instant] of instants.entries()) {
    const world = await happened(fresh, instant);
    for (const name of parameters) {
      const expected = name.endsWith('_before') ? index < 1 : index >= 1;
      assert.equal(await counts(world, name, text), expected, `${name}=${text}, at ${instant}`);
    }
  }
}

const fresh = await freshAccounts({ after });

test('TIME-01 TIME-11 an ISO 8601 time that ends in Z is accepted in each of the six parameters', () =>
  assertMeans(fresh, '2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z'));

test('TIME-02 a numeric offset denotes the same instant, also where the plus sign was decoded as a space', async () => {
  await assertMeans(fresh, '2026-01-02T05:04:05+02:00', '2026-01-02T03:04:05Z');
  await assertMeans(fresh, '2026-01-02T05:04:05 02:00', '2026-01-02T03:04:05Z');
});

test('TIME-03 TIME-09 TIME-11 a negative integer is that many seconds before the request, also beyond five days', async () => {
  for (const seconds of [1, 3600, 432_001, 31_536_000]) {
    const world = await happened(fresh, '2026-01-02T03:04:05Z');
    world.server.clock.advanceSeconds(seconds);
    for (const name of parameters) {
      const isBefore = name.endsWith('_before');
      assert.equal(await counts(world, name, `-${seconds}`), !isBefore, `${name}=-${seconds}`);
      assert.equal(await counts(world, name, `-${seconds - 1 || 2}`), seconds === 1 ? !isBefore : isBefore);
    }
  }
});

test('TIME-04 a time without a zone is Pacific time: in January 03:04:05 is 11:04:05 UTC', () =>
  assertMeans(fresh, '2026-01-02T03:04:05', '2026-01-02T11:04:05Z'));

test('TIME-05 a time without a zone follows daylight saving: in July 03:04:05 is 10:04:05 UTC', () =>
  assertMeans(fresh, '2026-07-02T03:04:05', '2026-07-02T10:04:05Z'));

test('TIME-06 a repeated hour means the first one, and a skipped hour uses the offset before the change', async () => {
  await assertMeans(fresh, '2026-11-01T01:30:00', '2026-11-01T08:30:00Z');
  await assertMeans(fresh, '2026-03-08T02:30:00', '2026-03-08T10:30:00Z');
});

test('TIME-07 a date alone is midnight Pacific time', () =>
  assertMeans(fresh, '2026-01-02', '2026-01-02T08:00:00Z'));

test('TIME-08 a space is accepted instead of T, and a fraction of one to six digits', async () => {
  await assertMeans(fresh, '2026-01-02 03:04:05+00:00', '2026-01-02T03:04:05Z');
  await assertMeans(fresh, '2026-01-02 03:04:05.5Z', '2026-01-02T03:04:05.500Z');
  await assertMeans(fresh, '2026-01-02 03:04:05.123456', '2026-01-02T11:04:05.123Z');
});

test('TIME-10 zero, a positive integer, an impossible date and other text return 400 and name the parameter', async () => {
  const world = await fresh();
  const wrong = [
    '0',
    '-0',
    '-00',
    '1',
    '3600',
    '+60',
    '',
    ' ',
    '-',
    '-1.5',
    '-1e3',
    'yesterday',
    'null',
    '2026-02-30',
  ];
  const more = [
    '2026-13-01',
    '2026-01-02T25:00:00Z',
    '2026-01-02T03:04:05+99:00',
    '02/01/2026',
    '1767323045',
    '-9'.repeat(20),
  ];
  for (const name of parameters) {
    for (const text of [...wrong, ...more]) {
      const { status, json } = await listWith(world, name, text);
      assert.equal(status, 400, `${name}=${text}`);
      assert.ok(json.error.message.startsWith(`${name}:`), json.error.message);
    }
    const list = name === 'datetime_counts_since' ? 'monitors' : 'domains/watched';
    const twice = await world.call(`GET /v1/intel-detect/${list}/?${name}=-5&${name}=-6`);
    assert.equal(twice.status, 400);
  }
});

test('TIME-12 every time in a response has six decimals and the offset +00:00', async () => {
  const world = await happened(fresh, '2026-01-02T03:04:05.678Z');
  const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/;
  const [item] = (await world.list('watched')).watchlist_domains;
  const { json: patched } = await world.patch([item.id], 'ignored');
  const monitor = await world.monitor('bolt');
  const { json: escalated } = await world.call('GET /v1/intel-detect/escalations/');
  const times = [
    item.discovered_date,
    item.changed_date,
    item.assigned_date,
    item.escalations[0].created,
    patched.watchlist_domains[0].discovered_date,
    patched.watchlist_domains[0].changed_date,
    patched.watchlist_domains[0].assigned_date,
    monitor.created_date,
    monitor.updated_date,
    escalated.escalations[0].created_date,
    escalated.escalations[0].updated_date,
  ];
  for (const time of times) assert.match(time, form);
  assert.equal(item.discovered_date, '2026-01-02T03:04:05.678000+00:00');
});
