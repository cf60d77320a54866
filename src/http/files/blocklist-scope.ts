/** Downloads blocklists under `/blocklists` by signed link. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { blocklistFileName, blocklistFormats } from '../../model/detect/blocklist/format.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { BlocklistFetches } from '../../product/detect/blocklist/blocklist-fetches.ts';
import { type BlocklistFile, type BlocklistNeeds, openBlocklist } from '../../product/detect/blocklists.ts';
import type { EscalationStore } from '../../store/escalation-store.ts';
import { acceptsGzip } from '../compression.ts';
import { setDialect } from '../dialect.ts';
import { linkDialect } from '../links/link-dialect.ts';
import type { LogRequest } from '../request-log.ts';
import { sendChunks } from '../send-chunks.ts';
import { getCurrentAccount, type LinkAccessNeeds, matchesEtag } from './blocklist-access.ts';
import type { BlocklistLinks } from './blocklist-links.ts';

export interface BlocklistScopeNeeds extends BlocklistNeeds, LinkAccessNeeds {
  readonly escalations: LinkAccessNeeds['escalations'] & Pick<EscalationStore, 'recordBlocklistFetch'>;
  readonly links: BlocklistLinks;
  readonly pageUrl: BlocklistFile['pageUrl'];
  readonly settings: Pick<Settings, 'detect' | 'feeds' | 'sharing'>;
  readonly logAbandoned: LogRequest;
}

const blocklistSchema = {
  templates: [
    {
      path: '{account}/{edition}/{file}',
      operationId: 'getBlocklist',
      params: {
        account: Type.String({ description: 'the id of the account' }),
        edition: Type.String({ description: 'rises when the links are renewed' }),
        file: Type.String({ description: 'the name of the list and of its format' }),
      },
    },
  ],
  tags: ['Detect'],
  summary: 'Downloads a blocklist by its link',
  description:
    'The link is in the answer of getDetectBlocklists. It needs no key, and works until the links are renewed.',
  security: [],
  querystring: Type.Object({ Signature: Type.String() }),
  produces: ['text/plain', 'application/stix+json'],
  response: {
    200: Type.Any({ description: 'the blocklist' }),
    304: Type.Any({ description: 'the client already has the current blocklist' }),
  },
};

export function blocklistScope(needs: BlocklistScopeNeeds) {
  const { settings, logAbandoned } = needs;
  const fetches = new BlocklistFetches(needs.escalations);
  const send = async (request: FastifyRequest, reply: FastifyReply) => {
    const target = needs.links.getTarget(request.originalUrl, needs.clock.now());
    const { name: accountName } = await getCurrentAccount(target, needs);
    const nowMs = needs.clock.now();
    const { accountId, selection, format } = target;
    const { pageUrl } = needs;
    const list = await openBlocklist(
      { accountId, selection },
      { format, pageUrl, accountName },
      needs,
      nowMs,
    );
    // Not a HEAD request: nobody has the list by it.
    if (request.method === 'GET')
      fetches.record(accountId, {
        selection,
        format,
        address: request.ip,
        agent: request.headers['user-agent'] ?? '',
        atMs: nowMs,
        version: list.serial,
      });
    // Weak, because the same list may be compressed or not.
    const etag = `W/"${target.edition}-${list.tag}"`;
    if (matchesEtag(request.headers['if-none-match'], etag))
      return reply.code(304).header('etag', etag).send();
    const { contentType } = blocklistFormats[format];
    const headers = {
      'content-type': contentType,
      'content-disposition': `attachment; filename="${blocklistFileName(selection, format)}"`,
      etag,
    };
    if (request.method === 'HEAD') return reply.headers({ ...headers, vary: 'accept-encoding' }).send();
    const gzip = acceptsGzip(request.headers['accept-encoding']);
    const { stalledSeconds } = settings.feeds;
    await sendChunks(
      request,
      reply,
      { status: 200, headers, gzip, stalledSeconds, logAbandoned },
      list.scan(),
    );
    return reply;
  };

  return async (scope: FastifyInstance) => {
    setDialect(scope, linkDialect);
    scope.setValidatorCompiler(() => () => true);
    const config = { access: 'open', operation: 'getBlocklist', scope: 'files' } as const;
    scope.route({ method: 'GET', url: '/*', config, schema: blocklistSchema, handler: send });
    scope.route({ method: 'HEAD', url: '/*', config, schema: { hide: true }, handler: send });
    // A truncated link is an altered link.
    scope.route({ method: ['GET', 'HEAD'], url: '', config, schema: { hide: true }, handler: send });
  };
}
