/** A whole server on real stores in a temporary directory, with a clock that the test sets. Requests are injected. */
import type { TestContext } from 'node:test';
import type { FastifyInstance, InjectOptions } from 'fastify';
import pino from 'pino';
import { NameSearcher } from '../../src/collect/discovery/name-searcher.ts';
import { readConfig } from '../../src/config.ts';
import { createMetrics } from '../../src/http/metrics.ts';
import { accountRoutes } from '../../src/http/platform/account-routes.ts';
import { keyRoutes } from '../../src/http/platform/key-routes.ts';
import { type PlatformRoutes, platformRoutes } from '../../src/http/platform/scope.ts';
import { createServer } from '../../src/http/server.ts';
import type { Caller, PdnsGrant } from '../../src/model/account.ts';
import type { Permission } from '../../src/model/permission.ts';
import type { RiskScorer } from '../../src/model/risk/risk-scorer.ts';
import type { Settings } from '../../src/model/settings.ts';
import { createUser, unlimitedPdns } from '../../src/product/account/operate.ts';
import { openRiskScorer } from '../../src/product/risk/open-scorer.ts';
import type { AccountStore } from '../../src/store/account-store.ts';
import type { ArchiveStore } from '../../src/store/archive-store.ts';
import type { DomainStore } from '../../src/store/domain-store.ts';
import { openAccountStore } from '../../src/store/embedded/account-store.ts';
import { openArchiveStore } from '../../src/store/embedded/archive-store.ts';
import { openDomainStore } from '../../src/store/embedded/domain-store.ts';
import { openImageStore } from '../../src/store/embedded/image-store.ts';
import { openJobStore } from '../../src/store/embedded/job-store.ts';
import { openNameStore } from '../../src/store/embedded/name-store.ts';
import { openRiskStore } from '../../src/store/embedded/risk-store.ts';
import { openRrsetStore } from '../../src/store/embedded/rrset-store.ts';
import { openStreamStore } from '../../src/store/embedded/stream-store.ts';
import { openUsageStore } from '../../src/store/embedded/usage-store.ts';
import { openWatchlistStore } from '../../src/store/embedded/watchlist-store.ts';
import type { ImageStore } from '../../src/store/image-store.ts';
import type { JobStore } from '../../src/store/job-store.ts';
import { keyVault, linkKey, openServerSecret } from '../../src/store/key-vault.ts';
import type { NameStore } from '../../src/store/name-store.ts';
import type { RiskStore } from '../../src/store/risk-store.ts';
import type { RrsetStore } from '../../src/store/rrset-store.ts';
import type { StreamStore } from '../../src/store/stream-store.ts';
import type { UsageStore } from '../../src/store/usage-store.ts';
import type { WatchlistStore } from '../../src/store/watchlist-store.ts';
import { canaryBatchKey, canaryKey, keepText } from './artifacts.ts';
import { observe, type Seen } from './observe.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { TestClock } from './test-clock.ts';

export interface TestUser {
  readonly username: string;
  readonly key: string;
  readonly batchKey: string;
  readonly caller: Caller;
}

export interface UserOptions {
  readonly username?: string;
  readonly account?: string;
  readonly key?: string;
  readonly keyExpiresMs?: number;
  readonly permissions?: readonly Permission[];
  readonly channels?: readonly number[];
  /** `null`: the key is not authorized for passive DNS. */
  readonly pdns?: PdnsGrant | null;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  readonly bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever came
  readonly json: any;
}

export interface TestServer {
  readonly app: FastifyInstance;
  readonly clock: TestClock;
  readonly settings: Settings;
  readonly accounts: AccountStore;
  readonly usage: UsageStore;
  readonly rrsets: RrsetStore;
  readonly streams: StreamStore;
  readonly archives: ArchiveStore;
  readonly domains: DomainStore;
  readonly watchlist: WatchlistStore;
  readonly jobs: JobStore;
  readonly names: NameStore;
  readonly risks: RiskStore;
  readonly images: ImageStore;
  readonly directory: string;
  /** A user of an account of its own with every product, read-only unless told otherwise. */
  user(options?: UserOptions): Promise<TestUser>;
  /** `call('GET /v1/account/', { headers: … })`. An object as body is sent as JSON, a string as it is. */
  call(route: string, options?: CallOptions): Promise<Answer>;
  /** Makes what was seen known to passive DNS. */
  observe(seen: readonly Seen[]): Promise<void>;
  /** Everything logged so far. */
  log(): string;
}

export interface CallOptions {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | string;
  readonly from?: string;
}

