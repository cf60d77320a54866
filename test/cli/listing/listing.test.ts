import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { wantsColour } from '../../../src/cli/listing/colour.ts';
import { memberAt } from '../../../src/cli/listing/column.ts';
import { Listing } from '../../../src/cli/listing/listing.ts';
import { formatOf, type ListingOptions } from '../../../src/cli/listing/listing-options.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const rows = [
  {
    domain: 'b.example',
    risk: { value: 9, count: 1 },
    ip: [{ address: '192.0.2.1' }, { address: '192.0.2.2' }],
  },
  { domain: 'a.example', risk: { value: 10, count: 1 }, ip: [] },
  { domain: 'c.example', risk: { value: '', count: 0 }, ip: [] },
];

async function written(t: TestContext, options: ListingOptions, name = 'out'): Promise<string> {
  const output = join(temporaryDirectory(t), name);
  const listing = new Listing<object>([], { quiet: true, ...options, output }, { environment: {} });
  for (const row of rows) await listing.add(row);
  await listing.end();
  return readFileSync(output, 'utf8');
}

test('a file gets one JSON object per line', async (t) => {
  assert.equal(await written(t, {}), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
});

test('fields are picked by path, unwrapped, and lists stay lists', async (t) => {
  const [first = ''] = (await written(t, { fields: ['domain', 'risk', 'ip.address'] })).split('\n');
  assert.deepEqual(JSON.parse(first), {
    domain: 'b.example',
    risk: 9,
    'ip.address': ['192.0.2.1', '192.0.2.2'],
  });
});

test('CSV has a header line, and quotes what needs it', async (t) => {
  assert.equal(
    await written(t, { csv: true, fields: ['domain', 'ip.address'] }),
    'domain,ip.address\r\nb.example,"192.0.2.1, 192.0.2.2"\r\na.example,\r\nc.example,\r\n',
  );
});

test('a file whose name ends with .csv is CSV', async (t) => {
  assert.match(await written(t, { fields: ['domain'] }, 'out.csv'), /^domain\r\nb\.example\r\n/);
});

test('numbers are sorted by value, and what is absent comes last in both directions', async (t) => {
  const sorted = async (descending: boolean) =>
    (await written(t, { csv: true, fields: ['domain'], sort: { field: 'risk', descending } }))
      .split('\r\n')
      .slice(1, -1);
  assert.deepEqual(await sorted(false), ['b.example', 'a.example', 'c.example']);
  assert.deepEqual(await sorted(true), ['a.example', 'b.example', 'c.example']);
});

test('a file does not exist before the listing is complete', async (t) => {
  const output = join(temporaryDirectory(t), 'out');
  const listing = new Listing<object>([], { output }, { environment: {} });
  await listing.add({ domain: 'a.example' });
  assert.equal(existsSync(output), false);
  await listing.end();
  assert.equal(readFileSync(output, 'utf8'), '{"domain":"a.example"}\n');
});

test('an empty CSV has its header', async (t) => {
  const output = join(temporaryDirectory(t), 'out');
  const listing = new Listing<object>([], { output, csv: true, fields: ['domain'] }, { environment: {} });
  await listing.end();
  assert.equal(readFileSync(output, 'utf8'), 'domain\r\n');
});

test('a terminal gets a table and a pipe NDJSON; flags and the name of a file decide otherwise', () => {
  assert.equal(formatOf({}, true), 'table');
  assert.equal(formatOf({}, false), 'ndjson');
  assert.equal(formatOf({}, false, 'table'), 'table');
  assert.equal(formatOf({ json: true }, true), 'ndjson');
  assert.equal(formatOf({ csv: true }, true), 'csv');
  assert.equal(formatOf({ output: 'x.ndjson' }, true), 'ndjson');
  assert.equal(formatOf({ output: 'x.csv' }, true), 'csv');
});

test('NO_COLOR, --no-color and a dumb terminal switch colours off', () => {
  assert.equal(wantsColour({}, {}), true);
  assert.equal(wantsColour({ color: false }, {}), false);
  assert.equal(wantsColour({}, { NO_COLOR: '1' }), false);
  assert.equal(wantsColour({}, { NO_COLOR: '' }), true);
  assert.equal(wantsColour({}, { TERM: 'dumb' }), false);
});

test('a path leads through lists and wrapped values, and nowhere else', () => {
  const record = {
    a: [{ b: { value: 1, count: 2 } }, { b: { value: 2, count: 2 } }],
    c: { value: 'x' },
    d: [],
  };
  assert.deepEqual(memberAt(record, 'a.b'), [1, 2]);
  assert.equal(memberAt(record, 'c'), 'x');
  assert.deepEqual(memberAt(record, 'd.e'), []);
  assert.equal(memberAt(record, 'c.d'), undefined);
  assert.equal(memberAt(record, 'constructor'), undefined);
});
