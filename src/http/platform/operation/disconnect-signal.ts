import type { FastifyReply } from 'fastify';
import { Problem } from '../../../model/problem.ts';

/** Aborts when the client disconnects, so that no search goes on without a reader. */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort(new Problem('unavailable', 'The client has disconnected.'));
  if (reply.raw.destroyed) abort();
  reply.raw.once('close', abort);
  return controller.signal;
}
