/** Downloads by link under `/range`: no key, no header; a link is judged before anything is looked up. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Clock } from '../../model/clock.ts';
import { Problem } from '../../model/problem.ts';
import { speak } from '../dialect.ts';
import { type DownloadNeeds, sendSpan } from './download.ts';
import { linkDialect } from './link-dialect.ts';
import type { RangeLinks } from './range-links.ts';

export interface RangeNeeds extends DownloadNeeds {
  readonly clock: Clock;
  readonly links: RangeLinks;
}

const params = Type.Object({
  channel: Type.String({ description: 'ch and the number' }),
  range: Type.String({ description: 'YYYYMMDD.HHMM.YYYYMMDD.HHMM' }),
});

const querystring = Type.Object(
  Object.fromEntries(
    ['Algorithm', 'Credential', 'Date', 'Expires', 'SignedHeaders', 'Signature'].map((name) => [
      `X-Amz-${name}`,
      Type.String(),
    ]),
  ),
);

const schema = {
  operationId: 'getRange',
  tags: ['Batch'],
  summary: 'Downloads what a link of makeurl opens',
  security: [],
  params,
  querystring,
  produces: ['application/x-ndjson'],
  response: { 200: Type.Any({ description: 'the data' }) },
};

export function rangeScope(needs: RangeNeeds) {
  return async (scope: FastifyInstance) => {
    speak(scope, linkDialect);
    scope.setValidatorCompiler(() => () => true);
    const url = '/:channel/:range';
    const config = { access: 'open', operation: 'getRange', scope: 'batch' } as const;
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const span = needs.links.getSpan(request.originalUrl, needs.clock.now());
      const declared = needs.settings.batch.channels[span.channel];
      if (!declared) throw new Problem('not-found', 'There is no such channel any more.');
      return sendSpan(request, reply, span, declared.mimetype, needs);
    };
    scope.route({ method: 'GET', url, config, schema, handler });
    scope.route({ method: 'HEAD', url, config, schema: { hide: true }, handler });
  };
}
