/** Users of a cluster, and what they ask of it. */
import { canaryBatchKey, canaryKey } from '../artifacts.ts';
import type { Answered, RequestOptions } from './balanced-client.ts';
import type { ClusterNode } from './cluster-node.ts';
import type { Cluster } from './start-cluster.ts';

export interface ClusterUser {
  readonly name: string;
  readonly key: string;
  readonly batchKey: string;
  /** Through the balancer. */
  ask(path: string, options?: RequestOptions): Promise<Answered>;
  /** Of one node, past the balancer. */
  askNode(node: ClusterNode, path: string, options?: RequestOptions): Promise<Answered>;
}

let users = 0;

/** In an account of its own. */
export async function newUser(cluster: Cluster, ...flags: readonly string[]): Promise<ClusterUser> {
  users += 1;
  const [name, key, batchKey] = [`user${users}`, canaryKey(), canaryBatchKey()];
  const given = ['--username', name, '--key', key, '--batch-key', batchKey];
  await cluster.run(['account', 'create', ...given, ...flags]);
  const withKey = (options: RequestOptions = {}) => ({
    ...options,
    headers: { 'x-api-key': key, ...options.headers },
  });
  return {
    name,
    key,
    batchKey,
    ask: (path, options) => cluster.client.ask(path, withKey(options)),
    askNode: (node, path, options) => askNode(node, path, withKey(options)),
  };
}

export async function askNode(
  node: ClusterNode,
  path: string,
  options: RequestOptions = {},
): Promise<Answered> {
  const answer = await fetch(node.url + path, { ...options, redirect: 'manual' });
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    text: await answer.text(),
  };
}

interface WebRequest {
  readonly cookie?: string;
  readonly body?: object;
}

/** A request of the web UI to one node: `askWeb(node, 'GET /me')`. */
export function askWeb(
  node: ClusterNode,
  route: string,
  { cookie, body }: WebRequest = {},
): Promise<Answered> {
  const [method = '', path = ''] = route.split(' ');
  const headers = {
    'sec-fetch-site': 'same-origin',
    'x-requested-with': 'nameglass',
    ...(cookie === undefined ? {} : { cookie }),
    ...(body ? { 'content-type': 'application/json' } : {}),
  };
  return askNode(node, `/ui/api${path}`, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
}

/** As a browser would send it back. */
export function cookieOf({ headers }: Answered): string {
  return /^[^;]+/.exec(String(headers['set-cookie']))?.[0] ?? '';
}

/** How often each status came, of so many requests by four clients at once. A connection that broke counts as 0. */
export async function countStatuses(
  requests: number,
  ask: (index: number) => Promise<Answered>,
  { clients = 4, withinMs = Number.POSITIVE_INFINITY } = {},
): Promise<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>();
  const untilMs = performance.now() + withinMs;
  let next = 0;
  const client = async () => {
    while (next < requests && performance.now() < untilMs) {
      const index = next++;
      const status = await ask(index).then(
        (answer) => answer.status,
        () => 0,
      );
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return counts;
}

/** The lines of a channel of the last hour. */
export function channelText(user: ClusterUser, channel: number): Promise<Answered> {
  const text = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
  const [hourMs, minuteMs] = [3_600_000, 60_000];
  const times = { start_time: text(Date.now() - hourMs), end_time: text(Date.now() + 2 * minuteMs) };
  const body = JSON.stringify({ apikey: user.batchKey, channel, ...times });
  return user.ask('/batchd/v1/batch/chfetch', { method: 'POST', body });
}
