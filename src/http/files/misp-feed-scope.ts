/** Serves blocklists as MISP feeds under `/misp`, by signed link. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { TimeSlice } from '../../concurrency/time-slice.ts';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { BlocklistFetches } from '../../product/detect/blocklist/blocklist-fetches.ts';
import { type MispFeed, type MispFeedNeeds, MispFeeds } from '../../product/detect/blocklist/misp-feed.ts';
import type { EscalationStore } from '../../store/escalation-store.ts';
import { acceptsGzip } from '../compression.ts';
import { setDialect } from '../dialect.ts';
import { linkDialect } from '../links/link-dialect.ts';
import type { LogRequest } from '../request-log.ts';
import { sendChunks } from '../send-chunks.ts';
import { getCurrentAccount, type LinkAccessNeeds, matchesEtag } from './blocklist-access.ts';
import type { MispFeedLinks } from './misp-feed-links.ts';

export interface MispFeedScopeNeeds extends MispFeedNeeds, LinkAccessNeeds {
  readonly escalations: LinkAccessNeeds['escalations'] & Pick<EscalationStore, 'recordBlocklistFetch'>;
  readonly mispFeedLinks: MispFeedLinks;
  readonly settings: MispFeedNeeds['settings'] & Pick<Settings, 'feeds'>;
  readonly logAbandoned: LogRequest;
}

const schema = {
  templates: [
    {
      path: '{account}/{edition}/{list}/{signature}/{file}',
      operationId: 'getMispFeedFile',
      params: {
        account: Type.String({ description: 'the id of the account' }),
        edition: Type.String({ description: 'rises when the links are renewed' }),
        list: Type.String({ description: 'the name of the blocklist' }),
        signature: Type.String({ description: 'as in the link' }),
        file: Type.String({ description: 'manifest.json, hashes.csv, or the uuid of an event and .json' }),
      },
    },
  ],
  tags: ['Detect'],
  summary: 'Downloads a file of a MISP feed by its link',
  description:
    'The URL of the feed is in the answer of getDetectBlocklists. It needs no key, and works until the links are renewed.',
  security: [],
  produces: ['application/json', 'text/csv'],
  response: {
    200: Type.Any({ description: 'the file' }),
    304: Type.Any({ description: 'the client already has it' }),
  },
};

interface FeedFile {
  readonly contentType: string;
  readonly tag: string;
  readonly parts: Iterable<string>;
}

const json = 'application/json; charset=utf-8';

export function mispFeedScope(needs: MispFeedScopeNeeds) {
  const { clock, mispFeedLinks, settings, logAbandoned } = needs;
  const feeds = new MispFeeds(needs);
  const fetches = new BlocklistFetches(needs.escalations);

  const send = async (request: FastifyRequest, reply: FastifyReply) => {
    const target = mispFeedLinks.getTarget(request.originalUrl, clock.now());
    const account = await getCurrentAccount(target, needs);
    const { selection, edition } = target;
    const feed = await feeds.open(account, selection, clock.now());
    const file = getFile(feed, target.file);
    if (request.method === 'GET' && target.file === 'manifest.json')
      fetches.record(account.id, {
        selection,
        format: 'misp',
        address: request.ip,
        agent: request.headers['user-agent'] ?? '',
        atMs: clock.now(),
        version: feed.serial,
      });
    // Weak, because the same file may be compressed or not.
    const etag = `W/"${edition}-${file.tag}"`;
    if (matchesEtag(request.headers['if-none-match'], etag))
      return reply.code(304).header('etag', etag).send();
    const headers = { 'content-type': file.contentType, etag };
    if (request.method === 'HEAD') return reply.headers({ ...headers, vary: 'accept-encoding' }).send();
    const gzip = acceptsGzip(request.headers['accept-encoding']);
    const { stalledSeconds } = settings.feeds;
    const options = { status: 200, headers, gzip, stalledSeconds, logAbandoned };
    await sendChunks(request, reply, options, inSlices(file.parts));
    return reply;
  };

  return async (scope: FastifyInstance) => {
    setDialect(scope, linkDialect);
    scope.setValidatorCompiler(() => () => true);
    const config = { access: 'open', operation: 'getMispFeedFile', scope: 'files' } as const;
    scope.route({ method: 'GET', url: '/*', config, schema, handler: send });
    scope.route({ method: 'HEAD', url: '/*', config, schema: { hide: true }, handler: send });
    // A truncated link is an altered link.
    scope.route({ method: ['GET', 'HEAD'], url: '', config, schema: { hide: true }, handler: send });
  };
}

function getFile(feed: MispFeed, name: string): FeedFile {
  if (name === 'manifest.json') return { contentType: json, tag: feed.tag(), parts: feed.manifest() };
  if (name === 'hashes.csv')
    return { contentType: 'text/csv; charset=utf-8', tag: feed.tag(), parts: feed.hashes() };
  const event = name.endsWith('.json') ? feed.events.get(name.slice(0, -5)) : undefined;
  if (!event) throw new Problem('not-found', 'There is no such file in the feed.');
  return { contentType: json, tag: feed.tag(event), parts: feed.event(event) };
}

async function* inSlices(parts: Iterable<string>): AsyncGenerator<Uint8Array, void, undefined> {
  const timeSlice = new TimeSlice();
  for (const part of parts) {
    yield Buffer.from(part);
    await timeSlice.yieldIfOver();
  }
}
