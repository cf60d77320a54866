import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { riskSource } from '../../../src/model/risk/domain-risk.ts';
import { ScoringTally } from '../../../src/pipeline/scoring/scoring-counts.ts';
import { scoringStages } from '../../../src/pipeline/scoring/scoring-stages.ts';
import { startScoring } from '../../../src/pipeline/scoring/start-scoring.ts';
import type { DomainStore, RecordUpdate } from '../../../src/store/domain-store.ts';
import { logStart } from '../../../src/store/paging/log-position.ts';
import {
  addToList,
  componentOf,
  crewRecord,
  recordDiscovery,
  riskOf,
  scoreAll,
  scoringWorld,
  writeRecord,
} from '../../harness/fixtures/scoring-fixture.ts';

const world = scoringWorld();
const { clock } = world;
const day = 86_400;

async function updatesOf(domain: string, source: string) {
  const updates = [];
  for (let after = logStart; ; ) {
    const page = await world.domains.listUpdates(after, 500);
    const last = page.at(-1);
    if (!last) return updates;
    updates.push(...page.filter((update) => update.domain === domain && update.source === source));
    after = last.position;
  }
}

test('a discovered domain gets a provisional score immediately, and a record if it had none', async () => {
  const seen = new Date(clock.now()).toISOString();
  await recordDiscovery(world, 'harborquilt.com', 'secure-paypal-login.top');
  const { scored, provisional, full, changed } = await scoreAll(world);
  assert.deepEqual(
    { scored, provisional, full, changed },
    { scored: 2, provisional: 2, full: 0, changed: 2 },
  );
  const [record] = await world.domains.findRecords(['secure-paypal-login.top']);
  assert.deepEqual(
    record?.domain_risk?.components.map(({ name }) => name),
    ['proximity', 'threat_profile', 'threat_profile_phishing'],
  );
  assert.deepEqual([record?.active, record?.first_seen], [true, seen]);
});

test('RISK-04 a score is full 24 hours after the discovery and not before, however often it is computed', async () => {
  await recordDiscovery(world, 'lanternfield.com');
  await scoreAll(world);
  clock.advanceSeconds(day - 1);
  await writeRecord(world, { domain: 'lanternfield.com', registrar: 'Registrar One' });
  await scoreAll(world);
  assert.equal(await componentOf(world, 'lanternfield.com', 'threat_profile_malware'), undefined);
  clock.advanceSeconds(1);
  await scoreAll(world);
  const [malware, spam] = [
    await componentOf(world, 'lanternfield.com', 'threat_profile_malware'),
    await componentOf(world, 'lanternfield.com', 'threat_profile_spam'),
  ];
  assert.ok(Number.isInteger(malware) && Number.isInteger(spam));
});

test('a changed record is scored again, once for all changes between two polls', async () => {
  for (const registrar of ['One', 'Two', 'Three'])
    await writeRecord(world, { domain: 'copperbell.com', registrar });
  assert.equal((await scoreAll(world)).scored, 1);
  await writeRecord(world, { domain: 'copperbell.com', registrar: 'Four' });
  assert.equal((await scoreAll(world)).scored, 1);
});

test('an unchanged score is not written, and writing a score does not enqueue another', async () => {
  await writeRecord(world, { domain: 'stillwater-bakery.org', website_title: 'One' });
  await scoreAll(world);
  await writeRecord(world, { domain: 'stillwater-bakery.org', website_title: 'Two' });
  const { scored, changed } = await scoreAll(world);
  assert.deepEqual({ scored, changed }, { scored: 1, changed: 0 });
  assert.equal((await updatesOf('stillwater-bakery.org', riskSource)).length, 1);
  assert.equal((await scoreAll(world)).scored, 0);
});

test('a new score leaves the rest of a record as it was', async () => {
  await recordDiscovery(world, 'pinecrest-tools.net');
  await scoreAll(world);
  await addToList(world, 'spam', ['pinecrest-tools.net']);
  await scoreAll(world);
  const [record] = await world.domains.findRecords(['pinecrest-tools.net']);
  assert.deepEqual([record?.active, record?.domain_risk?.risk_score], [true, 100]);
  for (const update of await updatesOf('pinecrest-tools.net', riskSource))
    assert.deepEqual(update.fields ?? ['domain_risk'], ['domain_risk']);
});

test('RISK-12 a domain on a good list has only the zerolist component', async () => {
  await writeRecord(world, { domain: 'oldmill-press.com', registrar: 'One' });
  await addToList(world, 'good', ['oldmill-press.com']);
  await scoreAll(world);
  assert.deepEqual(await riskOf(world, 'oldmill-press.com'), {
    risk_score: 0,
    components: [{ name: 'zerolist', risk_score: 0 }],
  });
});

test('a listed bad domain without a record gets none; when it is discovered it is scored immediately', async () => {
  await addToList(world, 'malware', ['unseen-so-far.com']);
  await scoreAll(world);
  assert.deepEqual(await world.domains.findRecords(['unseen-so-far.com']), [undefined]);
  await recordDiscovery(world, 'unseen-so-far.com');
  await scoreAll(world);
  assert.equal(await componentOf(world, 'unseen-so-far.com', 'proximity'), 100);
});

