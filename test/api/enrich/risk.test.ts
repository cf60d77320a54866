/** The risk of one domain over the platform API. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assessName } from '../../../src/model/risk/assess-domain.ts';
import { linksOf } from '../../../src/model/risk/proximity/links-of.ts';
import { openRiskScorer } from '../../../src/product/risk/open-risk-scorer.ts';
import { testServer } from '../../harness/server/test-server.ts';

const day = 86_400_000;

interface Component {
  readonly name: string;
  readonly risk_score: number;
}

const server = await testServer({ after }, { settings: { 'limits.productRequestsPerMinute': '1000' } });
const { key } = await server.user();
const getRisk = (path: string) => server.call(`GET /v1/risk${path}`, { key });
const seenMs = server.clock.now() - 2 * day;
const crew = ['one', 'two', 'three'].map((label) => ({
  domain: `garden-${label}.example`,
  registrant_contact: { email: ['boss@crew.example'] },
  analytics_code: 'ua-1',
  ip: [{ address: '192.0.2.1', asn: [64_500] }],
}));
await server.domains.upsert(crew.map((record) => ({ record, source: 'test', seenMs })));
const [bad, near, kept] = crew.map(({ domain }) => domain) as [string, string, string];
const list = async (name: string, label: 'phishing' | 'good', domain: string) => {
  const snapshot = { list: name, label, weight: 1, id: 1, untilMs: undefined };
  await server.risks.addListed(snapshot, [{ domain }]);
  await server.risks.completeSnapshot(snapshot, undefined, seenMs);
};
await list('theirs', 'phishing', bad);
await list('ours', 'good', 'acme.example');
await server.risks.replaceBadLinks([{ domain: bad, weight: 1, links: linksOf(crew[0], bad) }]);

test('RISK-10 the score is the maximum of the components, which have only name and score', async () => {
  for (const path of [`/?domain=${near}`, `?domain=www.${near.toUpperCase()}.`]) {
    const { status, json } = await getRisk(path);
    assert.equal(status, 200);
    const { domain, risk_score, components, ...others } = json.response;
    assert.deepEqual([domain, others], [near, {}]);
    assert.equal(risk_score, Math.max(...components.map((one: Component) => one.risk_score)));
    for (const one of components) assert.deepEqual(Object.keys(one), ['name', 'risk_score']);
    assert.ok(components.find(({ name }: Component) => name === 'proximity').risk_score >= 70);
  }
});

test('a domain on a bad list scores 100, on a good list 0', async () => {
  assert.equal((await getRisk(`/?domain=${bad}`)).json.response.risk_score, 100);
  assert.deepEqual((await getRisk('/?domain=acme.example')).json.response, {
    domain: 'acme.example',
    risk_score: 0,
    components: [{ name: 'zerolist', risk_score: 0 }],
  });
});

test('an unknown domain is scored by its name, for all threats, as on the command line', async () => {
  const { status, json } = await getRisk('/evidence/?domain=secure-paypal-login-verify.top');
  assert.equal(status, 200);
  const { risk_score, risk_score_status, components } = json.response;
  assert.ok(risk_score >= 70);
  assert.equal(risk_score_status, 'full');
  const { risk } = assessName('secure-paypal-login-verify.top', openRiskScorer(server.settings));
  assert.deepEqual(components, risk.components);
  assert.deepEqual(components[1]?.evidence, ['domain name']);
  const unicode = await getRisk('/?domain=b%C3%BCcher.example');
  assert.equal(unicode.json.response.domain, 'xn--bcher-kva.example');
});

test('evidence explains each score in points that sum to it', async () => {
  const { response } = (await getRisk(`/evidence?domain=${near}`)).json;
  assert.equal(response.risk_score_status, 'full');
  for (const { name, risk_score } of response.components) {
    const own = response.contributions.filter(({ component }: { component: string }) => component === name);
    const sum = own.reduce((points: number, one: { points: number }) => points + one.points, 0);
    if (name !== 'threat_profile') assert.equal(sum, risk_score, name);
  }
  assert.deepEqual(response.contributions[1], {
    component: 'proximity',
    code: 'shared-e-mail',
    reason: 'shared e-mail (1 bad of 3)',
    value: 'boss@crew.example',
    evidence: 'registrant',
    points: response.contributions[1].points,
  });
});

test('a stored score is returned until it is stale', async () => {
  const { components } = (await getRisk(`/?domain=${kept}`)).json.response;
  const keep = async (proximity: number) => {
    const changed = components.map((one: Component) =>
      one.name === 'proximity' ? { ...one, risk_score: proximity } : { ...one, risk_score: 3 },
    );
    const domain_risk = { risk_score: proximity, components: changed };
    const record = { domain: kept, domain_risk };
    await server.domains.upsert([{ record, members: ['domain_risk'], source: 'risk', seenMs }]);
    return changed;
  };
  const current = await keep(components[0].risk_score);
  assert.deepEqual((await getRisk(`/?domain=${kept}`)).json.response.components, current);
  await keep(2);
  assert.deepEqual((await getRisk(`/?domain=${kept}`)).json.response.components, components);
});

test('a missing or unregistrable domain returns 400 and names the parameter', async () => {
  for (const query of ['', '?domain=', '?domain=com', '?domain=a%20b', '?domain=192.0.2.1', '?domain=..'])
    for (const path of ['/', '/evidence/']) {
      const { status, json } = await getRisk(path + query);
      assert.equal(status, 400, query);
      assert.match(json.error.message, /domain/);
    }
});

test('other formats than JSON are supported, and an account without Enrich is refused', async () => {
  assert.match((await getRisk(`/?domain=${near}&format=xml`)).text, /<risk_score>\d+<\/risk_score>/);
  assert.equal((await server.call(`GET /v1/risk/?domain=${near}`)).status, 401);
  const other = await server.user();
  const author = { actor: 'test', atMs: server.clock.now() };
  await server.accounts.withdraw(other.username, ['intel-enrich'], author);
  assert.equal((await server.call(`GET /v1/risk/?domain=${near}`, { key: other.key })).status, 403);
});
