import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { discover, watchTerm } from '../../harness/fixtures/watch-domains.ts';
import { testServer } from '../../harness/server/test-server.ts';
import { ask, toolFault, toolNames, useTool } from './assistant-fixture.ts';

const roomy = {
  'limits.assistant.burstRequests': '100000',
  'assistant.writeTools': 'true',
  'assistant.answerBytesMax': '4096',
};
const server = await testServer({ after }, { settings: roomy });
const analyst = await server.user({ permissions: ['read', 'triage', 'escalate', 'manage'] });
const { key, caller } = analyst;
const accountId = caller.account.id;
const seenMs = server.clock.now();

const shared = { registrar: 'First Registrar', name_server: [{ host: 'ns1.shared.example' }] };
const names = Array.from({ length: 60 }, (_, index) => `acme-${String(index).padStart(2, '0')}.example`);
await server.domains.upsert(
  names.map((domain) => ({ record: { domain, ...shared }, source: 'test', seenMs })),
);
await server.names.recordNames('test', names, seenMs, undefined);
const monitorId = await watchTerm(server.monitors, accountId, seenMs);
const ids = await discover(server.watchlist, { accountId, monitorId, domains: names, atMs: seenMs });
await server.observe(names.map((name) => ({ rrname: `www.${name}.`, rrtype: 'A', rdata: ['192.0.2.9'] })));

const readTools = [
  'account_usage',
  'campaign',
  'campaigns',
  'count_pivot',
  'domain_dossier',
  'domain_history',
  'domain_requests',
  'evaluate',
  'evidence_cases',
  'import_hash',
  'infrastructure',
  'lookalikes_check',
  'lookalikes_list',
  'lookup_bulk',
  'lookup_single',
  'monitor_suggestions',
  'pdns_flexible',
  'pdns_forward',
  'pdns_inverse',
  'raw_answers',
  'registration',
  'risk_of_name',
  'website',
];

test('a key with every permission gets the tools that write where the settings allow them', async () => {
  const all = [
    ...readTools,
    'escalate_block',
    'evidence_pack',
    'monitor_back_test',
    'monitor_create',
    'monitor_preview',
    'triage',
  ].sort();
  assert.deepEqual((await toolNames(server, key)).sort(), all);
});

test('a key that may only read gets no tool that writes', async () => {
  const reader = await server.user();
  assert.deepEqual((await toolNames(server, reader.key)).sort(), readTools);
  const result = await ask(server, reader.key, 'tools/list');
  assert.ok(
    result.tools.every(
      ({ annotations }: { annotations: { readOnlyHint: boolean } }) => annotations.readOnlyHint,
    ),
  );
});

test('a key without passive DNS, or without a product, does not get their tools', async () => {
  const other = await server.user({ pdns: null, products: ['intel-enrich'] });
  assert.deepEqual((await toolNames(server, other.key)).sort(), [
    'account_usage',
    'lookalikes_check',
    'lookup_bulk',
    'risk_of_name',
  ]);
});

test('names of tools have lower-case letters and underscores, and inputs allow nothing that they do not declare', async () => {
  const { tools } = await ask(server, key, 'tools/list');
  for (const { name, inputSchema, description } of tools) {
    assert.match(name, /^[a-z_]+$/);
    assert.equal(inputSchema.additionalProperties, false, name);
    assert.ok(description.length > 20, name);
  }
});

test('only escalate_block is marked as destructive', async () => {
  const { tools } = await ask(server, key, 'tools/list');
  const destructive = tools.filter(
    (tool: { annotations: { destructiveHint: boolean } }) => tool.annotations.destructiveHint,
  );
  assert.deepEqual(
    destructive.map(({ name }: { name: string }) => name),
    ['escalate_block'],
  );
});

