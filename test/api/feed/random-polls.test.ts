/** Property test: random polls of a session while records are appended return each record once, in order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { testServer } from '../../harness/server/test-server.ts';
import { type FeedServer, feedServer, namesOf, withFeeds, withoutFeedLimits } from './feed-fixture.ts';

type Step =
  | { readonly kind: 'append'; readonly count: number }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'poll'; readonly server: number; readonly top: number | undefined }
  | { readonly kind: 'together'; readonly count: number };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('append' as const), count: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 4000 }) }),
  fc.record({
    kind: fc.constant('poll' as const),
    server: fc.nat(1),
    top: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant('together' as const), count: fc.integer({ min: 2, max: 4 }) }),
);

let sessions = 0;

/** Sequential polls are ordered; of concurrent ones it is not known which was first. */
class PollSequence {
  readonly appended: string[] = [];
  readonly received: unknown[][] = [];
  readonly #servers: readonly FeedServer[];
  readonly #session: string;
  #status = 0;

  constructor(servers: readonly FeedServer[]) {
    this.#servers = servers;
    sessions += 1;
    this.#session = `s${sessions}`;
  }

  async run(step: Step): Promise<void> {
    if (step.kind === 'append') await this.#append(step.count);
    else if (step.kind === 'wait') await this.#wait(step.seconds);
    else if (step.kind === 'poll') this.received.push(await this.#poll(step.server, step.top));
    else await this.#together(step.count);
  }

  /** A real process paused for this long would have lost its session lease; here only the clock jumps. */
  async #wait(seconds: number): Promise<void> {
    const { accounts, clock, streams, username } = this.#servers[0] as FeedServer;
    const account = await accounts.findAccount(username);
    const reader = { stream: 'feed-noh', name: `session:${account?.id}:${this.#session}` };
    while (!(await streams.leaseOffset(reader, 'test', clock.now(), clock.now() + 1000)));
    await streams.releaseOffset(reader, 'test');
    clock.advanceSeconds(seconds);
  }

  async #append(count: number): Promise<void> {
    const names = Array.from(
      { length: count },
      (_, index) => `n${this.appended.length + index}.${this.#session}`,
    );
    await (this.#servers[0] as FeedServer).appendNames('noh', ...names);
    this.appended.push(...names);
  }

  async #together(count: number): Promise<void> {
    const polls = Array.from({ length: count }, (_, index) => this.#poll(index % 2, undefined));
    const append = this.#append(3);
    const answers = await Promise.all(polls);
    await append;
    const firstIndex = (names: unknown[]) => this.appended.indexOf(String(names[0]));
    this.received.push(
      ...answers.filter(({ length }) => length > 0).sort((a, b) => firstIndex(a) - firstIndex(b)),
    );
  }

  /** Distinct from those of other runs on the same feed. */
  async #poll(server: number, top: number | undefined): Promise<unknown[]> {
    const query = `sessionID=${this.#session}${top === undefined ? '' : `&top=${top}`}`;
    const answer = await (this.#servers[server] as FeedServer).poll('noh', query);
    assert.ok([200, 206].includes(answer.status));
    this.#status = answer.status;
    return namesOf(answer).filter((name) => String(name).endsWith(`.${this.#session}`));
  }

  /** Polls until nothing is left. */
  async end(): Promise<void> {
    do this.received.push(await this.#poll(0, undefined));
    while (this.#status === 206);
  }
}

test('FEED-16 random polls of a session, on two servers and while records are appended, return each record once and in order', async (t) => {
  const settings = { ...withoutFeedLimits, 'limits.feed.recordsMax': '7', 'feeds.retentionDays': '3000' };
  const one = await feedServer(t, { settings });
  const second = await testServer(t, { directory: one.directory, clock: one.clock, settings });
  const servers = [one, withFeeds(second, one.key, one.username)];
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 14 }), async (steps) => {
      const sequence = new PollSequence(servers);
      await sequence.run({ kind: 'poll', server: 0, top: undefined });
      await sequence.end();
      for (const each of steps) await sequence.run(each);
      await sequence.end();
      assert.deepEqual(sequence.received.flat(), sequence.appended);
    }),
    { numRuns: 25 },
  );
});
