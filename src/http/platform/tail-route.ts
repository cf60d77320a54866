/** The live tail of a feed as server-sent events, beyond the contract: for who would rather wait than ask. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Caller } from '../../model/account.ts';
import { isFeedName } from '../../model/feed.ts';
import { Problem } from '../../model/problem.ts';
import type { FeedName, ProductId } from '../../model/product-catalogue.ts';
import { Growth } from '../../product/feed/growth.ts';
import { findFilter } from '../../product/feed/record-filter.ts';
import { findTailStart, scanTail, type TailNeeds, type TailQuestion } from '../../product/feed/tail.ts';
import { sendPieces } from '../outflow.ts';
import type { LogRequest } from '../request-log.ts';
import { readInstant, readWishes, refuseWrong, tailParameters } from './feed-parameters.ts';
import { leavingSignal } from './leaving.ts';
import type { Asked, Offer } from './offer.ts';
import { OpenTails } from './open-tails.ts';
import { type StandingNeeds, watchStanding } from './standing.ts';
import { eventsOf } from './tail-events.ts';

export interface TailRouteNeeds extends Omit<TailNeeds, 'growth'>, StandingNeeds {
  readonly logAbandoned: LogRequest;
}

interface Tail {
  readonly question: TailQuestion;
  readonly caller: Caller;
  readonly product: ProductId;
  readonly nowMs: number;
}

const lookMs = 250;
const idleMs = 1000;

export function tailRoutes(offer: Offer, needs: TailRouteNeeds, scope: FastifyInstance): void {
  const growth = new Growth(needs.streams, lookMs);
  const open = new OpenTails(needs.settings.feeds.tailsPerUserMax);
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
    deliver: (tail, request, reply) => deliver(tail, { ...needs, growth }, open, request, reply),
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

async function deliver(
  { question, caller, product, nowMs }: Tail,
  needs: TailNeeds & TailRouteNeeds,
  open: OpenTails,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const end = open.add(caller.user.id);
  let stopWatching: (() => void) | undefined;
  try {
    const start = await findTailStart(question, needs, nowMs);
    stopWatching = await watchStanding(caller, { product, permission: 'read' }, needs, () => end.abort());
    const signal = AbortSignal.any([end.signal, leavingSignal(reply)]);
    const outflow = {
      status: 200,
      headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
      gzip: false,
      stalledSeconds: needs.settings.feeds.stalledSeconds,
      logAbandoned: needs.logAbandoned,
    };
    const records = scanTail(question, start, needs, signal, idleMs);
    await sendPieces(request, reply, outflow, eventsOf(records));
  } finally {
    stopWatching?.();
    open.remove(caller.user.id, end);
  }
  return reply;
}
