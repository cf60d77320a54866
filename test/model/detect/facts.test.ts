import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from '../../../src/model/detect/facts.ts';

const domain = 'example.com';
const scored = (...names: string[]) => ({
  domain,
  domain_risk: { risk_score: 50, components: names.map((name, index) => ({ name, risk_score: index })) },
});

test('an empty record gives an active domain without a score', () => {
  assert.deepEqual(factsOf({ domain }), {
    active: true,
    mxExists: false,
    nameServers: [],
    riskScore: undefined,
    riskStatus: undefined,
    riskComponents: undefined,
  });
});

test('mail servers and name servers come from the record', () => {
  const facts = factsOf({ domain, mx: [{ host: 'mx.net' }], name_server: [{ host: 'ns.net' }] });
  assert.deepEqual([facts.mxExists, facts.nameServers], [true, ['ns.net']]);
});

test('a score without malware and spam is provisional, with both it is full', () => {
  assert.equal(factsOf(scored('proximity', 'threat_profile_phishing')).riskStatus, 'provisional');
  assert.equal(factsOf(scored('threat_profile_malware')).riskStatus, 'provisional');
  const full = factsOf(
    scored('proximity', 'threat_profile_phishing', 'threat_profile_malware', 'threat_profile_spam'),
  );
  assert.equal(full.riskStatus, 'full');
  assert.deepEqual(full.riskComponents, { proximity: 0, phishing: 1, malware: 2, spam: 3, evidence: [] });
});

test('a zerolist score is full', () => {
  assert.equal(factsOf(scored('zerolist')).riskStatus, 'full');
});

test('the evidence comes from the threat profile', () => {
  const components = [{ name: 'threat_profile', risk_score: 9, evidence: ['registrar'] }];
  assert.deepEqual(factsOf({ domain, domain_risk: { risk_score: 9, components } }).riskComponents?.evidence, [
    'registrar',
  ]);
});
