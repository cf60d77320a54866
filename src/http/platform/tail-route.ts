/** The live tail of a feed as server-sent events, beyond the contract: for who would rather wait than ask. */
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Caller } from '../../model/account.ts';
import { isFeedName } from '../../model/feed.ts';
import { Problem } from '../../model/problem.ts';
import type { FeedName, ProductId } from '../../model/product-catalogue.ts';
import { streamGrowth } from '../../product/feed/follow.ts';
import { findFilter } from '../../product/feed/record-filter.ts';
import { findTailStart, scanTail, type TailNeeds, type TailQuestion } from '../../product/feed/tail.ts';
import { readInstant, readWishes, refuseWrong, tailParameters } from './feed-parameters.ts';
import type { Asked, Offer } from './offer.ts';
import { OpenTails } from './open-tails.ts';
import { type LiveNeeds, sendLive } from './send-live.ts';

export interface TailRouteNeeds extends Omit<TailNeeds, 'growth'>, LiveNeeds {}

interface Tail {
  readonly question: TailQuestion;
  readonly caller: Caller;
  readonly product: ProductId;
  readonly nowMs: number;
}

const lookMs = 250;
const idleMs = 1000;

export function tailRoutes(offer: Offer, needs: TailRouteNeeds, scope: FastifyInstance): void {
  const tailNeeds = { ...needs, growth: streamGrowth(needs.streams, lookMs) };
  const open = new OpenTails(needs.settings.feeds.tailsPerUserMax, 'live tails');
  scope.addHook('preClose', async () => open.endAll());
  offer('getFeedTail', {
    parameters: tailParameters,
    answers: {
      200: {
        description: 'An event for each record: its id to go on from, and the record as data',
        content: { 'text/event-stream': { schema: Type.String() } },
      },
    },
    invalid: 'invalid-members',
    understand: readTail,
    deliver: ({ question, caller, product, nowMs }, request, reply) => {
      const begin = async (signal: AbortSignal) => {
        const start = await findTailStart(question, tailNeeds, nowMs);
        return scanTail(question, start, tailNeeds, signal, idleMs);
      };
      return sendLive({ caller, product, begin }, open, needs, request, reply);
    },
  });
}

function readTail({ caller, grant, parameters, nowMs, request }: Asked<{ after?: string }>): Tail {
  const { feed } = request.params as { feed: FeedName };
  // The product of the path was looked for before.
  if (!isFeedName(feed)) throw new Problem('not-found', 'There is no such feed.');
  const wrong = new Map<string, string>();
  const afterSeconds = readInstant('after', parameters.after, nowMs, wrong);
  const keeps = findFilter(readWishes(feed, parameters, wrong));
  const lastId = request.headers['last-event-id']?.toString();
  if (lastId !== undefined && !/^\d{1,15}$/.test(lastId)) wrong.set('Last-Event-ID', 'is no id of an event');
  refuseWrong(wrong);
  const lastPlace = lastId === undefined ? undefined : Number(lastId);
  return { question: { feed, afterSeconds, lastPlace, keeps }, caller, product: grant.product, nowMs };
}
