/** Investigations as files: what is exported can be imported, and nothing else can. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as fc from 'fast-check';
import { investigationLimits } from '../../../../src/model/investigation/investigation.ts';
import { testServer } from '../../../harness/server/test-server.ts';
import { type WebSession, webSession } from '../../../harness/server/web-session.ts';

const server = await testServer({ after });
const me = await webSession(server, { permissions: ['read', 'triage'] });
const query = { parameters: { ip: ['192.0.2.7'] } };

interface FileSearch {
  readonly id: string;
  readonly parent?: string | null;
  readonly [member: string]: unknown;
}

const file = (more: object = {}) => ({
  format: 'nameglass-investigation',
  version: 1,
  name: 'Parcel scam',
  searches: [] as readonly FileSearch[],
  findings: [] as readonly object[],
  ...more,
});

const imported = (body: object | string, who: WebSession = me) =>
  who.call('POST /investigations/import', { body });

async function exported(id: string) {
  const { headers, text } = await me.call(`GET /investigations/${id}/export`);
  assert.match(headers['content-disposition'] ?? '', /^attachment; filename="investigation-\w+\.json"$/);
  return JSON.parse(text) as ReturnType<typeof file>;
}

/** Ids are chosen anew; positions in the list stay. */
function shape({ searches, findings, ...rest }: ReturnType<typeof file>) {
  const at = new Map(searches.map(({ id }, index) => [id, index]));
  const { exported_at: _, ...members } = rest as typeof rest & { exported_at?: string };
  return {
    ...members,
    searches: searches.map(({ id: _id, by: _by, at: _at, parent, ...search }) => ({
      ...search,
      parent: parent === undefined || parent === null ? null : at.get(parent),
    })),
    findings: findings.map((finding) => ({ ...finding, by: undefined, at: undefined })),
  };
}

const text = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .map((note) => note.replaceAll(/\p{Cc}/gu, '').trim());
const someFile = fc
  .array(
    fc.record({
      below: fc.option(fc.nat(20), { nil: undefined }),
      address: fc.ipV4(),
      note: text,
      star: fc.boolean(),
      domains: fc.option(fc.nat(1_000_000), { nil: undefined }),
    }),
    { maxLength: 20 },
  )
  .map((searches) =>
    file({
      searches: searches.map(({ below, address, note, star, domains }, index) => ({
        id: `s${index}`,
        ...(below !== undefined && below < index ? { parent: `s${below}` } : {}),
        query: { parameters: { ip: [address] } },
        ...(note === '' ? {} : { note }),
        ...(star ? { star } : {}),
        ...(domains === undefined
          ? {}
          : { count: { domains, average_risk: 12.5, at: '2026-03-01T00:00:00.000Z' } }),
      })),
    }),
  );

test('any exported investigation can be imported, and is the same', async () => {
  await fc.assert(
    fc.asyncProperty(someFile, async (given) => {
      const { status, json } = await imported(given);
      assert.equal(status, 200, JSON.stringify(json));
      assert.equal(json.sharing, 'private');
      const once = await exported(json.id);
      assert.deepEqual(shape(once), shape({ ...given, note: '' } as typeof given));
      const again = await imported(once);
      assert.deepEqual(shape(await exported(again.json.id)), shape(once));
      for (const id of [json.id, again.json.id])
        await me.call(`DELETE /investigations/${id}`, { headers: { 'if-match': '*' } });
    }),
    { numRuns: 15 },
  );
});

test('an investigation at its bounds can be exported and imported', async () => {
  const { nodes, items } = investigationLimits;
  const full = file({
    searches: Array.from({ length: nodes }, (_, index) => ({
      id: `s${index}`,
      ...(index > 0 ? { parent: `s${index - 1}` } : {}),
      query: { parameters: { ip: ['192.0.2.7'], registrar: ['Ember & Ash'] } },
      note: 'n'.repeat(600),
      star: true,
      count: { domains: 1, average_risk: null, at: '2026-03-01T00:00:00Z' },
    })),
    findings: Array.from({ length: items }, (_, index) => ({
      kind: 'domain',
      value: `a${index}.example`,
      note: 'n'.repeat(80),
    })),
  });
  const first = await imported(full);
  assert.equal(first.status, 200, first.text.slice(0, 300));
  const { text: exportedText } = await me.call(`GET /investigations/${first.json.id}/export`);
  assert.equal((await imported(exportedText)).status, 200);
});

