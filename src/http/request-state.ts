/** Fields that hooks add to a request. */
import type { FastifyInstance } from 'fastify';
import type { ProblemCode } from '../model/problem.ts';

/** Whose names the client uses: those of the contract, or of the compatibility profile. */
export type Wording = 'neutral' | 'vendor';

declare module 'fastify' {
  interface FastifyRequest {
    wording: Wording;
    /** The content type as sent; the body itself arrives as bytes. */
    sentContentType: string | undefined;
    /** For the request log. */
    username: string | undefined;
    problem: ProblemCode | undefined;
    /** For log and metrics, where the route serves several operations; one of a bounded number. */
    operationName: string | undefined;
  }
}

export function decorateRequests(app: FastifyInstance): void {
  app.decorateRequest('wording', 'neutral');
  app.decorateRequest('sentContentType', undefined);
  app.decorateRequest('username', undefined);
  app.decorateRequest('problem', undefined);
  app.decorateRequest('operationName', undefined);
}
