/** Imports into passive DNS of a cluster, lookups of what was imported while they go on, and a resolver that reports over dnstap. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { encodeMessage, wireName } from '../network/encode-dns-message.ts';
import * as written from '../network/encode-dnstap.ts';
import { nameglass } from '../server/command-line.ts';
import type { TestScope } from '../test-scope.ts';
import type { Answered } from './balanced-client.ts';
import type { ClusterUser } from './cluster-users.ts';
import type { Cluster } from './start-cluster.ts';

const namesPerRound = 300;
const seenSeconds = 1_700_000_000;
/** How long another node may take to see what was acknowledged. */
const visibleMs = 3000;

export const pathOf = (name: string) => `/pdns/v2/lookup/rrset/name/${name}/A`;
const nameOf = (index: number) => `n${index}.load.example`;

/** The sum of the counts of an answer; undefined where it is not a complete answer. */
export function countIn({ status, text }: Answered): number | undefined {
  if (status !== 200 || !text.includes('"succeeded"')) return undefined;
  return text
    .split('\n')
    .filter((line) => line.includes('"obj"'))
    .reduce((sum, line) => sum + (JSON.parse(line) as { obj: { count: number } }).obj.count, 0);
}

/** Rounds of imports of the same names, each seen once more: so a count says how many rounds are visible. */
export class PassiveDnsLoad {
  readonly #cluster: Cluster;
  readonly #user: ClusterUser;
  begun = 0;
  /** When each round was acknowledged. */
  readonly #acknowledgedMs: number[] = [];
  /** At most some: they are printed. */
  readonly wrong: string[] = [];
  lookups = 0;

  constructor(cluster: Cluster, user: ClusterUser) {
    this.#cluster = cluster;
    this.#user = user;
  }

  async importRound(): Promise<void> {
    this.begun += 1;
    const lines = Array.from({ length: namesPerRound }, (_, index) =>
      JSON.stringify({
        rrname: nameOf(index),
        rrtype: 'A',
        rdata: `192.0.2.${index % 250}`,
        bailiwick: 'load.example',
        count: 1,
        time_first: seenSeconds,
        time_last: seenSeconds + this.begun,
      }),
    );
    const args = ['import', 'rrsets', '-', '--format', 'cof', '--import-id', `round-${this.begun}`];
    const env = this.#cluster.workerEnvironment;
    const outcome = await nameglass(args, { env, input: `${lines.join('\n')}\n` });
    assert.equal(outcome.code, 0, outcome.err);
    this.#acknowledgedMs.push(performance.now());
  }

  /** Asks until it is stopped, of the balancer. Each answer has all rounds that were acknowledged a while ago, and none that was not begun. */
  async ask(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const name = nameOf(Math.floor(Math.random() * namesPerRound));
      const askedMs = performance.now();
      const least = this.#acknowledgedMs.filter((ms) => ms < askedMs - visibleMs).length;
      const answer = await this.#user.ask(pathOf(name)).catch((error: Error) => error);
      const count = 'status' in answer ? countIn(answer) : undefined;
      this.lookups += 1;
      if (count === undefined)
        this.#note('status' in answer ? `${answer.status} ${answer.text.slice(0, 300)}` : `${answer}`);
      else if (count < least || count > this.begun) this.#note(`${count} of ${least} to ${this.begun}`);
      await pause(5);
    }
  }

  #note(wrong: string): void {
    if (this.wrong.length < 10) this.wrong.push(wrong);
  }

  /** Every node has each name with all rounds, and all addresses. */
  async assertExact(): Promise<void> {
    const [first, second] = this.#cluster.apis;
    for (const node of [first, second]) {
      const { text, status } = await this.#user.askNode(
        node,
        '/pdns/v2/lookup/rrset/name/*.load.example?limit=10000',
      );
      const sum = countIn({ status, text, headers: {} });
      assert.equal(sum, this.begun * namesPerRound, `${node.name}: ${status} ${text.slice(0, 300)}`);
      const byAddress = await this.#user.askNode(node, '/pdns/v2/lookup/rdata/ip/192.0.2.0,24?limit=10000');
      assert.equal(countIn(byAddress), this.begun * namesPerRound, node.name);
    }
  }
}

/** A resolver that reports what it resolved to a worker. */
export class Resolver {
  readonly #socket: Socket;
  readonly reported: string[] = [];

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  static async connect(port: number, scope: TestScope): Promise<Resolver> {
    const socket = connect(port, '127.0.0.1');
    scope.after(() => void socket.destroy());
    await once(socket, 'connect');
    socket.write(written.ready);
    await once(socket, 'data');
    socket.write(written.start);
    return new Resolver(socket);
  }

  report(count: number): void {
    for (let left = count; left > 0; left -= 1) {
      const name = `s${this.reported.length}.sensor.example`;
      const records = [{ owner: name, type: 1, rdata: [Uint8Array.of(198, 51, 100, 7)] }];
      const frame = written.encodeDnstap({
        zone: wireName('sensor.example'),
        message: encodeMessage({ records }),
      });
      this.#socket.write(written.dataFrame(frame));
      this.reported.push(name);
    }
  }
}
