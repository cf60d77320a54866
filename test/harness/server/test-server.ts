/**
 * A complete server on real stores in a temporary directory, with a clock that the test controls. Requests are
 * injected, or sent through a reverse proxy where `TEST_PROXY` names one.
 */
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions } from 'fastify';
import pino from 'pino';
import { readConfig } from '../../../src/config.ts';
import type { Readiness } from '../../../src/http/front/operator-routes.ts';
import { createMetrics } from '../../../src/http/metrics.ts';
import type { Operation } from '../../../src/http/platform/operation/define-operation.ts';
import { platformOperations } from '../../../src/http/platform/operations.ts';
import { createServer } from '../../../src/http/server.ts';
import type { Caller, PdnsGrant } from '../../../src/model/account/account.ts';
import type { Permission } from '../../../src/model/account/permission.ts';
import type { ProcessState } from '../../../src/model/health/process-state.ts';
import type { ProductId } from '../../../src/model/product-catalogue.ts';
import type { RiskScorer } from '../../../src/model/risk/risk-scorer.ts';
import type { Settings } from '../../../src/model/settings/settings.ts';
import { ThreadedNameSearch } from '../../../src/pipeline/discovery/threaded-name-search.ts';
import { createUser, unlimitedPdns } from '../../../src/product/account/operate.ts';
import { PasswordHasher } from '../../../src/product/people/password-hasher.ts';
import { openRiskScorer } from '../../../src/product/risk/open-risk-scorer.ts';
import type { StoreFault } from '../../../src/store/engine/store-fault.ts';
import type { FreeSpace } from '../../../src/store/free-space.ts';
import type { RrsetStore } from '../../../src/store/rrset-store.ts';
import type { Stores } from '../../../src/stores.ts';
import { canaryBatchKey, canaryKey, keepText } from '../artifacts.ts';
import { observe, type Seen } from '../fixtures/observe-rrsets.ts';
import { TestClock } from '../test-clock.ts';
import type { TestScope } from '../test-scope.ts';
import { callThroughProxy, canBeSent } from './call-through-proxy.ts';
import { testProxy } from './client-address.ts';
import { environmentOf, newTestData, openTestStores } from './test-stores.ts';

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
  readonly keyAddresses?: readonly string[];
  readonly products?: readonly ProductId[];
  readonly permissions?: readonly Permission[];
  readonly channels?: readonly number[];
  /** Channels that the account owns from now on. */
  readonly ownChannels?: readonly number[];
  /** `null`: the key is not authorized for passive DNS. */
  readonly pdns?: PdnsGrant | null;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  readonly bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect arbitrary responses
  readonly json: any;
}

export interface TestServer extends Omit<Stores, 'close'> {
  readonly app: FastifyInstance;
  readonly clock: TestClock;
  readonly settings: Settings;
  readonly directory: string;
  /** Of commands that are to use the stores of the server. */
  readonly environment: Readonly<Record<string, string>>;
  /** A user with a separate account and every product, read-only by default. */
  user(options?: UserOptions): Promise<TestUser>;
  /** `call('GET /v1/account/', { headers: … })`. An object body is sent as JSON, a string or bytes unchanged. */
  call(route: string, options?: CallOptions): Promise<Answer>;
  /** Adds observations to passive DNS. */
  observe(seen: readonly Seen[]): Promise<void>;
  /** From now on all stores fail, and another server may open them. */
  closeStores(): Promise<void>;
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
  /** Operations that replace those with the same id. */
  readonly operations?: readonly Operation[];
  /** The directory of another server: two processes of one installation share it. */
  readonly directory?: string;
  readonly clock?: TestClock;
  /** The server has no other disk space than this. */
  readonly freeSpace?: FreeSpace;
  /** What a supervisor says of the processes; without it there is none. */
  readonly processes?: () => readonly ProcessState[];
  readonly readiness?: () => Readiness['state'];
  /** What stores that are a network away lack. */
  readonly findFaults?: () => Promise<readonly StoreFault[]>;
  readonly findUnsealedBytes?: () => Promise<number>;
  /** Where the built web UI is; without it there is none. */
  readonly appDirectory?: string;
  /** Wraps the rrset store that the server reads. */
  readonly rrsets?: (own: RrsetStore) => Pick<RrsetStore, 'scan' | 'scanText'>;
}

