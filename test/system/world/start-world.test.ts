import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { Value } from 'typebox/value';
import { settingLeaves } from '../../../src/model/settings/settings.ts';
import { startWorld } from '../../../world/start-world.ts';
import type { World, WorldOptions } from '../../../world/world.ts';
import type { WorldEvent } from '../../../world/world-domain.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const hourMs = 3_600_000;
const usual: Omit<WorldOptions, 'directory'> = {
  seed: 11,
  domains: 120,
  startMs: Date.parse('2026-03-01T00:00:00Z'),
  speed: 0,
  eventsPerHour: 60,
  hostile: true,
};

async function started(t: TestContext, options: Partial<WorldOptions> = {}): Promise<World> {
  const world = await startWorld({ ...usual, directory: temporaryDirectory(t), ...options }, () => 0);
  t.after(() => world.close());
  return world;
}

/** As the settings reader parses it: lists of objects are JSON, other lists have commas. */
function valueOf(key: string, text: string): unknown {
  const schema = settingLeaves.find((leaf) => leaf.key === key)?.schema as unknown;
  const { type, items } = schema as { readonly type: string; readonly items?: { readonly type: string } };
  if (type === 'integer') return Number(text);
  if (type !== 'array') return text;
  return items?.type === 'object' ? (JSON.parse(text) as unknown) : text.split(',');
}

test('the settings of a world are all settings of Nameglass, of the right kind', async (t) => {
  const world = await started(t);
  for (const [key, text] of Object.entries(world.settings)) {
    const leaf = settingLeaves.find((each) => each.key === key);
    assert.ok(leaf, key);
    assert.ok(Value.Check(leaf.schema, valueOf(key, text)), `${key}: ${text}`);
  }
  for (const key of [
    'collect.resolvers',
    'collect.allow',
    'collect.addressFiles',
    'collect.popularityFile',
    'collect.httpPort',
    'sources.zoneFiles',
    'sources.certificateLogs',
  ]) {
    assert.ok(world.settings[key], key);
  }
  assert.equal(world.settings['collect.allow'], '127.80.0.0/12');
  assert.equal(world.brands.length, 8);
});

test('address ranges and popularity are published as files', async (t) => {
  const { settings } = await started(t);
  const ranges = readFileSync(settings['collect.addressFiles'] ?? '', 'utf8')
    .trim()
    .split('\n');
  assert.equal(ranges.length, 25);
  for (const line of ranges)
    assert.match(line, /^127\.\d+\.\d+\.0,127\.\d+\.\d+\.255,6\d{4},[^,]+,[A-Z]{2}$/);
  const ranks = readFileSync(settings['collect.popularityFile'] ?? '', 'utf8')
    .trim()
    .split('\n');
  assert.equal(ranks[0], '1,brightwater.zon');
  for (const [index, line] of ranks.entries()) assert.match(line, new RegExp(`^${index + 1},[a-z0-9.-]+$`));
});

test('a lookalike that is registered is found by DNS and shows the page of the brand where DNS says', async (t) => {
  const world = await started(t);
  const kinds: string[] = [];
  world.follow(({ kind }) => kinds.push(kind));
  const { name } = await world.registerLookalike('brightwater');
  const resolver = new Resolver();
  resolver.setServers([world.settings['collect.resolvers'] ?? '']);
  const [address] = await resolver.resolve4(name);
  const port = Number(world.settings['collect.httpPort']);
  const request = get({ host: address, port, headers: { host: name }, agent: false });
  const [page] = (await once(request, 'response')) as [IncomingMessage];
  page.resume();
  assert.equal(page.headers['server'], world.find(name)?.site?.server);
  await world.moveHosting(name);
  assert.notDeepEqual(await resolver.resolve4(name), [address]);
  await world.takeDown(name);
  await assert.rejects(resolver.resolve4(name), { code: 'ENOTFOUND' });
  assert.deepEqual(kinds, ['registered', 'hosted', 'certified', 'armed', 'moved', 'taken-down']);
  const { dns = 0, http = 0 } = world.statistics();
  assert.ok(dns >= 3 && http >= 1);
});

test('servers of registrars and logs are found by the DNS of the world', async (t) => {
  const world = await started(t);
  const resolver = new Resolver();
  resolver.setServers([world.settings['collect.resolvers'] ?? '']);
  const domain = world.find('brightwater.zon');
  const logs = JSON.parse(world.settings['sources.certificateLogs'] ?? '[]') as { readonly url: string }[];
  const hosts = [
    domain?.registrar.whoisHost ?? '',
    domain?.registrar.rdapHost ?? '',
    world.settings['collect.whoisServer'] ?? '',
    new URL(world.settings['collect.rdapBootstrapUrl'] ?? '').hostname,
    ...logs.map(({ url }) => new URL(url).hostname),
  ];
  for (const host of hosts) {
    const addresses = await resolver.resolve4(host);
    assert.match(addresses.join(), /^127\.(?:8\d|9[0-5])\.\d+\.\d+$/, host);
  }
});

test('time passes at once when asked, the same in two worlds of a seed', async (t) => {
  const [one, other] = await Promise.all(
    [1, 2].map(async () => {
      const world = await started(t);
      const events: WorldEvent[] = [];
      world.follow((event) => events.push(event));
      await world.advance(2 * hourMs);
      assert.equal(world.now(), usual.startMs + 2 * hourMs);
      return events;
    }),
  );
  assert.ok((one?.length ?? 0) > 30);
  assert.deepEqual(one, other);
});

function run(t: TestContext, ...args: readonly string[]): ChildProcess {
  const main = join(import.meta.dirname, '../../../world/main.ts');
  const child = spawn(process.execPath, [main, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

const inHaste = (t: TestContext) =>
  JSON.stringify({ ...usual, directory: temporaryDirectory(t), speed: 600, eventsPerHour: 600 });

test('as a process the world prints where it is and what happens, and ends with its parent', async (t) => {
  const child = run(t, inHaste(t));
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  const next = async () => JSON.parse(String((await lines.next()).value)) as Record<string, unknown>;
  const ready = await next();
  assert.equal(ready['ready'], true);
  assert.equal((ready['brands'] as string[]).length, 8);
  assert.ok((ready['settings'] as Record<string, string>)['collect.resolvers']);
  const event = await next();
  assert.deepEqual(Object.keys(event), ['atMs', 'kind', 'domain']);
  child.stdin?.end();
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test('as a process the world ends on SIGTERM', async (t) => {
  const child = run(t, inHaste(t));
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test('invalid options are reported in one line', async (t) => {
  const child = run(t, 'no JSON');
  const reported = once(child.stderr as NodeJS.ReadableStream, 'data') as Promise<[Buffer]>;
  assert.deepEqual(await once(child, 'exit'), [1, null]);
  assert.match(String((await reported)[0]), /^[^\n]+\n$/);
});