export interface TestServerOptions {
  /** Settings by key as text: `{ 'compat.profile': 'vendor' }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Routes in place of those of the products, beside the account's own. */
  readonly routes?: readonly PlatformRoutes[];
  /** Of another server: two processes of one installation share it. */
  readonly directory?: string;
  readonly clock?: TestClock;
  /** What the server asks in place of its own store of RRsets. */
  readonly rrsets?: (own: RrsetStore) => Pick<RrsetStore, 'scan' | 'scanText'>;
}

let users = 0;

export async function testServer(t: TestContext, options: TestServerOptions = {}): Promise<TestServer> {
  const directory = options.directory ?? temporaryDirectory(t);
  const clock = options.clock ?? new TestClock();
  const flags = Object.fromEntries(
    Object.entries(options.settings ?? {}).map(([key, text]) => [key, { flag: '--set', text }]),
  );
  const { settings } = readConfig({ environment: {}, flags });
  const secret = openServerSecret(directory, '');
  const accounts = openAccountStore(directory, keyVault(secret));
  const usage = openUsageStore(directory);
  const rrsets = openRrsetStore(directory, clock);
  const streams = openStreamStore(directory);
  const archives = openArchiveStore(directory);
  const domains = openDomainStore(directory, clock);
  const watchlist = openWatchlistStore(directory);
  const jobs = openJobStore(directory);
  const names = openNameStore(directory);
  const risks = openRiskStore(directory);
  const images = openImageStore(directory);
  const nameSearch = new NameSearcher();
  let riskScorer: RiskScorer | undefined;
  const lines: string[] = [];
  const logger = pino({ level: 'trace', base: null }, { write: (line) => void lines.push(line) });
  const logLine = (fields: object) => void lines.push(`${JSON.stringify(fields)}\n`);
  const metrics = createMetrics({ process: false });
  const needs = {
    accounts,
    usage,
    rrsets: options.rrsets?.(rrsets) ?? rrsets,
    streams,
    archives,
    domains,
    watchlist,
    jobs,
    names,
    risks,
    images,
    nameSearch,
    riskScorer: () => (riskScorer ??= openRiskScorer(settings)),
    linkKey: linkKey(secret),
    clock,
    settings,
    logger,
    logLine,
    metrics,
    readiness: { draining: false },
    version: 'test',
  };
  const routes = options.routes ? [accountRoutes, keyRoutes, ...options.routes] : platformRoutes;
  const app = await createServer(needs, routes);
  await app.ready();
  t.after(async () => {
    await app.close();
    await nameSearch.close();
    await images.close();
    await risks.close();
    await names.close();
    await jobs.close();
    await watchlist.close();
    await domains.close();
    await streams.close();
    await rrsets.close();
    await usage.close();
    await accounts.close();
    keepText('logs', lines.join(''));
  });

  return {
    app,
    clock,
    settings,
    accounts,
    usage,
    rrsets,
    streams,
    archives,
    domains,
    watchlist,
    jobs,
    names,
    risks,
    images,
    directory,
    observe: (seen) => observe(rrsets, seen),
    user: (user) => addUser(accounts, clock, user),
    call: (route, request) => call(app, route, request),
    log: () => lines.join(''),
  };
}

async function addUser(
  accounts: AccountStore,
  clock: TestClock,
  options: UserOptions = {},
): Promise<TestUser> {
  users += 1;
  const { username = `user${users}`, key = canaryKey() } = options;
  const batchKey = canaryBatchKey();
  const { caller } = await createUser(
    {
      username,
      account: options.account,
      permissions: options.permissions ?? ['read'],
      apiKey: key,
      batchKey,
      keyExpiresMs: options.keyExpiresMs,
      channels: options.channels ?? 'all',
      pdns: options.pdns === null ? undefined : (options.pdns ?? unlimitedPdns),
    },
    { accounts, clock },
  );
  return { username, key, batchKey, caller };
}

async function call(app: FastifyInstance, route: string, options: CallOptions = {}): Promise<Answer> {
  const [method, url] = route.split(/ (.*)/s) as [InjectOptions['method'], string];
  const { key, headers, body, from } = options;
  const answer = await app.inject({
    method: method as NonNullable<InjectOptions['method']>,
    url,
    headers: { ...(key === undefined ? {} : { 'x-api-key': key }), ...headers },
    ...(body === undefined ? {} : { payload: body }),
    ...(from === undefined ? {} : { remoteAddress: from }),
  });
  keepText('answers', `${JSON.stringify(answer.headers)}\n${answer.payload}`);
  return {
    status: answer.statusCode,
    headers: answer.headers as Answer['headers'],
    text: answer.payload,
    bytes: answer.rawPayload,
    get json() {
      return JSON.parse(answer.payload);
    },
  };
}
