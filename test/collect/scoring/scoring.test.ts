import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startScoring } from '../../../src/collect/scoring/scoring.ts';
import { ScoringTally } from '../../../src/collect/scoring/scoring-counts.ts';
import { scoringStages } from '../../../src/collect/scoring/scoring-stages.ts';
import { riskSource } from '../../../src/model/risk/risk-source.ts';
import type { DomainStore, RecordUpdate } from '../../../src/store/domain-store.ts';
import {
  componentOf,
  crewRecord,
  discover,
  riskOf,
  say,
  scoreAll,
  scoringWorld,
  write,
} from '../../harness/scoring.ts';

const world = scoringWorld();
const { clock } = world;
const day = 86_400;

async function updatesOf(domain: string, source: string) {
  const updates = [];
  for (let after = 0; ; ) {
    const page = await world.domains.listUpdates(after, 500);
    const last = page.at(-1);
    if (!last) return updates;
    updates.push(...page.filter((update) => update.domain === domain && update.source === source));
    after = last.id;
  }
}

test('a domain that is discovered gets a provisional score at once, and a record where there was none', async () => {
  const seen = new Date(clock.now()).toISOString();
  await discover(world, 'harborquilt.com', 'secure-paypal-login.top');
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

test('RISK-04 a score is full 24 hours after the discovery, whenever else it is made, and not before', async () => {
  await discover(world, 'lanternfield.com');
  await scoreAll(world);
  clock.advanceSeconds(day - 1);
  await write(world, { domain: 'lanternfield.com', registrar: 'Registrar One' });
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

test('a record that changes is scored again, once for all changes that came together', async () => {
  for (const registrar of ['One', 'Two', 'Three'])
    await write(world, { domain: 'copperbell.com', registrar });
  assert.equal((await scoreAll(world)).scored, 1);
  await write(world, { domain: 'copperbell.com', registrar: 'Four' });
  assert.equal((await scoreAll(world)).scored, 1);
});

test('a score that stays the same is not written again, and what is written leads to no other score', async () => {
  await write(world, { domain: 'stillwater-bakery.org', website_title: 'One' });
  await scoreAll(world);
  await write(world, { domain: 'stillwater-bakery.org', website_title: 'Two' });
  const { scored, changed } = await scoreAll(world);
  assert.deepEqual({ scored, changed }, { scored: 1, changed: 0 });
  assert.equal((await updatesOf('stillwater-bakery.org', riskSource)).length, 1);
  assert.equal((await scoreAll(world)).scored, 0);
});

test('a new score leaves the rest of a record as it was', async () => {
  await discover(world, 'pinecrest-tools.net');
  await scoreAll(world);
  await say(world, 'spam', ['pinecrest-tools.net']);
  await scoreAll(world);
  const [record] = await world.domains.findRecords(['pinecrest-tools.net']);
  assert.deepEqual([record?.active, record?.domain_risk?.risk_score], [true, 100]);
  for (const update of await updatesOf('pinecrest-tools.net', riskSource))
    assert.deepEqual(update.fields ?? ['domain_risk'], ['domain_risk']);
});

test('RISK-12 a domain that becomes known as good has nothing but a zero', async () => {
  await write(world, { domain: 'oldmill-press.com', registrar: 'One' });
  await say(world, 'good', ['oldmill-press.com']);
  await scoreAll(world);
  assert.deepEqual(await riskOf(world, 'oldmill-press.com'), {
    risk_score: 0,
    components: [{ name: 'zerolist', risk_score: 0 }],
  });
});

test('a known bad domain that nobody has seen gets no record; when it is discovered it has its score at once', async () => {
  await say(world, 'malware', ['unseen-so-far.com']);
  await scoreAll(world);
  assert.deepEqual(await world.domains.findRecords(['unseen-so-far.com']), [undefined]);
  await discover(world, 'unseen-so-far.com');
  await scoreAll(world);
  assert.equal(await componentOf(world, 'unseen-so-far.com', 'proximity'), 100);
});

test('when one of a cluster becomes known as bad the others rise, and they fall when the list no longer says so', async () => {
  const crew = ['amberfox.com', 'bluekettle.com', 'cedarlane.com', 'dunmore.com'];
  await write(world, ...crew.map((domain) => crewRecord(domain, 'amber')));
  await write(world, { ...crewRecord('elsewhere.com', 'other') });
  await scoreAll(world);
  const proximities = () => Promise.all(crew.map((domain) => componentOf(world, domain, 'proximity')));
  const before = await proximities();
  await say(world, 'phishing', ['amberfox.com'], 3600);
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

test('a known bad domain that moves on leaves those that it was near', async () => {
  await write(world, crewRecord('foxglove.com', 'north'), crewRecord('gooseberry.com', 'north'));
  await write(world, crewRecord('hawthorn.com', 'south'));
  await say(world, 'phishing', ['foxglove.com']);
  await scoreAll(world);
  assert.ok(((await componentOf(world, 'gooseberry.com', 'proximity')) as number) >= 70);
  await write(world, crewRecord('foxglove.com', 'south'));
  await scoreAll(world);
  assert.ok(((await componentOf(world, 'gooseberry.com', 'proximity')) as number) < 40);
  assert.ok(((await componentOf(world, 'hawthorn.com', 'proximity')) as number) >= 70);
});

test('a value that more than so many share leads to none of them', async () => {
  const crew = ['ivybank-one.com', 'ivybank-two.com', 'ivybank-three.com'];
  await write(world, ...crew.map((domain) => ({ domain, ip: [{ address: '192.0.2.77' }] })));
  await scoreAll(world);
  const few = { ...world.settings, risk: { ...world.settings.risk, neighboursMax: 2 } };
  await say(world, 'phishing', ['ivybank-one.com']);
  assert.equal((await scoreAll({ ...world, settings: few })).neighbours, 0);
});

test('records that were there before anybody scored get their scores when nothing else is to be done', async () => {
  await write(world, { domain: 'ancient-record.com' });
  const [last] = (await world.domains.listUpdates(0, 10_000)).slice(-1);
  await world.risks.setPlace('scoring', last?.id ?? 0);
  await scoreAll(world);
  assert.ok((await riskOf(world, 'ancient-record.com')) !== undefined);
});

/** The same store of domains, but for what becomes of writes. */
function writing(upsert: DomainStore['upsert']): DomainStore {
  const bound = (target: DomainStore, name: keyof DomainStore) => target[name].bind(target);
  return new Proxy(world.domains, {
    get: (target, name) => (name === 'upsert' ? upsert : bound(target, name as keyof DomainStore)),
  });
}

test('a domain that cannot be written keeps no other from its score, and is tried again later', async () => {
  const names = ['marigold.com', 'nettlefield.com', 'oakbridge.com'];
  const isOdd = ({ record }: RecordUpdate) => record.domain === 'nettlefield.com';
  const domains = writing(async (updates) => {
    if (updates.some(isOdd)) throw new Error('odd');
    return world.domains.upsert(updates);
  });
  await discover(world, ...names);
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => failures.push(error);
  for (const stage of scoringStages({ ...world, domains, onFailure }, new ScoringTally())) await stage();
  const risks = await Promise.all(names.map((name) => riskOf(world, name)));
  assert.deepEqual(
    risks.map((risk) => risk !== undefined),
    [true, false, true],
  );
  assert.match(String(failures), /^Error: odd$/);
  clock.advanceSeconds(60);
  await scoreAll(world);
  assert.ok(await riskOf(world, 'nettlefield.com'));
});

test('scoring runs for as long as a server does, tells of what went wrong and tries it again', async (t) => {
  const failures: unknown[] = [];
  const domains = writing(async (updates) => {
    if (failures.length === 0) throw new Error('the disk is full');
    return world.domains.upsert(updates);
  });
  await discover(world, 'tidewater-inn.com');
  const scoring = startScoring({ ...world, domains, onFailure: (error) => failures.push(error) });
  t.after(() => scoring.close());
  while ((await riskOf(world, 'tidewater-inn.com')) === undefined) await pause(20);
  await scoring.close();
  assert.match(String(failures), /the disk is full/);
  const { failures: told, scored, lagSeconds } = scoring.statistics();
  assert.deepEqual([told, scored, lagSeconds], [1, 1, 0]);
});
