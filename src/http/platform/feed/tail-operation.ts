/** The live tail of a feed as server-sent events, beyond the contract: for clients that do not want to poll. */
import { Type } from 'typebox';
import type { Caller } from '../../../model/account/account.ts';
import { isFeedName } from '../../../model/feed/feed.ts';
import { Problem } from '../../../model/problem.ts';
import { type FeedName, feedProducts, type ProductId } from '../../../model/product-catalogue.ts';
import { streamGrowth } from '../../../product/feed/follow-stream.ts';
import { findFilter } from '../../../product/feed/record-filter.ts';
import { findTailStart, scanTail, type TailNeeds, type TailQuery } from '../../../product/feed/tail.ts';
import { type AccessWatchNeeds, watchAccess } from '../event-stream/access-watch.ts';
import { OpenStreams } from '../event-stream/open-streams.ts';
import {
  type EventStreamNeeds,
  readLastEventId,
  sendEventStream,
} from '../event-stream/send-event-stream.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation, type OperationContext } from '../operation/define-operation.ts';
import { readFilter, readInstant, rejectInvalid, tailParameters } from './feed-parameters.ts';

export interface TailOperationNeeds extends Omit<TailNeeds, 'growth'>, EventStreamNeeds, AccessWatchNeeds {}

interface Tail {
  readonly query: TailQuery;
  readonly caller: Caller;
  readonly product: ProductId;
  readonly nowMs: number;
}

const pollMs = 250;
const idleMs = 1000;

export function tailOperation(needs: TailOperationNeeds): Operation {
  const tailNeeds = { ...needs, growth: streamGrowth(needs.streams, pollMs) };
  const openStreams = new OpenStreams(needs.settings.feeds.tailsPerUserMax, 'live tails');
  return defineOperation({
    id: 'getFeedTail',
    family: families.feed,
    route: 'GET /feed/:feed/tail/',
    product: findFeedProduct,
    permission: 'read',
    summary: 'Follows a feed: new records as server-sent events',
    description: 'Ends when the client disconnects, or its key no longer may.',
    parameters: tailParameters,
    responses: {
      200: {
        description: 'One event per record: the record as data, and an id to resume from',
        content: { 'text/event-stream': { schema: Type.String() } },
      },
    },
    onClose: () => openStreams.endAll(),
    parse: readTail,
    respond: ({ query, caller, product, nowMs }, request, reply) => {
      const begin = async (signal: AbortSignal) => {
        const start = await findTailStart(query, tailNeeds, nowMs);
        return scanTail(query, { start, signal, idleMs }, tailNeeds);
      };
      const watch = (onLost: () => void) =>
        watchAccess({ caller, client: request }, { product, permission: 'read' }, needs, onLost);
      return sendEventStream({ caller, watch, openStreams, begin }, needs, request, reply);
    },
  });
}

function findFeedProduct({ feed = '' }: Readonly<Record<string, string>>): ProductId | undefined {
  return isFeedName(feed) ? `${feedProducts[feed]}-(api)` : undefined;
}

function readTail({ caller, grant, parameters, nowMs, request }: OperationContext<{ after?: string }>): Tail {
  const { feed } = request.params as { feed: FeedName };
  if (!isFeedName(feed)) throw new Problem('not-found', 'There is no such feed.');
  const errors = new Map<string, string>();
  const afterSeconds = readInstant('after', parameters.after, nowMs, errors);
  const filter = findFilter(readFilter(feed, parameters, errors));
  const lastEventId = readLastEventId(request);
  if (lastEventId === 'invalid') errors.set('Last-Event-ID', 'is not the id of an event');
  rejectInvalid(errors);
  const lastOffset = lastEventId === 'invalid' ? undefined : lastEventId;
  return { query: { feed, afterSeconds, lastOffset, filter }, caller, product: grant.product, nowMs };
}