/** Real hashes, but cheap: their cost is tested where they are made. */
const cheapPasswords = { memoryKib: 8, passes: 1 };

let users = 0;

export async function testServer(scope: TestScope, options: TestServerOptions = {}): Promise<TestServer> {
  const directory = options.directory ?? (await newTestData(scope));
  const clock = options.clock ?? new TestClock();
  const flags = Object.fromEntries(
    Object.entries(options.settings ?? {}).map(([key, text]) => [key, { flag: '--set', text }]),
  );
  const proxied = testProxy && { 'http.trustProxy': { flag: '--set', text: '127.0.0.1' } };
  const { settings } = readConfig({ environment: {}, flags: { ...proxied, ...flags } });
  const stores = await openTestStores(directory, clock);
  let closing: Promise<void> | undefined;
  const closeStores = () => (closing ??= stores.close());
  const nameSearch = new ThreadedNameSearch();
  let riskScorer: RiskScorer | undefined;
  const lines: string[] = [];
  const logger = pino({ level: 'trace', base: null }, { write: (line) => void lines.push(line) });
  const logLine = (fields: object) => void lines.push(`${JSON.stringify(fields)}\n`);
  const metrics = createMetrics({ process: false });
  const needs = {
    ...stores,
    rrsets: options.rrsets?.(stores.rrsets) ?? stores.rrsets,
    freeSpace: options.freeSpace ?? stores.freeSpace,
    nameSearch,
    riskScorer: () => (riskScorer ??= openRiskScorer(settings)),
    clock,
    settings,
    logger,
    logLine,
    metrics,
    readiness: {
      get state() {
        return options.readiness?.() ?? 'ready';
      },
    },
    ...(options.processes ? { processes: options.processes } : {}),
    ...(options.findFaults ? { findFaults: options.findFaults } : {}),
    ...(options.findUnsealedBytes ? { findUnsealedBytes: options.findUnsealedBytes } : {}),
    version: 'test',
    passwords: new PasswordHasher(cheapPasswords),
    appDirectory: options.appDirectory ?? join(directory, 'no-app'),
  };
  const stubs = new Map(options.operations?.map((operation) => [operation.id, operation]));
  const app = await createServer(needs, (given) =>
    platformOperations(given).map((operation) => stubs.get(operation.id) ?? operation),
  );
  await app.ready();
  scope.after(async () => {
    await app.close();
    await nameSearch.close();
    await closeStores();
    keepText('logs', lines.join(''));
  });

  return {
    ...stores,
    app,
    clock,
    settings,
    directory,
    environment: await environmentOf(directory),
    observe: (seen) => observe(stores.rrsets, seen),
    user: (user) => addUser(stores.accounts, clock, user),
    call: (route, request = {}) =>
      (testProxy && canBeSent(request) ? callThroughProxy : call)(app, route, request),
    closeStores,
    log: () => lines.join(''),
  };
}

async function addUser(
  accounts: Stores['accounts'],
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
      keyAddresses: options.keyAddresses,
      products: options.products,
      channels: options.channels ?? 'all',
      pdns: options.pdns === null ? undefined : (options.pdns ?? unlimitedPdns),
    },
    { accounts, clock },
  );
  if (options.ownChannels) {
    const author = { actor: 'operator', atMs: clock.now() };
    await accounts.ownChannels(caller.account.name, options.ownChannels, author);
  }
  return { username, key, batchKey, caller };
}

async function call(app: FastifyInstance, route: string, options: CallOptions): Promise<Answer> {
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