test('who wrote what, and the sharing, are not taken from a file', async () => {
  const other = await webSession(server, { account: me.account });
  const given = file({ searches: [{ id: 'a', query, by: other.person.name, at: '2020-01-01T00:00:00Z' }] });
  const { json } = await imported(given);
  assert.deepEqual([json.by, json.nodes[0].by, json.nodes[0].own], [me.person.name, me.person.name, true]);
  assert.equal((await imported({ ...given, sharing: 'delete' })).status, 422);
});

test('a hostile or damaged file is refused with what is wrong in it, and leaves nothing', async () => {
  const count = async () => (await me.call('GET /investigations')).json.investigations.length;
  const before = await count();
  const search = (more: object) => file({ searches: [{ id: 'a', query, ...more }] });
  const wrong: readonly (readonly [what: string, body: object | string, field: RegExp])[] = [
    ['another format', file({ format: 'stix' }), /format/],
    ['a later version', file({ version: 2 }), /version/],
    ['no name', file({ name: '' }), /name/],
    ['a blank name', file({ name: ' \t ' }), /name/],
    ['an unknown member', file({ owner: 'root' }), /owner/],
    ['an unknown member of a search', search({ constructor: 'x' }), /searches\[0\]/],
    ['a list', [], /file/],
    ['null', 'null', /file/],
    ['no searches', { ...file(), searches: undefined }, /searches/],
    ['a search below itself', search({ parent: 'a' }), /searches\[0\]\.parent/],
    [
      'a search below a later one',
      file({
        searches: [
          { id: 'a', parent: 'b', query },
          { id: 'b', query },
        ],
      }),
      /parent/,
    ],
    [
      'an id twice',
      file({
        searches: [
          { id: 'a', query },
          { id: 'a', query },
        ],
      }),
      /searches\[1\]\.id/,
    ],
    ['the name of a prototype as parent', search({ parent: '__proto__' }), /parent/],
    ['a wrong query', search({ query: { parameters: { ip: ['x'] } } }), /searches\[0\]\.query/],
    [
      'an unknown parameter',
      search({ query: { parameters: { __proto__x: ['x'] } } }),
      /searches\[0\]\.query/,
    ],
    ['a mistake in the query language', search({ query: { ql: 'ip = = 1' } }), /searches\[0\]\.query/],
    ['a note of the wrong type', search({ note: { $ne: 1 } }), /searches\[0\]\.note/],
    ['a long note', search({ note: 'x'.repeat(4001) }), /searches\[0\]\.note/],
    [
      'a count that is none',
      search({ count: { domains: -1, average_risk: null, at: '2026-01-01T00:00:00Z' } }),
      /count/,
    ],
    ['a finding that is none', file({ findings: [{ kind: 'ip', value: 'x' }] }), /findings\[0\]/],
    ['an unknown kind', file({ findings: [{ kind: 'shell', value: 'x' }] }), /findings\[0\]\.kind/],
    [
      'too many searches',
      file({ searches: Array.from({ length: 501 }, (_, at) => ({ id: `${at}`, query })) }),
      /searches/,
    ],
    [
      'too much text',
      file({
        findings: Array.from({ length: 200 }, (_, at) => ({
          kind: 'text',
          value: `${at}`,
          note: 'x'.repeat(3900),
        })),
      }),
      /./,
    ],
    ['no JSON', '{"format":', /./],
    ['nested too deep', '['.repeat(5000), /./],
    ['too many values', `[${'0,'.repeat(40_000)}0]`, /./],
    ['nothing', '', /./],
  ];
  for (const [what, body, field] of wrong) {
    const { status, json } = await imported(body);
    assert.ok([400, 409, 422].includes(status), `${what}: ${status} ${JSON.stringify(json).slice(0, 200)}`);
    const named = [...Object.keys(json.error.fields ?? {}), json.error.message].join(' ');
    assert.match(named, field, what);
  }
  assert.equal(await count(), before);
  const viewer = await webSession(server, { account: me.account });
  assert.equal((await imported(file(), viewer)).status, 403);
});
