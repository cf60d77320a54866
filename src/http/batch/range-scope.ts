/** Downloads by presigned link under `/range`, without a key. The link is verified before anything is looked up. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Clock } from '../../model/clock.ts';
import { Problem } from '../../model/problem.ts';
import { setDialect } from '../dialect.ts';
import { linkDialect } from '../links/link-dialect.ts';
import type { RangeLinks } from './range-links.ts';
import { type DownloadNeeds, sendSpan } from './send-span.ts';

export interface RangeNeeds extends DownloadNeeds {
  readonly clock: Clock;
  readonly links: RangeLinks;
}

const params = Type.Object({
  channel: Type.String({ description: 'ch followed by the channel number' }),
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
  summary: 'Downloads data by a link from makeurl',
  description: 'What chfetch would return, without a key, until the link expires.',
  security: [],
  errors: 'link',
  params,
  querystring,
  produces: ['application/x-ndjson'],
  response: { 200: Type.Any({ description: 'the data' }) },
} as const;

export function rangeScope(needs: RangeNeeds) {
  return async (scope: FastifyInstance) => {
    setDialect(scope, linkDialect);
    scope.setValidatorCompiler(() => () => true);
    const url = '/:channel/:range';
    const config = { access: 'open', operation: 'getRange', scope: 'batch' } as const;
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const span = needs.links.getTarget(request.originalUrl, needs.clock.now());
      const declared = needs.settings.batch.channels[span.channel];
      if (!declared) throw new Problem('not-found', 'The channel no longer exists.');
      return sendSpan({ request, reply, span, mimetype: declared.mimetype }, needs);
    };
    scope.route({ method: 'GET', url, config, schema, handler });
    scope.route({ method: 'HEAD', url, config, schema: { hide: true }, handler });
  };
}
