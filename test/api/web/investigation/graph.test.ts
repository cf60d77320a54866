/** The graph of an investigation: the domains of searches, and the values that they share. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as fc from 'fast-check';
import type { DomainRecord } from '../../../../src/model/record/domain-record.ts';
import { testServer } from '../../../harness/server/test-server.ts';
import { type WebSession, webSession } from '../../../harness/server/web-session.ts';

const server = await testServer({ after });

async function write(records: readonly DomainRecord[]) {
  const seenMs = server.clock.now();
  await server.domains.upsert(records.map((record) => ({ record, source: 'dns', seenMs })));
}

async function graphOf(me: WebSession, ...queries: readonly object[]) {
  const { json } = await me.call('POST /investigations', { body: { name: 'graph' } });
  const ids: string[] = [];
  for (const query of queries) {
    const added = await me.call(`POST /investigations/${json.id}/nodes`, { body: { query } });
    ids.push(...added.json.ids);
  }
  const answer = await me.call(`POST /investigations/${json.id}/graph`, { body: { ids } });
  assert.equal(answer.status, 200, answer.text.slice(0, 300));
  return { ids, id: json.id as string, ...answer.json } as Graph & { ids: string[]; id: string };
}

interface Graph {
  readonly domains: readonly {
    readonly punycode: string;
    readonly ids: readonly string[];
    readonly risk_score: number | null;
  }[];
  readonly values: readonly {
    readonly kind: string;
    readonly value: string;
    readonly domains_in_all: number;
    readonly service: string | null;
  }[];
  readonly edges: readonly (readonly [number, number])[];
  readonly domains_left_out: number;
  readonly values_left_out: number;
  readonly too_many: readonly string[];
}

const analyst = () => webSession(server, { permissions: ['read', 'triage'] });

test('values that at least two of the domains share are nodes, with how many have them in all and whose they are', async () => {
  const me = await analyst();
  const tag = { registrar: 'Ember & Ash' };
  await write([
    {
      domain: 'a.example',
      ...tag,
      ip: [{ address: '192.0.2.1', isp: 'Velt' }],
      ssl_info: [{ hash: 'a'.repeat(40) }],
      soa_email: ['x@bad.example'],
    },
    {
      domain: 'b.example',
      ...tag,
      ip: [{ address: '192.0.2.1', isp: 'Velt' }],
      additional_whois_email: ['x@bad.example'],
      analytics_code: 'UA-1',
    },
    {
      domain: 'c.example',
      ...tag,
      ip: [{ address: '192.0.2.9', isp: 'Cloudflare, Inc.' }],
      ssl_info: [{ hash: 'a'.repeat(40) }],
      analytics_code: 'UA-1',
    },
    {
      domain: 'd.example',
      ...tag,
      ip: [{ address: '192.0.2.9', isp: 'Cloudflare, Inc.' }],
      name_server: [{ host: 'ns1.parking.example' }],
    },
    {
      domain: 'e.example',
      registrar: 'Else',
      name_server: [{ host: 'ns1.parking.example' }],
      ip: [{ address: '192.0.2.1' }],
    },
  ]);
  const graph = await graphOf(
    me,
    { parameters: { registrar: ['Ember & Ash'] } },
    { parameters: { domain: ['d.example', 'e.example'] } },
  );
  const nameOf = (index: number) => graph.domains[index]?.punycode.slice(0, 1);
  const found = graph.values.map(({ kind, value, domains_in_all, service }, index) => {
    const domains = graph.edges.filter(([, at]) => at === index).map(([domain]) => nameOf(domain));
    return `${kind} ${value.slice(0, 19)}: ${domains
      .map(String)
      .toSorted((one, two) => (one < two ? -1 : 1))
      .join('')} of ${domains_in_all} ${service}`;
  });
  assert.deepEqual(found.toSorted(), [
    'analytics UA-1: bc of 2 null',
    `certificate ${'a'.repeat(19)}: ac of 2 null`,
    'email x@bad.example: ab of 2 null',
    'ip 192.0.2.1: abe of 3 null',
    'ip 192.0.2.9: cd of 2 cdn',
    'name_server ns1.parking.example: de of 2 parking',
    'registrar Ember & Ash: abcd of 4 null',
  ]);
  const searches = graph.domains.find(({ punycode }) => punycode === 'd.example')?.ids;
  assert.deepEqual(searches, graph.ids, 'found by both searches');
});

test('a graph agrees with a comparison of all records, whatever they share', async () => {
  const me = await analyst();
  const small = fc.nat(3);
  let round = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(small, small, small), { minLength: 1, maxLength: 12 }),
      async (rows) => {
        round += 1;
        const records = rows.map(([address, host, registrar], index) => ({
          domain: `r${round}-${index}.example`,
          website_title: `round ${round}`,
          registrar: `R${registrar} of ${round}`,
          ip: [{ address: `198.51.${round % 200}.${address}` }],
          name_server: [{ host: `ns${host}.round${round}.example` }],
        }));
        await write(records);
        const graph = await graphOf(me, { parameters: { domain: records.map(({ domain }) => domain) } });
        const pairs = graph.edges.map(
          ([domain, value]) => `${graph.domains[domain]?.punycode} ${graph.values[value]?.value}`,
        );
        const all = records.flatMap(({ domain, registrar, ip, name_server }) =>
          [registrar, ip[0]?.address, name_server[0]?.host].map((value) => [domain, value] as const),
        );
        const expected = all
          .filter(([, value]) => all.filter(([, other]) => other === value).length > 1)
          .map((pair) => pair.join(' '));
        assert.deepEqual(pairs.toSorted(), expected.toSorted());
        assert.equal(graph.domains.length, records.length);
      },
    ),
    { numRuns: 12 },
  );
});

test('a graph has at most 2,000 nodes, the riskiest domains first, and says what it leaves out', async () => {
  const me = await analyst();
  const records = Array.from({ length: 1800 }, (_, index) => ({
    domain: `many${index}.example`,
    registrar: 'Mass Register',
    domain_risk: { risk_score: index % 100 },
    ip: [{ address: `203.0.${index % 200}.${Math.floor(index / 900)}` }],
    name_server: [{ host: `ns${index % 400}.many.example` }],
  })) as unknown as DomainRecord[];
  await write(records);
  const graph = await graphOf(me, { parameters: { registrar: ['Mass Register'] } });
  assert.equal(graph.domains.length + graph.values.length, 2000);
  assert.equal(graph.domains_left_out, 300);
  assert.ok(graph.values_left_out > 0);
  assert.ok((graph.domains[0]?.risk_score ?? 0) >= (graph.domains.at(-1)?.risk_score ?? 100));
  assert.ok(graph.edges.length <= 8000);
  assert.equal(graph.values[0]?.service, 'common', '1,800 are more than the threshold of the person');
});

test('a graph is charged once a minute for each search, and a search of unknown id is refused', async () => {
  const me = await analyst();
  const { id, ids } = await graphOf(me, { parameters: { ip: ['192.0.2.1'] } });
  const none = await me.call(`POST /investigations/${id}/graph`, { body: { ids: ['gone'] } });
  assert.equal(none.status, 422);
  for (let again = 0; again < 80; again += 1) {
    const { status } = await me.call(`POST /investigations/${id}/graph`, { body: { ids } });
    assert.equal(status, 200);
  }
});
