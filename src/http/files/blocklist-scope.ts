/** Blocklists under `/blocklists`, for whoever has a link. The link is judged before anything is looked up. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { findGrant } from '../../model/account.ts';
import type { Clock } from '../../model/clock.ts';
import { blocklistFormats } from '../../model/detect/blocklist/format.ts';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings.ts';
import { type BlocklistNeeds, openBlocklist } from '../../product/detect/blocklists.ts';
import type { AccountStore } from '../../store/account-store.ts';
import type { WatchlistStore } from '../../store/watchlist-store.ts';
import { linkDialect } from '../batch/link-dialect.ts';
import { asksForGzip } from '../compression.ts';
import { speak } from '../dialect.ts';
import { sendPieces } from '../outflow.ts';
import type { LogRequest } from '../request-log.ts';
import type { BlocklistLinks, BlocklistTarget } from './blocklist-links.ts';

export interface BlocklistScopeNeeds extends BlocklistNeeds {
  readonly watchlist: BlocklistNeeds['watchlist'] & Pick<WatchlistStore, 'blocklistEdition'>;
  readonly accounts: Pick<AccountStore, 'listUsers'>;
  readonly links: BlocklistLinks;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'detect' | 'feeds'>;
  readonly logAbandoned: LogRequest;
}

const blocklistSchema = {
  operationId: 'getBlocklist',
  tags: ['Detect'],
  summary: 'Downloads a blocklist by its link',
  security: [],
  querystring: Type.Object({ Signature: Type.String() }),
  produces: ['text/plain'],
  response: {
    200: Type.Any({ description: 'the blocklist' }),
    304: Type.Any({ description: 'what the client has is the blocklist still' }),
  },
};

export function blocklistScope(needs: BlocklistScopeNeeds) {
  const { settings, logAbandoned } = needs;
  const send = async (request: FastifyRequest, reply: FastifyReply) => {
    const target = needs.links.getTarget(request.originalUrl);
    if (!(await isGood(target, needs)))
      throw new Problem('credentials-expired', 'The link has been replaced. List the blocklists again.');
    const list = await openBlocklist(target.accountId, target.format, needs);
    // Weak, for packed and unpacked are the same list.
    const etag = `W/"${target.edition}-${list.tag}"`;
    if (names(request.headers['if-none-match'], etag)) return reply.code(304).header('etag', etag).send();
    const { contentType, fileName } = blocklistFormats[target.format];
    const headers = {
      'content-type': contentType,
      'content-disposition': `attachment; filename="${fileName}"`,
      etag,
    };
    if (request.method === 'HEAD') return reply.headers({ ...headers, vary: 'accept-encoding' }).send();
    const gzip = asksForGzip(request.headers['accept-encoding']);
    const { stalledSeconds } = settings.feeds;
    await sendPieces(
      request,
      reply,
      { status: 200, headers, gzip, stalledSeconds, logAbandoned },
      list.scan(),
    );
    return reply;
  };

  return async (scope: FastifyInstance) => {
    speak(scope, linkDialect);
    scope.setValidatorCompiler(() => () => true);
    const config = { access: 'open', operation: 'getBlocklist', scope: 'files' } as const;
    scope.route({ method: 'GET', url: '/*', config, schema: blocklistSchema, handler: send });
    scope.route({ method: 'HEAD', url: '/*', config, schema: { hide: true }, handler: send });
    // A link that lost its end is an altered link.
    scope.route({ method: ['GET', 'HEAD'], url: '', config, schema: { hide: true }, handler: send });
  };
}

/** A link lives as long as its edition, its account, and the account's right to escalate. */
async function isGood(
  { accountId, edition }: BlocklistTarget,
  { watchlist, accounts, clock }: BlocklistScopeNeeds,
): Promise<boolean> {
  const [caller] = await accounts.listUsers({ accountId, limit: 1 });
  if (!caller?.account.active) return false;
  if (!findGrant(caller.account, 'intel-detect-escalate-domains', clock.now())) return false;
  return (await watchlist.blocklistEdition(accountId)) === edition;
}

/** Whether a condition names what is there: `"a", W/"b"` or `*`. */
function names(condition: string | undefined, etag: string): boolean {
  if (condition === undefined) return false;
  const strong = (text: string) => text.trim().replace(/^W\//, '');
  return condition.split(',').some((one) => ['*', strong(etag)].includes(strong(one)));
}
