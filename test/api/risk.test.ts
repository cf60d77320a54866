/** The risk of one domain over the platform API. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linksOf } from '../../src/model/risk/links-of.ts';
import { testServer } from '../harness/test-server.ts';

const day = 86_400_000;

interface Component {
  readonly name: string;
  readonly risk_score: number;
}

test('risk and evidence', async (t) => {
  const server = await testServer(t, { settings: { 'limits.productRequestsPerMinute': '1000' } });
  const { key } = await server.user();
  const ask = (path: string) => server.call(`GET /v1/risk${path}`, { key });
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
    const reading = { list: name, label, weight: 1, id: 1, untilMs: undefined };
    await server.risks.takeListed(reading, [{ domain }]);
    await server.risks.endReading(reading, undefined, seenMs);
  };
  await list('theirs', 'phishing', bad);
  await list('ours', 'good', 'acme.example');
  await server.risks.putBadLinks([{ domain: bad, weight: 1, links: linksOf(crew[0], bad) }]);

  await t.test('RISK-10 the score is the largest of the components, by name and number alone', async () => {
    for (const path of [`/?domain=${near}`, `?domain=www.${near.toUpperCase()}.`]) {
      const { status, json } = await ask(path);
      assert.equal(status, 200);
      const { domain, risk_score, components, ...others } = json.response;
      assert.deepEqual([domain, others], [near, {}]);
      assert.equal(risk_score, Math.max(...components.map((one: Component) => one.risk_score)));
      for (const one of components) assert.deepEqual(Object.keys(one), ['name', 'risk_score']);
      assert.ok(components.find(({ name }: Component) => name === 'proximity').risk_score >= 70);
    }
  });

  await t.test('a domain on a list of bad ones has 100, on a list of good ones 0', async () => {
    assert.equal((await ask(`/?domain=${bad}`)).json.response.risk_score, 100);
    assert.deepEqual((await ask('/?domain=acme.example')).json.response, {
      domain: 'acme.example',
      risk_score: 0,
      components: [{ name: 'zerolist', risk_score: 0 }],
    });
  });

  await t.test('a domain that nobody knows is judged by its name, provisionally', async () => {
    const { status, json } = await ask('/evidence/?domain=secure-paypal-login-verify.top');
    assert.equal(status, 200);
    const { risk_score, risk_score_status, components } = json.response;
    assert.ok(risk_score >= 70);
    assert.equal(risk_score_status, 'provisional');
    assert.deepEqual(components[1].threats, ['phishing']);
    assert.deepEqual(components[1].evidence, ['domain name']);
    const unicode = await ask('/?domain=b%C3%BCcher.example');
    assert.equal(unicode.json.response.domain, 'xn--bcher-kva.example');
  });

  await t.test('evidence tells what each score is made of, in points that sum to it', async () => {
    const { response } = (await ask(`/evidence?domain=${near}`)).json;
    assert.equal(response.risk_score_status, 'full');
    for (const { name, risk_score } of response.components) {
      const own = response.contributions.filter(({ component }: { component: string }) => component === name);
      const sum = own.reduce((points: number, one: { points: number }) => points + one.points, 0);
      if (name !== 'threat_profile') assert.equal(sum, risk_score, name);
    }
    assert.deepEqual(response.contributions[1], {
      component: 'proximity',
      reason: 'e-mail boss@crew.example (1 bad of 3)',
      evidence: 'registrant',
      points: response.contributions[1].points,
    });
  });

  await t.test('a score that is kept is answered as it is, until it is out of date', async () => {
    const { components } = (await ask(`/?domain=${kept}`)).json.response;
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
    assert.deepEqual((await ask(`/?domain=${kept}`)).json.response.components, current);
    await keep(2);
    assert.deepEqual((await ask(`/?domain=${kept}`)).json.response.components, components);
  });

  await t.test(
    'a domain that is missing or cannot be registered answers 400 and names the parameter',
    async () => {
      for (const query of ['', '?domain=', '?domain=com', '?domain=a%20b', '?domain=192.0.2.1', '?domain=..'])
        for (const path of ['/', '/evidence/']) {
          const { status, json } = await ask(path + query);
          assert.equal(status, 400, query);
          assert.match(json.error.message, /domain/);
        }
    },
  );

  await t.test('forms besides JSON, and an account without records by name', async () => {
    assert.match((await ask(`/?domain=${near}&format=xml`)).text, /<risk_score>\d+<\/risk_score>/);
    assert.equal((await server.call(`GET /v1/risk/?domain=${near}`)).status, 401);
    const other = await server.user();
    const author = { actor: 'test', atMs: server.clock.now() };
    await server.accounts.withdraw(other.username, ['intel-enrich'], author);
    assert.equal((await server.call(`GET /v1/risk/?domain=${near}`, { key: other.key })).status, 403);
  });
});
