import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../../harness/server/test-server.ts';
import { fullRecord, storeRecords } from './stored-records.ts';

const kept = { name: 'threat_profile', risk_score: 91 };

test('ENR-07 members of a record are in one order, in Enrich and Investigate and in every format', async (t) => {
  const server = await testServer(t);
  const { key } = await server.user();
  // An import stores the members of a risk component in another order than scoring does.
  await storeRecords(server, [
    { ...fullRecord, domain: 'a.example' },
    {
      domain: 'b.example',
      domain_risk: {
        risk_score: 91,
        components: [{ evidence: ['domain name'], threats: ['phishing'], ...kept }],
      },
    },
  ]);
  await server.domains.upsert([
    {
      record: {
        domain: 'c.example',
        domain_risk: {
          risk_score: 91,
          components: [{ ...kept, threats: ['phishing'], evidence: ['domain name'] }],
        },
      },
      source: 'risk',
      seenMs: server.clock.now(),
    },
  ]);
  const get = async (query: string) => (await server.call(`GET /v1/${query}`, { key })).text;
  for (const domain of ['a.example', 'b.example', 'c.example']) {
    const more = `domain=${domain}&parsed_whois=1&parsed_domain_rdap=1`;
    const [enriched] = JSON.parse(await get(`intel-enrich/?${more}`)).response.results;
    const [investigated] = JSON.parse(await get(`intel-investigate/?${more}`)).response.results;
    const line = JSON.parse(await get(`intel-investigate/?${more}&format=ndjson`));
    assert.deepEqual(memberNames(investigated), memberNames(enriched), domain);
    assert.deepEqual(memberNames(line), memberNames(enriched), domain);
    const xml = await get(`intel-enrich/?${more}&format=xml`);
    assert.deepEqual(elementNames(xml), elementNames(await get(`intel-investigate/?${more}&format=xml`)));
    if (domain === 'a.example') continue;
    const components = { components: [{ ...kept, threats: ['phishing'], evidence: ['domain name'] }] };
    assert.equal(JSON.stringify(enriched.domain_risk), JSON.stringify({ risk_score: 91, ...components }));
    assert.match(xml, /<threats>.*<\/threats><evidence>/);
  }
});

/** In order, without the counts that only Investigate has. */
function memberNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(memberNames);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => name !== 'count');
  return members.map(([name, member]) => [name, memberNames(member)]);
}

function elementNames(xml: string): readonly string[] {
  const record = /<results>.*<\/results>/s.exec(xml)?.[0] ?? '';
  return [...record.matchAll(/<([a-z_]\w*)/g)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'count');
}