/** All rows of a tool, page by page. */
async function pages(tool: string, input: object, rows: string): Promise<{ domain: string }[]> {
  const found: { domain: string }[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 30; page += 1) {
    const data = await useTool(server, key, tool, { ...input, ...(cursor === undefined ? {} : { cursor }) });
    assert.ok(Buffer.byteLength(JSON.stringify(data)) < 4096);
    found.push(...data[rows]);
    if (data.cursor === undefined) return found;
    cursor = data.cursor;
  }
  return found;
}

test('a search gives the count first and every domain once over its pages, however few fit in an answer', async () => {
  const where = [{ parameter: 'nameserver_host', value: 'ns1.shared.example' }];
  const first = await useTool(server, key, 'infrastructure', { where, limit: 100 });
  assert.equal(Object.keys(first)[0], 'total_count');
  assert.deepEqual([first.total_count, first.truncated, first.more], [60, true, 60 - first.shown]);
  const found = await pages('infrastructure', { where, limit: 100, sort: 'domain' }, 'domains');
  assert.deepEqual(
    found.map(({ domain }) => domain),
    names,
  );
});

test('a cursor of another search is refused with a sentence', async () => {
  const where = [{ parameter: 'registrar', value: 'First Registrar' }];
  const { cursor } = await useTool(server, key, 'evaluate', { where, limit: 5 });
  const other = [{ parameter: 'nameserver_host', value: 'ns1.shared.example' }];
  assert.match(
    await toolFault(server, key, 'evaluate', { where: other, limit: 5, cursor }),
    /not a position of this search/,
  );
});

test('an unknown search parameter is refused and says where the known ones are', async () => {
  const fault = await toolFault(server, key, 'evaluate', { where: [{ parameter: 'nonsense', value: 'x' }] });
  assert.match(fault, /where: has an unknown parameter; the resource docs.search has all/);
});

test('import_hash runs a saved search', async () => {
  const hash = await server.call('GET /v1/intel-investigate/search-hash/?registrar=First+Registrar', { key });
  const { search_hash } = hash.json.response;
  assert.equal((await useTool(server, key, 'import_hash', { search_hash })).total_count, 60);
});

test('count_pivot counts and never lists domains', async () => {
  const data = await useTool(server, key, 'count_pivot', {
    parameter: 'registrar',
    value: 'first registrar',
  });
  assert.deepEqual([data.total_count, data.guided_pivot], [60, true]);
  assert.ok(!JSON.stringify(data).includes('acme-0'));
});

test('the watchlist has every lookalike once over its pages', async () => {
  const found = await pages('lookalikes_list', { state: 'new', limit: 50 }, 'domains');
  assert.deepEqual(found.map(({ domain }) => domain).sort(), names);
});

test('lookalikes of another account are never there', async () => {
  const other = await server.user();
  assert.equal((await useTool(server, other.key, 'lookalikes_list', { state: 'new' })).total_count, 0);
  assert.equal((await useTool(server, other.key, 'domain_dossier', { domain: names[0] })).watchlist, null);
});

test('passive DNS has a summary first, and every row once over its pages', async () => {
  const first = await useTool(server, key, 'pdns_inverse', { value: '192.0.2.9', limit: 200 });
  assert.deepEqual([Object.keys(first)[0], first.records], ['records', 60]);
  const found = await pages('pdns_inverse', { value: '192.0.2.9', limit: 200 }, 'rows');
  const owners = found.map(
    (row) => (row as unknown as { from_third_parties: { rrname: string } }).from_third_parties.rrname,
  );
  assert.deepEqual(
    owners.sort(),
    names.map((name) => `www.${name}.`),
  );
});

test('lookup_bulk lists unknown domains', async () => {
  const data = await useTool(server, key, 'lookup_bulk', { domains: [names[0], 'never[.]seen[.]example'] });
  assert.deepEqual([data.known, data.unknown], [1, ['seen.example']]);
});

test('lookalikes_check says which names resemble a term, and how', async () => {
  const data = await useTool(server, key, 'lookalikes_check', {
    term: 'paypal',
    names: ['paypa1.com', 'example.com'],
  });
  assert.deepEqual([data.names, data.lookalikes, data.matches[0].domain], [2, 1, 'paypa1.com']);
});

