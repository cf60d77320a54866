/** Pages of a TAXII collection while its list changes: a client has everything, and nothing twice. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { facts } from '../../harness/fixtures/watch-domains.ts';
import { sharedServers } from '../../harness/server/shared-servers.ts';
import { objectListFaults } from '../../product/export/stix-rules.ts';
import type { StixObject } from './taxii-client.ts';
import { type TaxiiFixture, taxiiFixture } from './taxii-fixture.ts';

const sharedServer = sharedServers();

const names = Array.from({ length: 6 }, (_, index) => `acme${index}.example`);
const oneName = fc.constantFrom(...names);

type Step = (fixture: TaxiiFixture, decisions: (string | undefined)[]) => Promise<unknown>;

/** A domain that is not on the list cannot be decided about. */
const ifListed = async (fixture: TaxiiFixture, name: string, act: () => Promise<unknown>) =>
  (await fixture.server.watchlist.findDomainNamed(fixture.accountId, name)) && act();

const steps: fc.Arbitrary<Step> = fc.oneof(
  oneName.map(
    (name): Step =>
      ({ find }) =>
        find([name]),
  ),
  fc.tuple(oneName, fc.constantFrom('watched', 'ignored', 'blocked')).map(
    ([name, target]): Step =>
      (fixture, decisions) =>
        ifListed(fixture, name, async () => decisions.push(await fixture.decide(target, [name]))),
  ),
  fc.constant<Step>(({ undo }, decisions) => undo(decisions.pop())),
  oneName.map(
    (name): Step =>
      ({ allow }) =>
        allow([name]),
  ),
  fc.constantFrom(...names, 'example').map(
    (name): Step =>
      ({ allow }) =>
        allow([], [name]),
  ),
  fc.tuple(oneName, fc.nat({ max: 3 }), fc.nat({ max: 100 })).map(
    ([domain, host, riskScore]): Step =>
      async ({ server }) => {
        const from = await server.watchlist.recordChangesCheckpoint();
        const shared = {
          registrar: '',
          ip: [`192.0.2.${host}`],
          country: [],
          certificate: [],
          analytics: [],
        };
        const change = { domain, facts: { ...facts, riskScore, shared }, changed: undefined };
        await server.watchlist.applyRecordChanges(
          [change],
          { from, to: String(Number(from) + 1) },
          server.clock.now(),
        );
      },
  ),
  fc.nat({ max: 2 }).map(
    (seconds): Step =>
      async ({ server }) =>
        server.clock.advanceSeconds(seconds),
  ),
);

/** The names that a client that has read these takes for members, by the latest version of each indicator. */
function believed(objects: readonly StixObject[]): readonly string[] {
  const latest = new Map<string, StixObject>();
  for (const object of objects) {
    const known = latest.get(object.id);
    if (!known || (known.modified ?? '') < (object.modified ?? '')) latest.set(object.id, object);
  }
  return [...latest.values()]
    .filter(({ type, revoked }) => type === 'indicator' && !revoked)
    .map(({ name }) => String(name))
    .sort();
}

async function listed({ server, accountId }: TaxiiFixture, list: string): Promise<readonly string[]> {
  if (list === 'blocked') {
    const blocked = await server.escalations.listBlockedDomains(accountId, '', 1000);
    const allowed = await server.blocklists.listAllowed(accountId);
    return blocked
      .map(({ domain }) => domain)
      .filter((domain) => !allowed.some(({ name }) => name === domain));
  }
  const query = { sort: [], descending: false, offset: 0, limit: 1000 };
  const page = await server.watchlist.listDomains(accountId, { ...query, state: 'watched' });
  return page === 'unknown-monitor' ? [] : page.domains.map(({ domain }) => domain).sort();
}

const runs = Number(process.env['PROPERTY_RUNS'] ?? 25);

for (const list of ['blocked', 'watched']) {
  for (const by of ['next', 'added_after']) {
    test(`a client that pages the collection ${list} by ${by} gets every version once while the list changes`, async () => {
      const server = await sharedServer();
      await fc.assert(
        fc.asyncProperty(
          fc.array(steps, { minLength: 5, maxLength: 30 }),
          fc.integer({ min: 1, max: 5 }),
          async (changes, limit) => {
            const fixture = await taxiiFixture(server);
            await fixture.find(names.slice(0, 4));
            const decisions: (string | undefined)[] = [];
            const pending = [...changes];
            const change = async () => void (await pending.shift()?.(fixture, decisions));
            const objects: StixObject[] = [];
            let last: string | undefined;
            for (let quiet = false; !quiet; ) {
              quiet = pending.length === 0;
              const from = { limit: String(limit), ...(last === undefined ? {} : { added_after: last }) };
              if (by === 'next') {
                const read = await fixture.client.readAll(list, from, change);
                objects.push(...read.objects);
                last = read.last;
              } else {
                const page = await fixture.client.page(list, from);
                objects.push(...page.items);
                last = page.last ?? last;
                quiet &&= !page.more;
              }
              await change();
            }
            // Also that no version is there twice.
            assert.deepEqual(
              objectListFaults(objects.filter(({ modified }) => modified)).filter(isAboutVersions),
              [],
            );
            const observables = objects.filter(({ modified }) => modified === undefined).map(({ id }) => id);
            assert.deepEqual(observables, [...new Set(observables)]);
            assert.deepEqual(believed(objects), await listed(fixture, list));
            const { objects: whole } = await fixture.client.readAll(list);
            assert.deepEqual(objectListFaults(whole), []);
            assert.deepEqual(believed(whole), believed(objects));
          },
        ),
        { numRuns: runs },
      );
    });
  }
}

const isAboutVersions = (fault: string) => !fault.includes('is not among the objects');

test('a long list becomes a collection page by page, and each page is full', async () => {
  const { client, find } = await taxiiFixture(await sharedServer());
  const many = Array.from({ length: 1500 }, (_, index) => `acme-${index}.example`);
  await find(many);
  const sizes: number[] = [];
  const ids = new Set<string>();
  for (let next: string | undefined, more = true; more; ) {
    const page = await client.page('lookalikes-new', {
      limit: '700',
      ...(next === undefined ? {} : { next }),
    });
    sizes.push(page.items.length);
    for (const { id } of page.items) ids.add(id);
    ({ more, next } = page);
  }
  assert.equal(ids.size, 2 + 4 * many.length);
  assert.deepEqual(new Set(sizes.slice(0, -1)), new Set([700]));
});
