/** A server in a separate process connected to a simulated Internet, and requests to it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startWorld } from '../../../world/start-world.ts';
import type { World } from '../../../world/world.ts';
import { canaryKey } from '../artifacts.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import type { TestScope } from '../test-scope.ts';
import { nameglass, type Served, serve } from './command-line.ts';

export interface WorldServer {
  readonly world: World;
  readonly data: string;
  served(): Served;
  /** Kills the server with SIGKILL and restarts it on the same data. */
  killAndRestart(): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect arbitrary responses
  get(path: string): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect arbitrary responses
  send(method: string, path: string, body: object): Promise<any>;
  text(path: string): Promise<string>;
}

export interface WorldServerOptions {
  readonly domains?: number;
  readonly hostile?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
}

const patienceMs = 120_000;

/** Settings without rate limits and with minimal waiting times. */
const impatient = {
  'limits.detect.newDomainsQueriesPerHour': '100000',
  'limits.detect.watchedDomainsQueriesPerHour': '100000',
  'limits.detect.monitorsQueriesPerHour': '100000',
  'limits.feed.queriesPerMinute': '100000',
  'limits.feed.queriesPerHour': '100000',
  'limits.productRequestsPerMinute': '100000',
  'collect.serverPauseMilliseconds': '0',
  'collect.serverRequestsMax': '16',
  'sources.pollSeconds': '1',
  'collect.lookSeconds': '10',
};

export async function startWorldServer(
  scope: TestScope,
  options: WorldServerOptions = {},
): Promise<WorldServer> {
  const data = temporaryDirectory(scope);
  const dnstapSocket = join(data, 'dnstap.sock');
  const world = await startWorld(
    {
      seed: 11,
      domains: options.domains ?? 60,
      startMs: Date.now(),
      speed: 1,
      eventsPerHour: 0,
      hostile: options.hostile ?? false,
      directory: temporaryDirectory(scope),
      dnstapSocket,
    },
    () => Date.now(),
  );
  scope.after(() => world.close());
  const key = canaryKey();
  const user = ['--username', 'ann', '--key', key, '--permissions', 'read,triage,escalate,manage'];
  const made = await nameglass(['account', 'create', '--data', data, ...user]);
  assert.equal(made.code, 0, made.err);
  const settings = { ...world.settings, ...impatient, 'dnstap.socket': dnstapSocket, ...options.settings };
  const flags = Object.entries(settings).flatMap(([name, text]) => ['--set', `${name}=${text}`]);
  const start = () => serve(scope, ['--data', data, ...flags]);
  let served = await start();

  const request = async (path: string, more: RequestInit = {}) => {
    const headers = { 'x-api-key': key, ...(more.body ? { 'content-type': 'application/json' } : {}) };
    const answer = await fetch(served.url + path, { ...more, headers });
    const text = await answer.text();
    assert.ok(answer.ok, `${path}: ${answer.status} ${text}`);
    return text;
  };
  return {
    world,
    data,
    served: () => served,
    killAndRestart: async () => {
      await served.stop('SIGKILL');
      served = await start();
    },
    get: async (path) => JSON.parse(await request(path)),
    send: async (method, path, body) =>
      JSON.parse(await request(path, { method, body: JSON.stringify(body) })),
    text: (path) => request(path),
  };
}

/** Polls until there is a result. `what` may say what it has come to. */
export async function until<Result>(
  what: string | (() => string),
  find: () => Promise<Result | undefined>,
  pauseMs = 200,
  withinMs = patienceMs,
): Promise<Result> {
  const startedMs = Date.now();
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    if (Date.now() - startedMs >= withinMs)
      assert.fail(`${typeof what === 'string' ? what : what()}: not within ${withinMs / 1000} s`);
    await pause(pauseMs);
  }
}
