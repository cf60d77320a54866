/**
 * A response of server-sent events that lasts until the client disconnects, loses access, or the server stops. The product
 * supplies the records.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../../model/account/account.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import type { LogRequest } from '../../request-log.ts';
import { sendChunks } from '../../send-chunks.ts';
import { disconnectSignal } from '../operation/disconnect-signal.ts';
import type { OpenStreams } from './open-streams.ts';
import { type EventRecord, eventsOf } from './server-sent-events.ts';

export interface EventStreamNeeds {
  readonly settings: Pick<Settings, 'feeds'>;
  readonly logAbandoned: LogRequest;
}

export interface EventStream {
  readonly caller: Caller;
  /** Calls back when the caller loses access, which ends the stream. Returns a function that stops watching. */
  readonly watch: (onLost: () => void) => Promise<() => void>;
  /** The streams that are open now; this one is added while it lasts. */
  readonly openStreams: OpenStreams;
  /** A Problem thrown here is still answered with its status. An empty batch says that there was nothing for a while. */
  readonly begin: (signal: AbortSignal) => Promise<AsyncIterable<readonly EventRecord[]>>;
}

export async function sendEventStream(
  { caller, watch, openStreams, begin }: EventStream,
  needs: EventStreamNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const end = openStreams.add(caller.user.id);
  let stopWatching: (() => void) | undefined;
  try {
    const signal = AbortSignal.any([end.signal, disconnectSignal(reply)]);
    const records = await begin(signal);
    stopWatching = await watch(() => end.abort());
    const options = {
      status: 200,
      headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
      gzip: false,
      stalledSeconds: needs.settings.feeds.stalledSeconds,
      logAbandoned: needs.logAbandoned,
    };
    await sendChunks(request, reply, options, eventsOf(records));
  } finally {
    stopWatching?.();
    openStreams.remove(caller.user.id, end);
  }
  return reply;
}

/** The header `Last-Event-ID` of a client that reconnects; `invalid` where it is no id of ours. */
export function readLastEventId({ headers }: FastifyRequest): number | 'invalid' | undefined {
  const text = headers['last-event-id']?.toString();
  if (text === undefined) return undefined;
  return /^\d{1,15}$/.test(text) ? Number(text) : 'invalid';
}
