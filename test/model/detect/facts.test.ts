import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf, sharedFactsOf } from '../../../src/model/detect/facts.ts';

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
    shared: { registrar: '', ip: [], country: [], certificate: [], analytics: [] },
  });
});

test('of the values that domains may share, each is kept once, and at most twenty of a kind', () => {
  const addresses = Array.from({ length: 30 }, (_, index) => ({
    address: `192.0.2.${index >> 1}`,
    country_code: 'nl',
  }));
  const many = Array.from({ length: 30 }, (_, index) => ({ address: `198.51.100.${index}` }));
  const shared = sharedFactsOf({ domain, ip: [...addresses, ...many], analytics_v4_codes: ['G-1', 'G-1'] });
  assert.equal(shared.ip.length, 20);
  assert.deepEqual([shared.country, shared.analytics], [['nl'], ['G-1']]);
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
