/** Scores of domains from their facts, and the contributions that sum to them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { domainOnWire } from '../../../src/http/platform/detect/domain-wire.ts';
import { factsOf } from '../../../src/model/detect/facts.ts';
import type { WatchlistDomain } from '../../../src/model/detect/watchlist.ts';
import { assessDomain, assessName, explainDomain } from '../../../src/model/risk/assess-domain.ts';
import type { DomainRisk, RiskFacts } from '../../../src/model/risk/assessment.ts';
import { findComponent, riskStatusOf, threatComponents } from '../../../src/model/risk/domain-risk.ts';
import { linkKinds } from '../../../src/model/risk/proximity/link.ts';
import { recordFacts } from '../../../src/model/risk/record/record-facts.ts';
import type { RecordModel } from '../../../src/model/risk/record/record-model.ts';
import { RiskScorer } from '../../../src/model/risk/risk-scorer.ts';
import { byThreat } from '../../../src/model/risk/threat.ts';
import { verdictLabels } from '../../../src/model/risk/verdict.ts';
import { smallModel } from '../../tools/risk-model/labelled-names.ts';
import { hostileRecord } from './hostile-record.ts';

const nowMs = Date.parse('2026-03-04T12:00:00Z');

const held = { domain: 'acmebank-login77.com', create_date: '2026-03-03', registrar_status: ['clienthold'] };

/** A model in which one fact of a record has a visible weight. */
const records: RecordModel = {
  summary: {
    seed: 1,
    trainedOn: { good: 1, phishing: 1, malware: 1, spam: 1 },
    datesFrom: '2026-01-01',
    datesTo: '2026-01-02',
    quality: {},
  },
  facts: recordFacts(held, nowMs).flatMap(({ what, fact }) => (what === 'registration is' ? fact : [])),
  weights: byThreat(() => Float32Array.of(2)),
};
const model = smallModel();
const byName = new RiskScorer(model, { popularRankMax: 1000 });
const byRecord = new RiskScorer({ ...model, records }, { popularRankMax: 1000 });

function factsAbout(more: Partial<RiskFacts>): RiskFacts {
  return {
    domain: 'acmebank-login77.com',
    record: undefined,
    verdicts: [],
    links: [],
    seenMs: nowMs,
    status: 'full',
    nowMs,
    ...more,
  };
}

function riskOf(more: Partial<RiskFacts>, scorer = byName): DomainRisk {
  return assessDomain(factsAbout(more), scorer).risk;
}

const namesOf = ({ components }: DomainRisk) => components.map(({ name }) => name);

function watchlisted(risk: DomainRisk): ReturnType<typeof domainOnWire> {
  const domain: WatchlistDomain = {
    ...factsOf({ domain: 'acmebank-login77.com', domain_risk: risk }),
    id: 'id',
    domain: 'acmebank-login77.com',
    tld: 'com',
    state: 'new',
    discoveredMs: nowMs,
    changedMs: undefined,
    assigned: undefined,
    monitorIds: [],
    matches: [],
    escalations: [],
    sightings: [],
  };
  return domainOnWire(domain, { data: undefined, screenshot: undefined });
}

test('RISK-03 RISK-11 a provisional score has proximity, the profile and phishing, and neither malware nor spam', () => {
  const risk = riskOf({ status: 'provisional' });
  assert.deepEqual(namesOf(risk), ['proximity', 'threat_profile', 'threat_profile_phishing']);
  assert.equal(riskStatusOf(risk), 'provisional');
  assert.deepEqual(Object.keys(watchlisted(risk).risk_score_components.threat_profile), ['phishing']);
});

test('RISK-05 RISK-06 RISK-11 a full score has all components in their order, each a whole number', () => {
  const risk = riskOf({});
  assert.deepEqual(namesOf(risk), [
    'proximity',
    'threat_profile',
    'threat_profile_malware',
    'threat_profile_phishing',
    'threat_profile_spam',
  ]);
  for (const { risk_score } of risk.components) assert.ok(Number.isInteger(risk_score));
  assert.equal(riskStatusOf(risk), 'full');
});

test('RISK-07 on a watchlist proximity is a whole number, and the profile an object of whole numbers', () => {
  const { proximity, threat_profile } = watchlisted(riskOf({})).risk_score_components;
  const { evidence, ...scores } = threat_profile as Record<string, unknown>;
  assert.equal(proximity, 1);
  assert.deepEqual(Object.keys(scores), ['phishing', 'malware', 'spam']);
  for (const score of Object.values(scores)) assert.ok(Number.isInteger(score));
  assert.ok(Array.isArray(evidence));
});

