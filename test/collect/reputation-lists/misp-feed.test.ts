import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { readManifest, scanEventNames } from '../../../src/collect/reputation-lists/misp/feed-files.ts';
import { JsonObjectReader } from '../../../src/collect/reputation-lists/misp/json-object-reader.ts';
import { openReceiver } from '../../harness/network/http-receiver.ts';
import { openListing } from './listing.ts';

const { signal } = new AbortController();

const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const attribute = (type: string, value: string, more: object = {}) => ({
  type,
  value,
  to_ids: true,
  ...more,
});
const event = (...values: readonly object[]) => JSON.stringify({ Event: { info: 'x', Attribute: values } });
const manifest = (events: Readonly<Record<string, number>>) =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(events).map(([id, timestamp]) => [
        id,
        {
          info: 'a "case"',
          Orgc: { name: 'them', timestamp: '1' },
          Tag: [{ timestamp: 9 }],
          timestamp: `${timestamp}`,
        },
      ]),
    ),
  );

async function* chunksOf(text: string, bytes = 7): AsyncGenerator<Uint8Array> {
  const whole = Buffer.from(text);
  for (let at = 0; at < whole.length; at += bytes) yield whole.subarray(at, at + bytes);
}

async function namesIn(text: string, bytes?: number): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const names of scanEventNames(chunksOf(text, bytes))) found.push(...names);
  return found;
}

test('domain names, host names and URLs are read from the attributes of an event and of its objects unless to_ids is false', async () => {
  const text = JSON.stringify({
    Event: {
      uuid: uuid(1),
      Attribute: [
        attribute('domain', 'a.example'),
        attribute('hostname', 'www.b.example'),
        attribute('domain|ip', 'c.example|192.0.2.1'),
        attribute('url', 'https://d.example/x|y'),
        attribute('ip-dst', '192.0.2.1'),
        attribute('domain', 'seen.example', { to_ids: false }),
        attribute('domain', 'gone.example', { deleted: true }),
        {
          type: 'domain',
          value: 'bücher.example',
          Tag: [{ name: 'tlp:clear', type: 'domain', value: 'tag.example' }],
        },
        attribute('domain', 'two\nlines.example'),
        attribute('domain', 'x'.repeat(9000)),
        { type: 'domain', value: 17 },
      ],
      Object: [
        {
          name: 'domain-ip',
          type: 'domain',
          value: 'no.example',
          Attribute: [attribute('domain', 'e.example')],
        },
      ],
      RelatedEvent: [{ Event: { Attribute: [attribute('domain', 'related.example')] } }],
      ShadowAttribute: [attribute('domain', 'proposed.example')],
    },
  });
  const names = [
    'a.example',
    'www.b.example',
    'c.example',
    'https://d.example/x|y',
    'bücher.example',
    '',
    'e.example',
  ];
  for (const bytes of [3, 7, 100_000]) assert.deepEqual(await namesIn(text, bytes), names);
});

test('a manifest lists events by uuid with the time each last changed', async () => {
  const text = manifest({ [uuid(1)]: 5, [uuid(2)]: 6, '../../etc/passwd': 7, [`${uuid(3)}/x`]: 8 });
  const expected = new Map([
    [uuid(1), '5'],
    [uuid(2), '6'],
  ]);
  assert.deepEqual(await readManifest(chunksOf(text)), expected);
  assert.equal((await readManifest(chunksOf('[]'))).size, 0);
});

test('text that is not JSON, is truncated, has trailing text or is nested too deep is refused', async () => {
  const whole = event(attribute('domain', 'a.example'));
  for (let length = 0; length < whole.length; length += 1)
    await assert.rejects(namesIn(whole.slice(0, length)));
  for (const text of [
    '<html>',
    '\ufeff{}',
    '{"a":tru}',
    '{"a":1,}',
    '{"a" 1}',
    'null',
    '"x"',
    '{}{}',
    '{} x',
    '{]',
    '[}',
    `${whole}]`,
    '['.repeat(100_000),
    '{"a":'.repeat(1000),
  ])
    await assert.rejects(namesIn(text), { name: 'Problem', code: 'unavailable' });
});

test('a key, string or number longer than the limit is skipped, and the members after it are read', () => {
  const reader = new JsonObjectReader(['a', 'b']);
  const long = '9'.repeat(5000);
  const chunks = ['{"a":"', long, long, '","', long, long, '":1,"a":', long, long, ',"b":"short"}'];
  assert.deepEqual(
    chunks.flatMap((chunk) => reader.readChunk(Buffer.from(chunk))),
    [{ path: [], members: new Map([['b', 'short']]) }],
  );
  reader.end();
});

