/** `nameglass campaign` in a pipe and in a pseudo-terminal, compared with golden files. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { findCampaign } from '../../../harness/fixtures/campaign-fixture.ts';
import { stixFaults } from '../../../product/export/stix-rules.ts';
import { assertGolden, goldenText } from './golden.ts';
import { remoteFixture } from './remote-fixture.ts';

const remote = await remoteFixture({ after });
const accountId = remote.user.caller.account.id;
const found = await findCampaign(remote.server, { accountId, members: 4, nowMs: remote.server.clock.now() });

/** With the id of the campaign replaced by text of the same width. */
const stable = (text: string): Promise<string> =>
  remote.stable(text.replaceAll(found.id, 'CAMPAIGN'.padEnd(found.id.length, 'X').slice(0, found.id.length)));

const readings: Readonly<Record<string, readonly string[]>> = {
  'campaign-list': ['campaign', 'list'],
  'campaign-list-domain': [
    'campaign',
    'list',
    '--domain',
    'acme-parcel1[.]example',
    '--fields',
    'name,state',
  ],
  'campaign-show': ['campaign', 'show', 'ACME parcels'],
  'campaign-members': ['campaign', 'members', 'acme parcels', '--fields', 'domain,state,joined_date,links'],
  'campaign-timeline': ['campaign', 'timeline', found.id],
};

for (const [name, args] of Object.entries(readings)) {
  test(`in a pipe: ${name}`, async () => {
    assertGolden(`${name}.pipe`, await stable(goldenText(args, await remote.pipe(args))));
  });
  test(`in a terminal: ${name}`, async () => {
    assertGolden(`${name}.terminal`, await stable(goldenText(args, await remote.terminal(args))));
  });
}

const shown = async (): Promise<Record<string, unknown>> =>
  (await remote.call(`GET /v1/intel-detect/campaigns/details/?id=${found.id}`)).json;

test('a campaign is renamed, followed, annotated, closed and reopened', async () => {
  for (const args of [
    ['rename', found.id, 'Parcel crew'],
    ['follow', 'parcel crew'],
    ['note', found.id, 'moves weekly'],
    ['close', found.id],
  ])
    assert.equal((await remote.pipe(['campaign', ...args])).code, 0, args.join(' '));
  const { name, followed, note, state } = await shown();
  assert.deepEqual([name, followed, note, state], ['Parcel crew', true, 'moves weekly', 'closed']);
  for (const args of [
    ['reopen', found.id],
    ['unfollow', found.id],
    ['rename', found.id, 'acme parcels'],
  ])
    assert.equal((await remote.pipe(['campaign', ...args])).code, 0, args.join(' '));
});

test('domains are removed and added, from standard input too', async () => {
  const [first = ''] = found.domains;
  assert.equal((await remote.pipe(['campaign', 'remove', found.id, first])).code, 0);
  assert.equal((await shown())['member_count'], 3);
  const input = `# comes back\nhxxps://${first.replace('.', '[.]')}/\n`;
  assert.equal((await remote.pipe(['campaign', 'add', found.id, '-'], { input })).code, 0);
  assert.equal((await shown())['member_count'], 4);
});

test('a campaign is written to a file as a STIX 2.1 bundle', async () => {
  const file = join(remote.home, 'campaign.json');
  const { code, out } = await remote.pipe(['campaign', 'export', found.id, '--stix', '--out', file]);
  assert.deepEqual([code, out], [0, '']);
  assert.deepEqual(stixFaults(JSON.parse(readFileSync(file, 'utf8'))), []);
});

test('a campaign is made, and forgotten by its name', async () => {
  const [first = ''] = found.domains;
  const made = await remote.pipe(['campaign', 'make', 'By hand', first]);
  assert.deepEqual([made.code, JSON.parse(made.out).member_count], [0, 1]);
  const forgotten = await remote.pipe(['campaign', 'forget', 'by hand']);
  assert.equal(forgotten.code, 0);
  assert.equal((await remote.pipe(['campaign', 'show', 'by hand'])).code, 4);
});

test('a campaign that there is not is one sentence and the exit code 4', async () => {
  const args = ['campaign', 'show', 'no such one'];
  assertGolden('campaign-unknown.pipe', await stable(goldenText(args, await remote.pipe(args))));
});