test('risk_of_name says that it judges by the name alone', async () => {
  const data = await useTool(server, key, 'risk_of_name', { names: ['secure-login-paypal.example'] });
  assert.equal(data.by_name_alone, true);
  assert.equal(typeof data.domains[0].score, 'number');
});

test('triage moves lookalikes, says before and after, and is in the audit log with reason and client', async () => {
  const id = ids.get(names[1] as string) as string;
  const data = await useTool(server, key, 'triage', {
    ids: [id],
    state: 'watched',
    reason: 'looks like our login',
  });
  assert.deepEqual(data.changed, [{ id, domain: names[1], before: 'new', after: 'watched' }]);
  const [entry] = await server.accounts.listAudit({ account: caller.account.name, limit: 1 });
  assert.deepEqual([entry?.action, entry?.actor], ['assistant.triage', analyst.username]);
  assert.deepEqual(entry?.detail, {
    ids: [id],
    state: 'watched',
    reason: 'looks like our login',
    client: 'test client',
  });
});

test('escalate_block puts lookalikes on the blocklists', async () => {
  const id = ids.get(names[2] as string) as string;
  const data = await useTool(server, key, 'escalate_block', { ids: [id], reason: 'a phishing page' });
  assert.deepEqual(data.changed, [{ id, domain: names[2], before: 'new', after: 'blocked' }]);
  const { watchlist } = await useTool(server, key, 'domain_dossier', { domain: names[2] });
  assert.equal(watchlist.escalations[0].type, 'blocked');
});

test('a lookalike of another account cannot be triaged', async () => {
  const other = await server.user({ permissions: ['triage'] });
  const id = ids.get(names[3] as string) as string;
  const data = await useTool(server, other.key, 'triage', {
    ids: [id],
    state: 'ignored',
    reason: 'not mine at all',
  });
  assert.deepEqual([data.changed_count, data.refused], [0, [{ id, why: 'unknown' }]]);
});

test('a decision without a reason is refused', async () => {
  const id = ids.get(names[4] as string) as string;
  assert.match(
    await toolFault(server, key, 'triage', { ids: [id], state: 'ignored' }),
    /reason: is required/,
  );
});

test('a monitor is previewed and created', async () => {
  const preview = await useTool(server, key, 'monitor_preview', { term: 'zanzibar' });
  assert.deepEqual([preview.total_count, preview.complete], [0, true]);
  const created = await useTool(server, key, 'monitor_create', { term: 'zanzibar', reason: 'a new brand' });
  assert.equal((await server.monitors.findMonitor(accountId, created.monitor_id))?.term, 'zanzibar');
});

test('an evidence pack is made for a person to download, with a letter', async () => {
  const made = await useTool(server, key, 'evidence_pack', {
    domains: [names[0]],
    recipient: 'registrar',
    reason: 'phishing of customers',
  });
  const found = await server.cases.findCase({ accountId, id: made.id });
  assert.deepEqual(
    [found?.domains, found?.recipient, found?.note],
    [[names[0]], 'registrar', 'phishing of customers'],
  );
  assert.ok(made.letter.includes(made.sha256));
  const { cases } = await useTool(server, key, 'evidence_cases', { id: made.id });
  assert.deepEqual(cases[0].from_third_parties, { note: 'phishing of customers' });
});

test('a change of a monitor is back-tested, and nothing is changed', async () => {
  const { monitor_id } = await useTool(server, key, 'monitor_create', { term: 'quokka', reason: 'a brand' });
  const result = await useTool(server, key, 'monitor_back_test', { monitor_id, text_exclusions: ['fan'] });
  assert.deepEqual([result.days, result.before_count, result.after_count, result.complete], [90, 0, 0, true]);
  assert.deepEqual(result.disappearing, { total_count: 0, watched: 0, ignored: 0, escalated: 0 });
  assert.deepEqual((await server.monitors.findMonitor(accountId, monitor_id))?.textExclusions, []);
  assert.match(await toolFault(server, key, 'monitor_back_test', {}), /term: is required for a new monitor/);
});

