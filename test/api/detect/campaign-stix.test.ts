/** A campaign as a STIX 2.1 bundle over the API, and what assistants get of campaigns. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { findCampaign } from '../../harness/fixtures/campaign-fixture.ts';
import { testServer } from '../../harness/server/test-server.ts';
import { stixFaults } from '../../product/export/stix-rules.ts';
import { toolFault, useTool } from '../assistant/assistant-fixture.ts';

const settings = { 'limits.assistant.burstRequests': '100000', 'assistant.answerBytesMax': '4096' };
const server = await testServer({ after }, { settings });
const { key, caller } = await server.user({ permissions: ['read', 'triage'] });
const accountId = caller.account.id;
const found = await findCampaign(server, { accountId, members: 120, nowMs: server.clock.now() });
const [first = '', second = ''] = found.domains;
const path = '/v1/intel-detect/campaigns/';

test('a campaign is one STIX 2.1 bundle with every member, and no indicator of what was ignored', async () => {
  const body = { watchlist_domain_ids: [found.ids.get(first)], state: 'ignored' };
  assert.equal((await server.call('PATCH /v1/intel-detect/domains/', { key, body })).status, 200);
  const answer = await server.call(`GET ${path}stix/?id=${found.id}`, { key });
  assert.equal(answer.status, 200);
  assert.match(answer.headers['content-type'] ?? '', /^application\/stix\+json/);
  const bundle = JSON.parse(answer.text);
  assert.deepEqual(stixFaults(bundle), []);
  const valuesOf = (type: string, member: string): string[] =>
    bundle.objects
      .filter((object: { type: string }) => object.type === type)
      .map((object: Record<string, string>) => object[member])
      .toSorted();
  assert.deepEqual(valuesOf('domain-name', 'value'), found.domains.toSorted());
  assert.deepEqual(valuesOf('indicator', 'name'), found.domains.slice(1).toSorted());
});

test('the bundle of a campaign that there is not, or of another account, is answered with 404', async () => {
  const other = await server.user();
  for (const [id, by] of [
    ['none', key],
    [found.id, other.key],
  ] as const)
    assert.equal((await server.call(`GET ${path}stix/?id=${id}`, { key: by })).status, 404);
});

test('an assistant finds the campaign of a domain, and what strangers wrote is marked', async () => {
  const { campaigns, total_count: total } = await useTool(server, key, 'campaigns', { domain: second });
  assert.equal(total, 1);
  assert.equal(campaigns[0].campaign_id, found.id);
  assert.equal(campaigns[0].member_count, 120);
  assert.ok(campaigns[0].from_third_parties.links.includes('registrant office@acme-crew.example'));
  assert.equal((await useTool(server, key, 'campaigns', { domain: 'other.example' })).total_count, 0);
});

test('an assistant reads all members of a campaign in answers that keep their bound', async () => {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const input = { campaign_id: found.id, limit: 50, ...(cursor === undefined ? {} : { cursor }) };
    const answer = await useTool(server, key, 'campaign', input);
    assert.ok(Buffer.byteLength(JSON.stringify(answer)) <= 4096);
    assert.ok(answer.members.length > 0);
    names.push(...answer.members.map(({ domain }: { domain: string }) => domain));
    cursor = answer.cursor;
  } while (cursor !== undefined);
  assert.deepEqual(names.toSorted(), found.domains.toSorted());
});

test('an unknown campaign is refused with a sentence', async () => {
  const fault = await toolFault(server, key, 'campaign', { campaign_id: 'none' });
  assert.match(JSON.stringify(fault), /no such campaign/);
});
