/** Watchlist events as server-sent events, beyond the contract: for clients that do not want to poll. */
import { Type } from 'typebox';
import type { Caller } from '../../../model/account/account.ts';
import { type EventKind, eventKinds, followableEventKinds } from '../../../model/detect/watchlist.ts';
import { fieldProblem } from '../../../model/problem.ts';
import type { ProductId } from '../../../model/product-catalogue.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import {
  type EventQuery,
  type FollowEventsNeeds,
  findEventsStart,
  scanEvents,
} from '../../../product/detect/follow-events.ts';
import { GrowthPoller } from '../../../store/growth/growth-poller.ts';
import { type AccessWatchNeeds, watchAccess } from '../event-stream/access-watch.ts';
import { OpenStreams } from '../event-stream/open-streams.ts';
import {
  type EventStreamNeeds,
  readLastEventId,
  sendEventStream,
} from '../event-stream/send-event-stream.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation, type OperationContext } from '../operation/define-operation.ts';
import { generalCharge } from './charges.ts';

export interface EventOperationNeeds extends EventStreamNeeds, AccessWatchNeeds {
  readonly events: FollowEventsNeeds['events'];
  readonly settings: Pick<Settings, 'detect' | 'feeds' | 'limits'>;
}

interface Subscription {
  readonly query: EventQuery;
  readonly caller: Caller;
  readonly product: ProductId;
}

const pollMs = 250;
const idleMs = 1000;

const parameters = Type.Object({
  events: Type.Optional(
    Type.Array(Type.Unsafe<EventKind>({ type: 'string', enum: [...followableEventKinds] }), {
      maxItems: followableEventKinds.length,
      description: `kinds of events; by default ${eventKinds.join(', ')}`,
    }),
  ),
});

export function eventOperation(needs: EventOperationNeeds): Operation {
  const { events, settings } = needs;
  const growth = new GrowthPoller((accountId) => events.lastEventId(accountId), pollMs, events);
  const openStreams = new OpenStreams(settings.detect.eventStreamsPerUserMax, 'event streams');
  return defineOperation({
    id: 'getDetectEvents',
    family: families.detect,
    route: 'GET /intel-detect/events/',
    product: 'intel-detect-watched-domains',
    permission: 'read',
    summary: 'Follows the watchlist: its events as server-sent events',
    parameters,
    responses: {
      200: {
        description: 'One event per change of the watchlist: the change as data, and an id to resume from',
        content: { 'text/event-stream': { schema: Type.String() } },
      },
    },
    onClose: () => openStreams.endAll(),
    parse: readSubscription,
    charge: (context) => generalCharge(context, settings),
    respond: ({ query, caller, product }, request, reply) => {
      const begin = async (signal: AbortSignal) => {
        const start = await findEventsStart(query, { events });
        return scanEvents(query, start, { events, growth }, { signal, idleMs });
      };
      const watch = (onLost: () => void) =>
        watchAccess({ caller, client: request }, { product, permission: 'read' }, needs, onLost);
      return sendEventStream({ caller, watch, openStreams, begin }, needs, request, reply);
    },
  });
}

function readSubscription({
  caller,
  grant,
  parameters: { events: kinds = eventKinds },
  request,
}: OperationContext<{ events?: readonly EventKind[] }>): Subscription {
  const lastId = readLastEventId(request);
  if (lastId === 'invalid')
    throw fieldProblem('invalid-parameters', 'Last-Event-ID', 'is not the id of an event');
  return { query: { accountId: caller.account.id, lastId, kinds }, caller, product: grant.product };
}