test('RISK-08 the profile of a name that cannot be scored is an empty object', () => {
  const risk = riskOf({ domain: 'com' });
  assert.deepEqual(risk, { risk_score: 1, components: [{ name: 'proximity', risk_score: 1 }] });
  assert.deepEqual(watchlisted(risk).risk_score_components, { proximity: 1, threat_profile: {} });
});

test('RISK-09 RISK-13 the profile of a full score lists its kinds, and the evidence in the contract’s words', () => {
  const profileOf = (risk: DomainRisk) => risk.components.find(({ name }) => name === 'threat_profile');
  assert.ok(profileOf(riskOf({}))?.threats?.includes('phishing'));
  assert.deepEqual(profileOf(riskOf({}))?.evidence, ['domain name']);
  const recorded = profileOf(riskOf({ record: held }, byRecord));
  assert.deepEqual(recorded?.evidence, ['domain name', 'registrar']);
  const benign = profileOf(riskOf({ domain: 'gardenoakxy.com' }));
  assert.deepEqual([benign?.threats, benign?.evidence], [[], []]);
});

test('RISK-10 the overall score is the largest of the components', () => {
  const components = threatComponents({ phishing: 91, malware: 12, spam: 70 }, ['domain name']);
  assert.deepEqual(components, [
    { name: 'threat_profile', risk_score: 91, threats: ['phishing', 'spam'], evidence: ['domain name'] },
    { name: 'threat_profile_malware', risk_score: 12 },
    { name: 'threat_profile_phishing', risk_score: 91 },
    { name: 'threat_profile_spam', risk_score: 70 },
  ]);
  const near = { kind: 'e-mail', value: 'a@b.example', domains: 3, bad: 2, weight: 1 } as const;
  assert.equal(riskOf({ domain: 'gardenoakxy.com', links: [near] }).risk_score, 91);
});

test('RISK-12 a known good domain and a popular one have the single component zerolist with 0, and a full score immediately', () => {
  const zero = { risk_score: 0, components: [{ name: 'zerolist', risk_score: 0 }] };
  const good = { list: 'ours', label: 'good', weight: 1 } as const;
  const bad = { list: 'theirs', label: 'spam', weight: 1 } as const;
  for (const more of [
    { verdicts: [good] },
    { verdicts: [bad, good] },
    { verdicts: [{ list: 'top', label: 'popular', weight: 1, rank: 1000 }] },
    { record: { domain: 'a.com', popularity_rank: 3 } },
  ] as const satisfies readonly Partial<RiskFacts>[]) {
    const assessed = assessDomain(factsAbout({ ...more, status: 'provisional' }), byName);
    assert.deepEqual([assessed.risk, assessed.status], [zero, 'full']);
    assert.deepEqual(
      explainDomain(factsAbout(more), byName).map(({ points }) => points),
      [0],
    );
  }
  const popular = { record: { domain: 'a.com', popularity_rank: 3 } };
  for (const more of [
    { verdicts: [{ list: 'top', label: 'popular', weight: 1, rank: 1001 }] },
    { verdicts: [{ list: 'top', label: 'popular', weight: 1 }] },
    { ...popular, verdicts: [bad] },
  ] as const satisfies readonly Partial<RiskFacts>[])
    assert.ok(riskOf(more).risk_score > 0);
  const none = new RiskScorer(model, { popularRankMax: 0 });
  assert.ok(riskOf(popular, none).risk_score > 0);
});

test('RISK-12 a well-known domain scores 0 unless a list names it as bad; names below a shared suffix are not meant', () => {
  const known = new RiskScorer(model, { popularRankMax: 0, wellKnown: new Set(['acme.com', 'github.io']) });
  const scoreOf = (domain: string, more: Partial<RiskFacts> = {}) =>
    riskOf({ domain, ...more }, known).risk_score;
  assert.equal(scoreOf('acme.com'), 0);
  assert.equal(assessName('acme.com', byName).risk.risk_score > 0, true);
  const listed = [{ list: 'theirs', label: 'phishing', weight: 1 }] as const;
  assert.equal(scoreOf('acme.com', { verdicts: listed }), 100);
  assert.ok(scoreOf('acme.github.io') > 0);
  assert.deepEqual(explainDomain(factsAbout({ domain: 'acme.com' }), known), [
    {
      component: 'zerolist',
      code: 'well-known',
      reason: 'well-known domain',
      evidence: 'domain name',
      points: 0,
    },
  ]);
});