test('what was asked of a domain is answered, with hosts as text of third parties', async () => {
  const domain = names[0] as string;
  const request = { collector: 'web', protocol: 'https', host: `www.${domain}`, port: 443 } as const;
  const made = { ...request, domain, address: '192.0.2.1', source: '198.51.100.7', outcome: '200' };
  await server.opsec.addRequests([{ ...made, atMs: Date.parse('2026-03-04T10:00:00Z') }]);
  const { passive_only, requests } = await useTool(server, key, 'domain_requests', { domain });
  assert.equal(passive_only, false);
  assert.deepEqual(requests, [
    {
      date: '2026-03-04T10:00:00.000Z',
      collector: 'web',
      protocol: 'https',
      address: '192.0.2.1',
      port: 443,
      source: '198.51.100.7',
      from_third_parties: { host: `www.${domain}`, outcome: '200' },
    },
  ]);
});

test('a term that the API refuses is refused with its sentence', async () => {
  assert.match(
    await toolFault(server, key, 'monitor_preview', { term: '---' }),
    /at least one of them a letter or digit/,
  );
});

test('an input that a tool does not declare is refused and not repeated', async () => {
  const fault = await toolFault(server, key, 'account_usage', { ignore_all_rules: 1 });
  assert.match(fault, /has a member that this tool does not know/);
  assert.ok(!fault.includes('ignore_all_rules'));
});

test('what is no domain is refused with a sentence', async () => {
  assert.match(
    await toolFault(server, key, 'domain_dossier', { domain: '192.0.2.1' }),
    /is an IP address, not a domain name/,
  );
});

test('prompts name the domain in punycode and the tools in their order', async () => {
  const { prompts } = await ask(server, key, 'prompts/list');
  assert.deepEqual(
    prompts.map(({ name }: { name: string }) => name),
    ['investigate-domain', 'triage-lookalikes', 'hunt-from-pivot', 'takedown-report', 'weekly-brand-summary'],
  );
  const given = { name: 'investigate-domain', arguments: { domain: 'bücher[.]example' } };
  const { messages } = await ask(server, key, 'prompts/get', given);
  assert.match(messages[0].content.text, /Investigate xn--bcher-kva\.example\. 1\. domain_dossier/);
});

test('the dossier is a resource too, and names are completed from all that sources have reported', async () => {
  const { contents } = await ask(server, key, 'resources/read', { uri: `nameglass://domain/${names[0]}` });
  assert.match(contents[0].text, /"domain":"acme-00\.example"/);
  const ref = { type: 'ref/resource', uri: 'nameglass://domain/{name}' };
  const { completion } = await ask(server, key, 'completion/complete', {
    ref,
    argument: { name: 'name', value: 'ACME-1' },
  });
  assert.deepEqual(completion.values, names.slice(10, 20));
});

test('a monitor is a resource with its counts, and monitors are listed', async () => {
  const { resources } = await ask(server, key, 'resources/list');
  assert.ok(resources.some(({ uri }: { uri: string }) => uri === `nameglass://monitor/${monitorId}`));
  const { contents } = await ask(server, key, 'resources/read', { uri: `nameglass://monitor/${monitorId}` });
  const { term, domains } = JSON.parse(contents[0].text);
  assert.deepEqual([term, domains.new + domains.watched], ['acme', 60]);
});

test('the pages about lookalikes, risk and searches can be read', async () => {
  for (const page of ['lookalikes', 'risk', 'search']) {
    const { contents } = await ask(server, key, 'resources/read', { uri: `nameglass://docs/${page}` });
    assert.ok(contents[0].text.length > 200, page);
  }
});
