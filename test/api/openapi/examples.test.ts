/**
 * Every operation of the API description is called on a running server. The answer must have the described schema and the shape of the
 * recorded example. `RECORD_EXAMPLES=1 node --test test/api/openapi/examples.test.ts` records them anew.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Example } from '../../../src/http/description/describe-operation.ts';
import { type DescribedServer, describedServer } from './described-server.ts';
import {
  type Json,
  operationsIn,
  type PublishedOperation,
  readDescription,
  resolved,
} from './description.ts';
import { type ExampleRequest, exampleRequests, pdnsPath } from './example-requests.ts';

const file = join(import.meta.dirname, '../../../src/http/description/examples.json');
const recorded = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Example>;

/** What cannot be shown as text. */
const binary = ['getScreenshotImage'];

interface Answered {
  readonly published: PublishedOperation;
  readonly example: Example;
}

/** All operations called once, reads before writes. */
const answered = (async () => {
  const world = await describedServer({ after });
  const description = await readDescription(world.server);
  const requests = await exampleRequests(world);
  const order = Object.keys(requests);
  const sorted = operationsIn(description).toSorted(
    (one, other) =>
      Number(one.method !== 'GET') - Number(other.method !== 'GET') ||
      order.indexOf(one.id) - order.indexOf(other.id),
  );
  const answers: Answered[] = [];
  for (const published of sorted) {
    const example = await callOperation(published, requests[published.id] ?? {}, world);
    answers.push({ published, example });
  }
  return { description, answers };
})();

async function callOperation(
  { id, method, path, operation }: PublishedOperation,
  request: ExampleRequest,
  { url, user }: DescribedServer,
): Promise<Example> {
  const values = { ...pdnsPath(path), ...request.path };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(
      values[name as keyof typeof values] ?? assert.fail(`${id} needs an example of ${name}`),
    ),
  );
  const query = Object.entries(request.query ?? {}).flatMap(([name, value]) =>
    [value].flat().map((each) => `${name}=${encodeURIComponent(String(each))}`),
  );
  const line = query.length === 0 ? filled : `${filled}?${query.join('&')}`;
  const [type] = Object.keys(operation.requestBody?.content ?? {});
  const abort = new AbortController();
  const response = await fetch(url + line, {
    method,
    headers: { 'x-api-key': user.key, ...(type === undefined ? {} : { 'content-type': type }) },
    ...(request.body === undefined ? {} : { body: bodyText(request.body) }),
    signal: abort.signal,
  });
  const contentType = (response.headers.get('content-type') ?? '').split(';')[0] as string;
  const text = contentType === 'text/event-stream' ? await firstEvent(response) : await response.text();
  abort.abort();
  assert.equal(response.status, 200, `${id} ${line} ${text}`);
  return {
    request: `${method} ${withoutSecrets(line, user)}`,
    ...(request.body === undefined ? {} : { body: hidden(request.body, user) }),
    status: response.status,
    contentType,
    value: hidden(shortened(valueOf(text, contentType)), user),
  };

  function hidden(value: unknown, by: DescribedServer['user']): unknown {
    return JSON.parse(withoutSecrets(JSON.stringify(value), by).replaceAll(url, 'https://names.example'));
  }
}

function bodyText(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

async function firstEvent({ body }: Response): Promise<string> {
  let text = '';
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk as Uint8Array).toString();
    if (text.includes('\n\n')) break;
  }
  return text;
}

/** Of many lines the first that holds a record. */
function valueOf(text: string, contentType: string): unknown {
  if (contentType === 'application/json') return JSON.parse(text.split('\n')[0] as string);
  if (contentType !== 'application/x-ndjson') return text;
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line): Json => JSON.parse(line));
  return lines.find(({ cond }) => cond !== 'begin') ?? lines[0];
}

/** Two items show what a list is. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 2).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member)]));
}

/** Keys and signatures of examples are made up. */
function withoutSecrets(text: string, { key, batchKey }: DescribedServer['user']): string {
  return text
    .replaceAll(key, 'PASTE_YOUR_KEY')
    .replaceAll(batchKey, '00000000-0000-4000-8000-000000000000')
    .replaceAll(/\bngk_[\w-]+/g, 'ngk_EXAMPLE')
    .replaceAll(/((?:Signature|token|X-Amz-Credential)=)[\w%.~-]+/g, '$1EXAMPLE');
}

test('every operation answers with success, as its schema says', async () => {
  const { description, answers } = await answered;
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, allErrors: true });
  const base = 'https://names.example/openapi.json';
  ajv.addSchema({ ...description, $id: base });
  const validators = new Map<string, ValidateFunction>();
  assert.ok(answers.length > 100);
  for (const { published, example } of answers) {
    const { id, operation } = published;
    const media = resolved(description, operation.responses[example.status])?.content?.[example.contentType];
    assert.ok(media, `${id}: ${example.status} ${example.contentType} is not described`);
    const text = JSON.stringify(media.schema).replaceAll('"#/', `"${base}#/`);
    const validate = validators.get(text) ?? ajv.compile(JSON.parse(text));
    validators.set(text, validate);
    assert.ok(validate(example.value), `${id}: ${ajv.errorsText(validate.errors)}`);
  }
});

test('every answer of the description has an example of the shape that the server returns', async () => {
  const { answers } = await answered;
  const described = new Set<string>();
  const shown = answers.filter(({ published, example }) => {
    // Paths that one wildcard stands for share their answer and its example.
    const { $ref = published.id } = published.operation.responses[example.status];
    const isFirst = !described.has($ref);
    described.add($ref);
    return isFirst && !binary.includes(published.id);
  });
  if (process.env['RECORD_EXAMPLES'])
    writeFileSync(
      file,
      `${JSON.stringify(Object.fromEntries(shown.map(({ published, example }) => [published.id, example])), null, 2)}\n`,
    );
  else
    for (const { published, example } of shown) {
      const known = recorded[published.id];
      assert.ok(known, `${published.id} has no example: record it as the head of this file says`);
      assert.deepEqual(shapeOf(known), shapeOf(example), published.id);
    }
});

/** Members and types; of a list those of its first item. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}
