/** A server with role `all`, its processes, and clients that ask it without a pause. */
import assert from 'node:assert/strict';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { findRunning } from '../../../src/cli/running/running-process.ts';
import { canaryKey } from '../../harness/artifacts.ts';
import { isRunning, nameglass, type Served, serve } from '../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import type { TestScope } from '../../harness/test-scope.ts';

export interface SupervisedServer {
  readonly served: Served;
  readonly data: string;
  readonly key: string;
  /** Waits until a process of this role runs, and works. */
  pidOf(role: 'api' | 'worker', besides?: number): Promise<number>;
}

const patienceMs = 120_000;

export async function until<Found>(what: string, find: () => Promise<Found | undefined> | Found | undefined) {
  const end = performance.now() + patienceMs;
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    assert.ok(performance.now() < end, `not in time: ${what}`);
    await pause(20);
  }
}

const withoutLimits = ['limits.productRequestsPerMinute=1000000', 'limits.ingest.requestsPerMinute=1000000'];
const channels = '{"42":{"description":"Lines","mimetype":"application/x-ndjson"}}';

export async function supervisedServer(
  scope: TestScope,
  settings: readonly string[] = [],
  flags: readonly string[] = [],
): Promise<SupervisedServer> {
  const [data, key] = [temporaryDirectory(scope), canaryKey()];
  const user = ['--username', 'ann', '--key', key, '--permissions', 'read,manage,ingest'];
  for (const command of [
    ['create', ...user],
    ['own', 'ann', '42'],
  ]) {
    const made = await nameglass(['account', ...command, '--data', data]);
    assert.equal(made.code, 0, made.err);
  }
  const set = [
    `batch.channels=${channels}`,
    `dnstap.socket=${data}/dnstap.sock`,
    ...withoutLimits,
    ...settings,
  ];
  const served = await serve(scope, ['--data', data, '--set', ...set, ...flags]);
  await until('the whole first screen', () => (served.output().out.includes('Ctrl-C') ? true : undefined));
  return {
    served,
    data,
    key,
    pidOf: (role, besides) =>
      until(`a ${role} process`, () => {
        const found = findRunning(data)?.processes?.find((one) => one.role === role);
        const works = found?.pid !== undefined && found.state === 'running' && isRunning(found.pid);
        return works && found.pid !== besides ? found.pid : undefined;
      }),
  };
}

export interface Load {
  readonly answers: readonly { readonly status: number | undefined }[];
  /** Ids of lines that the server has acknowledged. */
  readonly acknowledged: readonly string[];
  readonly failures: readonly string[];
}

/** Clients that read and append lines, each one request after another, until the work is done. */
export async function underLoad(
  { served, key }: Pick<SupervisedServer, 'served' | 'key'>,
  clients: number,
  work: () => Promise<void>,
): Promise<Load> {
  const load = {
    answers: [] as { status: number | undefined }[],
    acknowledged: [] as string[],
    failures: [] as string[],
  };
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const over = new AbortController();
  const ask = async (client: number) => {
    for (let number = 0; !over.signal.aborted; number += 1) {
      const id = `${client}-${number}`;
      const isWrite = number % 2 === 1;
      try {
        const { status, body } = await send(served.url, agent, key, isWrite ? id : undefined);
        load.answers.push({ status });
        if (status !== 200) load.failures.push(`${status} ${body}`);
        else if (isWrite) load.acknowledged.push(id);
      } catch (error) {
        load.failures.push(String(error));
      }
    }
  };
  const asking = Promise.all(Array.from({ length: clients }, (_, client) => ask(client)));
  await work().finally(() => over.abort());
  await asking;
  agent.destroy();
  return load;
}

async function send(url: string, agent: Agent, key: string, id: string | undefined) {
  const [method, path] = id === undefined ? ['GET', '/v1/account/'] : ['POST', '/v1/channels/42/lines/'];
  const headers = { 'x-api-key': key, 'content-type': 'application/x-ndjson' };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${url}${path}`, { method, headers, agent })
      .on('response', resolve)
      .on('error', reject)
      .end(id === undefined ? undefined : `{"id":"${id}"}\n`);
  });
  return { status: answer.statusCode, body: await text(answer) };
}
