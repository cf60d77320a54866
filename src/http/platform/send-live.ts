/**
 * An answer of server-sent events that goes on until the client leaves, may not have it any more, or the server stops. What it is made
 * of is the product's; how long it lives is decided here.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../model/account.ts';
import type { ProductId } from '../../model/product-catalogue.ts';
import type { Settings } from '../../model/settings.ts';
import { sendPieces } from '../outflow.ts';
import type { LogRequest } from '../request-log.ts';
import { leavingSignal } from './leaving.ts';
import type { OpenTails } from './open-tails.ts';
import { type StandingNeeds, watchStanding } from './standing.ts';
import { eventsOf, type LiveRecord } from './tail-events.ts';

export interface LiveNeeds extends StandingNeeds {
  readonly settings: Pick<Settings, 'feeds'>;
  readonly logAbandoned: LogRequest;
}

export interface LiveAnswer {
  readonly caller: Caller;
  readonly product: ProductId;
  /** What it throws before the first record is answered as a problem. An empty list shows that nothing came for a while. */
  readonly begin: (signal: AbortSignal) => Promise<AsyncIterable<readonly LiveRecord[]>>;
}

export async function sendLive(
  { caller, product, begin }: LiveAnswer,
  open: OpenTails,
  needs: LiveNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const end = open.add(caller.user.id);
  let stopWatching: (() => void) | undefined;
  try {
    const signal = AbortSignal.any([end.signal, leavingSignal(reply)]);
    const records = await begin(signal);
    stopWatching = await watchStanding(caller, { product, permission: 'read' }, needs, () => end.abort());
    const outflow = {
      status: 200,
      headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
      gzip: false,
      stalledSeconds: needs.settings.feeds.stalledSeconds,
      logAbandoned: needs.logAbandoned,
    };
    await sendPieces(request, reply, outflow, eventsOf(records));
  } finally {
    stopWatching?.();
    open.remove(caller.user.id, end);
  }
  return reply;
}