test('when one domain of a cluster is listed as bad the others rise, and they fall when the entry expires', async () => {
  const crew = ['amberfox.com', 'bluekettle.com', 'cedarlane.com', 'dunmore.com'];
  await writeRecord(world, ...crew.map((domain) => crewRecord(domain, 'amber')));
  await writeRecord(world, { ...crewRecord('elsewhere.com', 'other') });
  await scoreAll(world);
  const proximities = () => Promise.all(crew.map((domain) => componentOf(world, domain, 'proximity')));
  const before = await proximities();
  await addToList(world, 'phishing', ['amberfox.com'], 3600);
  const { neighbours } = await scoreAll(world);
  assert.ok(neighbours >= crew.length);
  const [known, ...others] = (await proximities()) as number[];
  assert.equal(known, 100);
  for (const proximity of others) assert.ok(proximity >= 70 && proximity < 100, String(proximity));
  assert.ok(((await componentOf(world, 'elsewhere.com', 'proximity')) as number) < 40);
  clock.advanceSeconds(3600);
  await world.risks.removeExpired(clock.now(), 100);
  await scoreAll(world);
  assert.deepEqual(await proximities(), before);
});

test('a bad domain that changes its links affects its old and new neighbours', async () => {
  await writeRecord(world, crewRecord('foxglove.com', 'north'), crewRecord('gooseberry.com', 'north'));
  await writeRecord(world, crewRecord('hawthorn.com', 'south'));
  await addToList(world, 'phishing', ['foxglove.com']);
  await scoreAll(world);
  assert.ok(((await componentOf(world, 'gooseberry.com', 'proximity')) as number) >= 70);
  await writeRecord(world, crewRecord('foxglove.com', 'south'));
  await scoreAll(world);
  assert.ok(((await componentOf(world, 'gooseberry.com', 'proximity')) as number) < 40);
  assert.ok(((await componentOf(world, 'hawthorn.com', 'proximity')) as number) >= 70);
});

test('a value shared by more than neighboursMax domains enqueues none of them', async () => {
  const crew = ['ivybank-one.com', 'ivybank-two.com', 'ivybank-three.com'];
  await writeRecord(world, ...crew.map((domain) => ({ domain, ip: [{ address: '192.0.2.77' }] })));
  await scoreAll(world);
  const few = { ...world.settings, risk: { ...world.settings.risk, neighboursMax: 2 } };
  await addToList(world, 'phishing', ['ivybank-one.com']);
  assert.equal((await scoreAll({ ...world, settings: few })).neighbours, 0);
});

test('records older than scoring are scored when no other job is due', async () => {
  await writeRecord(world, { domain: 'ancient-record.com' });
  const [last] = (await world.domains.listUpdates(logStart, 10_000)).slice(-1);
  await world.risks.setCheckpoint('scoring', last?.position ?? logStart);
  await scoreAll(world);
  assert.ok((await riskOf(world, 'ancient-record.com')) !== undefined);
});

/** The same domain store with another `upsert`. */
function withUpsert(upsert: DomainStore['upsert']): DomainStore {
  const bound = (target: DomainStore, name: keyof DomainStore) => target[name]?.bind(target);
  return new Proxy(world.domains, {
    get: (target, name) => (name === 'upsert' ? upsert : bound(target, name as keyof DomainStore)),
  });
}

test('a domain that cannot be written does not hold back its batch, and is retried later', async () => {
  const names = ['marigold.com', 'nettlefield.com', 'oakbridge.com'];
  const isBad = ({ record }: RecordUpdate) => record.domain === 'nettlefield.com';
  const domains = withUpsert(async (updates) => {
    if (updates.some(isBad)) throw new Error('invalid');
    return world.domains.upsert(updates);
  });
  await recordDiscovery(world, ...names);
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => failures.push(error);
  for (const stage of scoringStages({ ...world, domains, onFailure }, new ScoringTally())) await stage();
  const risks = await Promise.all(names.map((name) => riskOf(world, name)));
  assert.deepEqual(
    risks.map((risk) => risk !== undefined),
    [true, false, true],
  );
  assert.match(String(failures), /^Error: invalid$/);
  clock.advanceSeconds(60);
  await scoreAll(world);
  assert.ok(await riskOf(world, 'nettlefield.com'));
});

test('scoring runs while the server does, and reports and retries errors', async (t) => {
  const failures: unknown[] = [];
  const domains = withUpsert(async (updates) => {
    if (failures.length === 0) throw new Error('the disk is full');
    return world.domains.upsert(updates);
  });
  await recordDiscovery(world, 'tidewater-inn.com');
  const scoring = startScoring({ ...world, domains, onFailure: (error) => failures.push(error) });
  t.after(() => scoring.close());
  while ((await riskOf(world, 'tidewater-inn.com')) === undefined) await pause(20);
  await scoring.close();
  assert.match(String(failures), /the disk is full/);
  const { failures: counted, scored, lagSeconds } = scoring.statistics();
  assert.deepEqual([counted, scored, lagSeconds], [1, 1, 0]);
});
