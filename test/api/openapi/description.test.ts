/** What every operation of the API description has, so that generators and readers can use it. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { clientAddress } from '../../harness/server/client-address.ts';
import { testServer } from '../../harness/server/test-server.ts';
import { type Json, operationsIn, readDescription, resolved } from './description.ts';

const publicUrl = 'https://names.example';

const described = (async () => {
  const settings = { 'http.publicUrl': publicUrl, 'http.mountPrefix': '/ng' };
  const server = await testServer({ after }, { settings });
  const description = await readDescription(server);
  return { server, description, operations: operationsIn(description) };
})();

/** Every object of the description. */
function* nodesIn(node: unknown): Generator<Json> {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) yield node;
  for (const value of Object.values(node)) yield* nodesIn(value);
}

test('paths have named parameters, each of them declared, and no wildcard', async () => {
  const { description, operations } = await described;
  for (const { path, operation, id } of operations) {
    assert.doesNotMatch(path, /\*/);
    const names = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
    const declared = (operation.parameters ?? [])
      .map((parameter: Json) => resolved(description, parameter))
      .filter((parameter: Json) => parameter.in === 'path');
    assert.deepEqual(
      declared.map((parameter: Json) => parameter.name),
      names,
      id,
    );
    assert.ok(
      declared.every(({ required }: Json) => required === true),
      id,
    );
  }
});

test('every operation has a summary, a description and a declared tag', async () => {
  const { description, operations } = await described;
  const tags = description.tags.map(({ name }: Json) => name);
  for (const { id, operation } of operations) {
    assert.match(operation.summary ?? '', /\S/, id);
    assert.match(operation.description ?? '', /\.$/, id);
    assert.deepEqual(
      operation.tags.filter((tag: string) => !tags.includes(tag)),
      [],
      id,
    );
  }
});

test('every operation has the errors of its API, and Retry-After where requests are limited', async () => {
  const { description, operations } = await described;
  const forms: readonly (readonly [path: RegExp, type: string, limited: boolean])[] = [
    [/^\/v1\//, 'application/json', true],
    [/^\/(?:pdns|lookup|summarize)\//, 'text/plain', true],
    [/^\/batchd\//, 'application/json', false],
    [/^\/(?:files|blocklists|misp|range)\/|^\/screenshot_image$/, 'application/xml', false],
  ];
  for (const { id, path, operation } of operations) {
    const [, type, limited] = forms.find(([form]) => form.test(path)) ?? assert.fail(path);
    const of = (status: string) => resolved(description, operation.responses[status]);
    assert.deepEqual(Object.keys(of('4XX').content), [type], id);
    assert.deepEqual(Object.keys(of('5XX').content), [type], id);
    assert.equal(of('429')?.headers['Retry-After'] !== undefined, limited, id);
  }
});

test('every operation declares its security with schemes that are defined', async () => {
  const { description, operations } = await described;
  const schemes = Object.keys(description.components.securitySchemes);
  for (const { id, operation } of operations) {
    assert.ok(Array.isArray(operation.security), id);
    const used = operation.security.flatMap((choice: object) => Object.keys(choice));
    assert.deepEqual(
      used.filter((scheme: string) => !schemes.includes(scheme)),
      [],
      id,
    );
  }
});

test('every operation has an example of its answer, except pictures', async () => {
  const { description, operations } = await described;
  for (const { id, operation } of operations) {
    const { content } = resolved(description, operation.responses['200']);
    const shown = Object.values<Json>(content).filter(({ examples }) => examples?.recorded !== undefined);
    assert.equal(shown.length, id === 'getScreenshotImage' ? 0 : 1, id);
  }
});

test('there are no keywords of our own', async () => {
  const { description } = await described;
  for (const node of nodesIn(description.components.schemas))
    if (node.type !== undefined)
      assert.deepEqual(
        Object.keys(node).filter((keyword) => ['must', 'commas', 'templates', 'errors'].includes(keyword)),
        [],
      );
});

test('what several operations share is written once', async () => {
  const { description } = await described;
  const seen = new Map<string, number>();
  for (const node of nodesIn(description)) {
    if (node.type !== 'object' || node.properties === undefined) continue;
    const text = JSON.stringify(node);
    if (text.length > 600) seen.set(text, (seen.get(text) ?? 0) + 1);
  }
  assert.deepEqual(
    [...seen].filter(([, count]) => count > 1).map(([text]) => text.slice(0, 200)),
    [],
  );
});

test('the aliases at the root are deprecated, and nothing else is', async () => {
  const { operations } = await described;
  const deprecated = operations.filter(({ operation }) => operation.deprecated).map(({ path }) => path);
  const atRoot = operations
    .filter(({ path }) => /^\/(?:lookup|summarize)\//.test(path))
    .map(({ path }) => path);
  assert.deepEqual(deprecated, atRoot);
  assert.ok(atRoot.length > 20);
});

test('the server is the public address with its mount prefix; licence and contact are given', async () => {
  const { description } = await described;
  assert.deepEqual(description.servers, [{ url: `${publicUrl}/ng` }]);
  assert.equal(description.info.license.identifier, 'Apache-2.0');
  assert.equal(description.info.contact.url, `${publicUrl}/ng/docs`);
});

test('a server without a public address describes itself by the port it listens on', async (t) => {
  const server = await testServer(t, { settings: { 'http.port': '0' } });
  const { port } = await clientAddress(server.app);
  assert.deepEqual((await readDescription(server)).servers, [{ url: `http://127.0.0.1:${port}` }]);
});

test('the reference page reads the same description', async () => {
  const { server, description } = await described;
  assert.deepEqual((await server.call('GET /docs/json')).json, description);
  assert.match((await server.call('GET /docs/yaml')).text, /^openapi: 3\.1\.0\n/);
});