test('the members read equal those of JSON.parse wherever the text is split into chunks', () => {
  const key = fc.constantFrom('a', 'b', 'type', 'ü"\\\n');
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.string({ maxLength: 5 }),
      fc.boolean(),
      fc.constant(null),
      fc.integer(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));
  const found = (any: unknown): object[] => {
    if (typeof any !== 'object' || any === null) return [];
    const inside = Object.values(any).flatMap(found);
    if (Array.isArray(any)) return inside;
    const own = Object.entries(any).filter(
      ([name, one]) => ['a', 'type', 'ü"\\\n'].includes(name) && typeof one !== 'object',
    );
    return own.length === 0 ? inside : [...inside, new Map(own as [string, string][])];
  };
  fc.assert(
    fc.property(value, fc.integer({ min: 1, max: 9 }), fc.boolean(), (any, bytes, indented) => {
      const text = Buffer.from(JSON.stringify([any], undefined, indented ? 1 : undefined));
      const reader = new JsonObjectReader(['a', 'type', 'ü"\\\n']);
      const parsed = [];
      for (let at = 0; at < text.length; at += bytes)
        parsed.push(...reader.readChunk(text.subarray(at, at + bytes)));
      reader.end();
      assert.deepEqual(
        parsed.map(({ members }) => members),
        found(any),
      );
    }),
    { numRuns: 300 },
  );
});

test('arbitrary bytes are read or refused with a Problem', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 100 }),
    fc
      .string({
        unit: fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\\', 'a', '1', ' '),
        maxLength: 60,
      })
      .map((text) => Buffer.from(text)),
  );
  fc.assert(
    fc.property(bytes, (any) => {
      try {
        const reader = new JsonObjectReader(['a', '']);
        reader.readChunk(Buffer.from(any));
        reader.end();
      } catch (error) {
        assert.equal((error as Error).name, 'Problem');
      }
    }),
    { numRuns: 500 },
  );
});

test('only changed events of a feed are fetched, and the names of removed events leave the list', async (t) => {
  const files = new Map<string, string | Buffer>([
    ['/feed/manifest.json', manifest({ [uuid(1)]: 1, [uuid(2)]: 1 })],
    [
      `/feed/${uuid(1)}.json`,
      event(attribute('domain', 'a.example'), attribute('hostname', 'login.bank.example')),
    ],
    [`/feed/${uuid(2)}.json`, gzipSync(event(attribute('url', 'http://b.example/x')))],
    [`/feed/${uuid(3)}.json`, event(attribute('domain', 'c.example'))],
  ]);
  const server = await openReceiver(t, {
    answer: ({ path }, response) => {
      const file = files.get(path);
      response.writeHead(file === undefined ? 404 : 200).end(file);
    },
  });
  let seen = 0;
  const requested = () => {
    const fresh = server.received.slice(seen);
    seen += fresh.length;
    return fresh.map(({ path }) => path.replace('/feed/', ''));
  };
  const { make, said, directory } = openListing(t);
  const reader = () => make({ location: `${server.url}feed`, format: 'misp', label: 'malware' });
  await reader().poll(signal);
  assert.deepEqual(requested(), ['manifest.json', `${uuid(1)}.json`, `${uuid(2)}.json`]);
  assert.deepEqual(await said('a.example', 'b.example', 'bank.example'), ['own malware', 'own malware', '']);
  await reader().poll(signal);
  assert.deepEqual(requested(), ['manifest.json'], 'the same manifest');
  files.set('/feed/manifest.json', manifest({ [uuid(1)]: 2, [uuid(3)]: 1 }));
  files.set(`/feed/${uuid(1)}.json`, event(attribute('domain', 'a2.example')));
  await reader().poll(signal);
  assert.deepEqual(requested(), ['manifest.json', `${uuid(1)}.json`, `${uuid(3)}.json`]);
  assert.deepEqual(await said('a.example', 'b.example', 'a2.example', 'c.example'), [
    '',
    '',
    'own malware',
    'own malware',
  ]);
  assert.deepEqual(readdirSync(join(directory, 'misp-own')).sort(), [`${uuid(1)}-2`, `${uuid(3)}-1`]);
});

test('an event that cannot be fetched does not stop the others, and the snapshot stays incomplete', async (t) => {
  const { make, said, data, list } = openListing(t);
  const location = join(data, 'feed');
  mkdirSync(location);
  const put = (name: string, text: string) => writeFileSync(join(location, name), text);
  put('manifest.json', manifest({ [uuid(1)]: 1 }));
  put(`${uuid(1)}.json`, event(attribute('domain', 'a.example')));
  const reader = make({ location, format: 'misp' });
  await reader.poll(signal);
  put('manifest.json', manifest({ [uuid(2)]: 10, [uuid(3)]: 10 }));
  put(`${uuid(2)}.json`, '{"Event":{"Attribute":[{"type":"domain","value":"half.example"}');
  put(`${uuid(3)}.json`, event(attribute('domain', 'c.example')));
  await assert.rejects(reader.poll(signal), /1 events could not be read/);
  assert.deepEqual(await said('a.example', 'half.example', 'c.example'), [
    'own phishing',
    '',
    'own phishing',
  ]);
  put(`${uuid(2)}.json`, event(attribute('domain', 'b.example')));
  await reader.poll(signal);
  assert.deepEqual(await said('a.example', 'b.example', 'c.example'), ['', 'own phishing', 'own phishing']);
  assert.equal((await list())?.domains, 2);
});
