import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Fields, investigateFixture } from './investigate-fixture.ts';

const world = await investigateFixture({ after });
const of = (day: string, create: string | undefined, score: number | undefined): Fields => ({
  first_seen: `${day}T00:00:00.000Z`,
  ...(score === undefined ? {} : { domain_risk: { risk_score: score, components: [] } }),
  parsed_whois: { registrar: 'Many', ...(create === undefined ? {} : { create_date: create }) },
});
await world.store({
  'b.example': of('2026-03-01', '2026-01-02', 50),
  'a.example': of('2026-03-01', '2026-01-03', 50),
  'd.example': of('2026-03-03', '2026-01-01', 9),
  'c.example': of('2026-02-28', '2026-01-02', 100),
});
const order = async (query: string) =>
  (await world.names(`registrar=many&${query}`)).map((name) => name[0]).join('');

test('INV-S13 INV-S14 the default order is first seen, newest first, ties by name', async () => {
  assert.equal(await order(''), 'dabc');
  assert.equal(await order('sort_by=first_seen_since'), 'dabc');
});
test('INV-S15 sort by creation date, newest first', async () => {
  assert.equal(await order('sort_by=create_date'), 'abcd');
});
test('INV-S16 sort by name', async () => assert.equal(await order('sort_by=domain'), 'abcd'));
test('INV-S17 sort by score, lowest first', async () => {
  assert.equal(await order('sort_by=risk_score'), 'dabc');
});
test('INV-S18 INV-S19 each sort works in both directions', async () => {
  for (const [by, ascending, descending] of [
    ['first_seen_since', 'cabd', 'dabc'],
    ['create_date', 'dbca', 'abcd'],
    ['domain', 'abcd', 'dcba'],
    ['risk_score', 'dabc', 'cabd'],
  ]) {
    assert.equal(await order(`sort_by=${by}&sort_direction=asc`), ascending, by);
    assert.equal(await order(`sort_by=${by}&sort_direction=dsc`), descending, by);
  }
  assert.equal(await order('sort_direction=asc'), 'cabd');
});
test('INV-S20 an unknown order or direction returns 400', async () => {
  for (const by of ['name', '', 'DOMAIN', 'domain,risk_score'])
    assert.match(await world.errorMessage({ registrar: 'x', sort_by: by }), /sort_by: /);
  for (const direction of ['desc', 'up', '']) {
    const message = await world.errorMessage({ registrar: 'x', sort_direction: direction });
    assert.match(message, /sort_direction: must be one of asc, dsc/);
  }
});
