import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { gexfOf } from '../../web/src/pages/investigations/graph/gexf.ts';
import { alikeMax, graphModel } from '../../web/src/pages/investigations/graph/graph-model.ts';

interface Shape {
  readonly domains: number;
  readonly services: readonly (string | null)[];
  readonly edges: readonly (readonly [number, number])[];
}

const graphOf = ({ domains, services, edges }: Shape) =>
  ({
    domains: Array.from({ length: domains }, (_, index) => ({
      domain: `d${index}`,
      punycode: `d${index}`,
      risk_score: index,
      registrar: null,
      first_seen: null,
      ids: [],
    })),
    values: services.map((service, index) => ({
      kind: 'ip',
      value: `v${index}`,
      domains_in_all: 2,
      service,
    })),
    edges,
    domains_left_out: 0,
    values_left_out: 0,
    too_many: [],
  }) as never;

const shape: fc.Arbitrary<Shape> = fc
  .record({
    domains: fc.integer({ min: 1, max: 40 }),
    services: fc.array(fc.constantFrom(null, null, 'cdn', 'parking', 'common'), { maxLength: 6 }),
    raw: fc.array(fc.tuple(fc.nat(39), fc.nat(5)), { maxLength: 120 }),
  })
  .map(({ domains, services, raw }) => {
    const pairs = raw.filter(([domain, value]) => domain < domains && value < services.length);
    const once = new Map(pairs.map((pair) => [pair.join(), pair]));
    return { domains, services, edges: [...once.values()].sort((a, b) => a[1] - b[1] || a[0] - b[0]) };
  });

test('every domain is in exactly one node, and nodes are joined exactly as their members are', () => {
  fc.assert(
    fc.property(shape, fc.boolean(), (given, common) => {
      const { nodes, edges } = graphModel(graphOf(given), common);
      const ofDomains = nodes.filter(({ kind }) => kind === 'domain');
      assert.deepEqual(
        ofDomains.flatMap(({ domains }) => domains).toSorted(),
        Array.from({ length: given.domains }, (_, index) => `d${index}`).toSorted(),
      );
      const joined = new Set(
        edges.flatMap(([from, to]) =>
          (nodes[from]?.domains ?? []).flatMap((domain) =>
            nodes[to]?.count === 1 ? [`${domain} ${nodes[to].name}`] : [],
          ),
        ),
      );
      const single = new Set(
        nodes.filter(({ kind, count }) => kind !== 'domain' && count === 1).map(({ name }) => name),
      );
      const expected = given.edges
        .filter(([, value]) => single.has(`v${value}`))
        .map(([domain, value]) => `d${domain} v${value}`);
      assert.deepEqual([...joined].toSorted(), expected.toSorted());
      if (!common)
        assert.ok(given.services.every((service, index) => service === null || !single.has(`v${index}`)));
      assert.equal(new Set(nodes.map(({ key }) => key)).size, nodes.length);
    }),
  );
});

test('more than twelve that are connected alike are one node with their number, and twelve are not', () => {
  const alike = (count: number) =>
    graphModel(
      graphOf({
        domains: count,
        services: [null],
        edges: Array.from({ length: count }, (_, at) => [at, 0] as const),
      }),
      false,
    );
  assert.equal(alike(alikeMax).nodes.length, alikeMax + 1);
  const { nodes, edges } = alike(alikeMax + 1);
  assert.deepEqual(
    nodes.map(({ kind, count, risk }) => [kind, count, risk]),
    [
      ['domain', alikeMax + 1, alikeMax],
      ['ip', 1, null],
    ],
  );
  assert.deepEqual(edges, [[0, 1]]);
  assert.equal(nodes[1]?.domains.length, alikeMax + 1, 'selecting the value selects all of them');
});

test('a GEXF file escapes what names hold, and has every node and edge with its position', () => {
  const model = {
    nodes: [
      {
        key: 'a',
        kind: 'domain' as const,
        name: '"><script>\u0000\ud800\u202e',
        count: 1,
        risk: 90,
        domains: ['x'],
      },
      { key: 'b', kind: 'email' as const, name: "a&b'c", count: 14, risk: null, domains: ['x'] },
    ],
    edges: [[0, 1]] as const,
  };
  const text = gexfOf(model, new Map([['a', { x: 1, y: -2.5 }]]), '2026-03-04T00:00:00Z');
  assert.match(text, /label="&quot;&gt;&lt;script&gt;\ufffd\ufffd\u202e"/);
  assert.match(text, /label="a&amp;b&apos;c"/);
  assert.match(text, /<viz:position x="1.000" y="-2.500"\/>/);
  assert.match(text, /<edge id="0" source="0" target="1"\/>/);
  assert.doesNotMatch(text, /<script/);
});
