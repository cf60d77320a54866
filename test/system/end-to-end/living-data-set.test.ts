/** One lookalike from its registration to its move, seen through the APIs, in a world of its own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsPackage } from '../../harness/debian-package.ts';
import { startWorldServer, until, type WorldServer } from '../../harness/server/world-server.ts';

/** Generous, for an installation may come first. */
const options = { timeout: 900_000 };

interface Followed {
  readonly domain: string;
  readonly addresses: readonly string[];
}

async function watchBrand(server: WorldServer, brand: string): Promise<void> {
  const { monitor } = await server.send('POST', '/v1/intel-detect/monitors/', { term: brand });
  assert.equal(monitor.term, brand);
}

async function feedHas(server: WorldServer, feed: string, domain: string): Promise<number> {
  const lines = (await server.text(`/v1/feed/${feed}/?after=-3600`)).split('\n');
  return lines.filter((line) => line !== '' && JSON.parse(line).domain === domain).length;
}

/** What the collectors have not found yet. */
// biome-ignore lint/suspicious/noExplicitAny: whatever came
function missingOf(record: any): readonly string[] {
  const present = {
    addresses: record?.ip?.length > 0,
    'name servers': record?.name_server?.length > 0,
    certificate: record?.ssl_info?.length > 0,
    RDAP: record?.parsed_domain_rdap !== undefined,
    WHOIS: record?.parsed_whois !== undefined,
    'web page': record?.website_response === 200,
    ASN: record?.ip?.[0]?.asn?.length > 0,
    screenshot: record?.screenshot !== undefined,
  };
  return Object.entries(present).flatMap(([part, isPresent]) => (isPresent ? [] : [part]));
}

/** The record once every collector has probed the domain. */
async function untilWhole(server: WorldServer, domain: string) {
  let missing: readonly string[] = [];
  const what = () => `${domain} collected, without ${missing.join(', ')}`;
  return until(what, async () => {
    const found = await enriched(server, domain);
    missing = missingOf(found);
    return missing.length === 0 ? found : undefined;
  });
}

async function enriched(server: WorldServer, domain: string) {
  const flags = 'screenshots=1&parsed_whois=1&parsed_domain_rdap=1';
  const { response } = await server.get(`/v1/intel-enrich/?domain=${domain}&${flags}`);
  return response.results?.[0];
}

async function listed(server: WorldServer, list: 'new' | 'watched', domain: string) {
  const { watchlist_domains } = await server.get(`/v1/intel-detect/domains/${list}/?limit=100`);
  return watchlist_domains.find((one: { domain: string }) => one.domain === domain);
}

/** From the registration until everything about it is known. */
async function followNew(server: WorldServer, brand: string): Promise<Followed> {
  const { name: domain, addresses } = await server.world.registerLookalike(brand);
  await until(`${domain} on the feed`, async () =>
    (await feedHas(server, 'domaindiscovery', domain)) > 0 ? true : undefined,
  );
  const record = await untilWhole(server, domain);
  assert.deepEqual(
    record.ip.map((ip: { address: { value: string } }) => ip.address.value),
    addresses,
  );
  return { domain, addresses };
}

async function followMove(server: WorldServer, { domain, addresses }: Followed): Promise<void> {
  const found = await until(`${domain} on the list`, () => listed(server, 'new', domain));
  await server.send('PATCH', '/v1/intel-detect/domains/', {
    watchlist_domain_ids: [found.id],
    state: 'watched',
  });
  const moved = await server.world.moveHosting(domain);
  assert.notDeepEqual(moved.addresses, addresses);
  // Watching a domain probes it at once; that probe may have come before the move.
  await server.send('PATCH', '/v1/intel-detect/domains/', {
    watchlist_domain_ids: [found.id],
    state: 'ignored',
  });
  await server.send('PATCH', '/v1/intel-detect/domains/', {
    watchlist_domain_ids: [found.id],
    state: 'watched',
  });
  const change = await until(`${domain} has a change line`, async () => {
    const { response } = await server.get(`/v1/domain-history/?domain=${domain}`);
    return response.changes.find((one: { field: string }) => one.field === 'ip');
  });
  assert.equal(change.source, 'dns');
  await until(`${domain} has a changed_date`, async () => {
    const watched = await listed(server, 'watched', domain);
    return watched?.changed_date ? true : undefined;
  });
  for (const address of moved.addresses) {
    await until(`passive DNS of ${address}`, async () => {
      const text = await server.text(`/pdns/v2/lookup/rrset/name/${domain}/A`);
      return text.includes(`"${address}"`) ? true : undefined;
    });
  }
}

/** Everything on one name server: the lookalikes of one crew. */
async function neighbours(server: WorldServer, nameServer: string) {
  const { response } = await server.get(`/v1/intel-investigate/?nameserver_host=${nameServer}`);
  const counts = response.results.flatMap(
    ({ name_server }: { name_server: { host: { value: string; count: number } }[] }) =>
      name_server.filter(({ host }) => host.value === nameServer).map(({ host }) => host.count),
  );
  return { domains: response.results.map(({ domain }: { domain: string }) => domain).sort(), counts };
}

test(
  'SHOT-02 a lookalike is registered, discovered, collected and captured; its move is reported',
  options,
  async (t) => {
    if (!needsPackage(t, 'chromium', 'chromium')) return;
    const server = await startWorldServer(t);
    const [brand = ''] = server.world.brands;
    await watchBrand(server, brand);
    const followed = await followNew(server, brand);
    const other = await followNew(server, brand);
    const [nameServer = ''] = server.world.find(followed.domain)?.nameServers ?? [];
    const wanted = { domains: [followed.domain, other.domain].sort(), counts: [1, 1] };
    assert.deepEqual(await neighbours(server, nameServer), wanted, 'each has one other beside it');
    assert.equal(await feedHas(server, 'domaindiscovery', followed.domain), 1, 'published once');
    assert.ok((await feedHas(server, 'domainrdap', followed.domain)) >= 1);
    await followMove(server, followed);
  },
);

test('a server that is killed on the way comes to the same end', options, async (t) => {
  if (!needsPackage(t, 'chromium', 'chromium')) return;
  const server = await startWorldServer(t);
  const [brand = ''] = server.world.brands;
  await watchBrand(server, brand);
  const { name: domain } = await server.world.registerLookalike(brand);
  // At three places of the way, wherever they are.
  await until(`${domain} on the feed`, async () =>
    (await feedHas(server, 'domaindiscovery', domain)) > 0 ? true : undefined,
  );
  await server.killAndRestart();
  await until(`${domain} collected`, async () =>
    (await enriched(server, domain))?.name_server?.length > 0 ? true : undefined,
  );
  await server.killAndRestart();
  await untilWhole(server, domain);
  assert.equal(await feedHas(server, 'domaindiscovery', domain), 1, 'published once');
  const verified = await server.get(`/v1/intel-investigate/?domain=${domain}`);
  assert.equal(verified.response.results_count, 1);
});