test('the proximity of a listed bad domain is the weight of its list, or more by its links', () => {
  const listed = (weight: number) => [{ list: 'theirs', label: 'malware', weight }] as const;
  assert.equal(riskOf({ verdicts: listed(1) }).risk_score, 100);
  assert.equal(findComponent(riskOf({ verdicts: listed(0.6) }), 'proximity'), 60);
  const near = { kind: 'e-mail', value: 'a@b.example', domains: 3, bad: 2, weight: 1 } as const;
  assert.equal(findComponent(riskOf({ verdicts: listed(0.6), links: [near] }), 'proximity'), 91);
  const [first] = explainDomain(factsAbout({ verdicts: listed(1) }), byName);
  assert.deepEqual(first, {
    component: 'proximity',
    code: 'listed',
    reason: 'on a list of malware domains',
    value: 'theirs',
    evidence: 'domain name',
    points: 100,
  });
});

test('a record counts only in a full score, and an empty record counts as none', () => {
  const collected = { record: held };
  assert.notDeepEqual(riskOf(collected, byRecord), riskOf(collected, byName));
  assert.deepEqual(
    riskOf({ ...collected, status: 'provisional' }, byRecord),
    riskOf({ ...collected, status: 'provisional' }, byName),
  );
  const scored = { record: { domain: 'a.com', domain_risk: riskOf({}) } };
  assert.deepEqual(riskOf(scored, byRecord), riskOf({ record: undefined }, byRecord));
});

const facts: fc.Arbitrary<RiskFacts> = fc.record({
  domain: fc.oneof(
    fc.domain(),
    fc.string(),
    fc.constantFrom('acmebank-login77.com', 'xn--pypal-4ve.com', 'com'),
  ),
  record: fc.option(hostileRecord, { nil: undefined }),
  verdicts: fc.array(
    fc.record({
      list: fc.string(),
      label: fc.constantFrom(...verdictLabels),
      weight: fc.double({ min: 0.001, max: 1, noNaN: true }),
      rank: fc.integer({ min: 1, max: 2000 }),
    }),
    { maxLength: 3 },
  ),
  links: fc.array(
    fc.record({
      kind: fc.constantFrom(...linkKinds),
      attribute: fc.string(),
      value: fc.string(),
      domains: fc.option(fc.nat(), { nil: undefined }),
      bad: fc.nat(1000),
      weight: fc.double({ min: 0.001, max: 1, noNaN: true }),
    }),
    { maxLength: 20 },
  ),
  seenMs: fc.constant(undefined),
  status: fc.constantFrom('provisional', 'full'),
  nowMs: fc.constant(nowMs),
});

test('RISK-10 RISK-11 RISK-12 for any facts the overall score is the maximum, 0 means zero-listed and 100 means listed', () => {
  fc.assert(
    fc.property(facts, fc.constantFrom(byName, byRecord), (known, scorer) => {
      const { risk } = assessDomain(known, scorer);
      const scores = risk.components.map(({ risk_score }) => risk_score);
      assert.equal(risk.risk_score, Math.max(...scores));
      for (const score of scores) assert.ok(Number.isInteger(score) && score >= 0 && score <= 100);
      assert.equal(namesOf(risk).includes('zerolist'), risk.risk_score === 0);
      if (risk.risk_score === 0) assert.equal(scores.length, 1);
      if (risk.risk_score === 100) assert.ok(known.verdicts.some(({ weight }) => weight > 0.99));
    }),
    { numRuns: 150 },
  );
});

test('the contributions of every component except the profile sum to its score', () => {
  fc.assert(
    fc.property(facts, fc.constantFrom(byName, byRecord), (known, scorer) => {
      const contributions = explainDomain(known, scorer);
      const { components } = assessDomain(known, scorer).risk;
      for (const { name, risk_score } of components) {
        const own = contributions.filter(({ component }) => component === name);
        const sum = own.reduce((points, one) => points + one.points, 0);
        if (name !== 'threat_profile') assert.equal(sum, risk_score, name);
      }
      assert.ok(
        contributions.every(({ component }) => namesOf({ risk_score: 0, components }).includes(component)),
      );
    }),
    { numRuns: 150 },
  );
});
