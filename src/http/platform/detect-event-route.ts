/** What happens on a watchlist as server-sent events, beyond the contract: for who would rather wait than ask. */
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Caller } from '../../model/account.ts';
import { type EventKind, eventKinds } from '../../model/detect/watchlist.ts';
import { fieldProblem } from '../../model/problem.ts';
import type { ProductId } from '../../model/product-catalogue.ts';
import type { Settings } from '../../model/settings.ts';
import {
  type EventQuestion,
  type FollowEventsNeeds,
  findEventsStart,
  scanEvents,
} from '../../product/detect/follow-events.ts';
import { Growth } from '../../store/growth.ts';
import { generalDraw } from './detect-draws.ts';
import type { Asked, Offer } from './offer.ts';
import { OpenTails } from './open-tails.ts';
import { type LiveNeeds, sendLive } from './send-live.ts';

export interface EventRouteNeeds extends LiveNeeds {
  readonly watchlist: FollowEventsNeeds['watchlist'];
  readonly settings: Pick<Settings, 'detect' | 'feeds' | 'limits'>;
}

interface Following {
  readonly question: EventQuestion;
  readonly caller: Caller;
  readonly product: ProductId;
}

const lookMs = 250;
const idleMs = 1000;

const parameters = Type.Object({
  events: Type.Optional(
    Type.Array(Type.Unsafe<EventKind>({ type: 'string', enum: [...eventKinds] }), {
      maxItems: eventKinds.length,
      description: 'kinds of events; by default all',
    }),
  ),
});

export function detectEventRoute(offer: Offer, needs: EventRouteNeeds, scope: FastifyInstance): void {
  const { watchlist, settings } = needs;
  const growth = new Growth((accountId) => watchlist.lastEventId(accountId), lookMs);
  const open = new OpenTails(settings.detect.eventStreamsPerUserMax, 'event streams');
  scope.addHook('preClose', async () => open.endAll());
  offer('getDetectEvents', {
    parameters,
    answers: {
      200: {
        description: 'An event with its id to go on from, and what happened as data',
        content: { 'text/event-stream': { schema: Type.String() } },
      },
    },
    draw: (asked) => generalDraw(asked, settings),
    understand: readFollowing,
    deliver: ({ question, caller, product }, request, reply) => {
      const begin = async (signal: AbortSignal) => {
        const start = await findEventsStart(question, { watchlist });
        return scanEvents(question, start, { watchlist, growth }, signal, idleMs);
      };
      return sendLive({ caller, product, begin }, open, needs, request, reply);
    },
  });
}

function readFollowing({
  caller,
  grant,
  parameters: { events: kinds = eventKinds },
  request,
}: Asked<{ events?: readonly EventKind[] }>): Following {
  const text = request.headers['last-event-id']?.toString();
  if (text !== undefined && !/^\d{1,15}$/.test(text))
    throw fieldProblem('invalid-parameters', 'Last-Event-ID', 'is no id of an event');
  const lastId = text === undefined ? undefined : Number(text);
  return { question: { accountId: caller.account.id, lastId, kinds }, caller, product: grant.product };
}
