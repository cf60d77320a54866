/** gzip, only for a client that asks for it and an answer that is worth it. */
import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

const worthwhileBytes = 1024;

export function compressAnswers(scope: FastifyInstance): void {
  scope.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload !== 'string' || payload.length < worthwhileBytes) return done(null, payload);
    reply.header('vary', 'accept-encoding');
    const accepted = request.headers['accept-encoding'];
    if (accepted === undefined || !asksForGzip(accepted)) return done(null, payload);
    reply.header('content-encoding', 'gzip').removeHeader('content-length');
    return gzip(payload, done);
  });
}

/** `gzip;q=0` is a refusal. `*` is not taken as asking: clients that do not name gzip get what they can surely read. */
function asksForGzip(accepted: string): boolean {
  return accepted.split(',').some((part) => {
    const [coding = '', ...weights] = part.split(';').map((piece) => piece.trim().toLowerCase());
    return (
      (coding === 'gzip' || coding === 'x-gzip') && !weights.some((weight) => /^q=0(\.0*)?$/.test(weight))
    );
  });
}
