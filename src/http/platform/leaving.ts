import type { FastifyReply } from 'fastify';
import { Problem } from '../../model/problem.ts';

/** Comes when the client goes, so that nothing is searched for nobody. */
export function leavingSignal(reply: FastifyReply): AbortSignal {
  const leaving = new AbortController();
  const leave = () => leaving.abort(new Problem('unavailable', 'The client has left.'));
  if (reply.raw.destroyed) leave();
  reply.raw.once('close', leave);
  return leaving.signal;
}
