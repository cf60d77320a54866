/** The nine feeds: GET polls for records, DELETE ends a session. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { KeyedMutex } from '../../../concurrency/keyed-mutex.ts';
import { familyOf, feedNames, feedRecords } from '../../../model/feed/feed.ts';
import { secondText } from '../../../model/feed/second.ts';
import { type FeedName, feedProducts } from '../../../model/product-catalogue.ts';
import {
  type FeedPage,
  type FeedPageNeeds,
  type FeedQuery,
  openFeedPage,
} from '../../../product/feed/feed-page.ts';
import { findFilter } from '../../../product/feed/record-filter.ts';
import { clearContinuedMark, endSession, type Session } from '../../../product/feed/session.ts';
import { acceptsGzip } from '../../compression.ts';
import type { LogRequest } from '../../request-log.ts';
import { sendChunks } from '../../send-chunks.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation, type OperationContext } from '../operation/define-operation.ts';
import { disconnectSignal } from '../operation/disconnect-signal.ts';
import { acceptedFormat, csvOf, type FeedFormat, feedContentTypes } from './feed-formats.ts';
import {
  feedParameters,
  type PollParameters,
  readFilter,
  readInstant,
  rejectInvalid,
  SessionId,
} from './feed-parameters.ts';

export interface PollNeeds extends Omit<FeedPageNeeds, 'mutex'> {
  readonly logAbandoned: LogRequest;
}

const operationIds: Readonly<Record<FeedName, readonly [poll: string, end: string]>> = {
  nod: ['getNOD', 'deleteNODSession'],
  nad: ['getNAD', 'deleteNADSession'],
  noh: ['getNOH', 'deleteNOHSession'],
  domaindiscovery: ['getDomainDiscovery', 'deleteDomainDiscoverySession'],
  domainrisk: ['getDomainRisk', 'deleteDomainRiskSession'],
  domainhotlist: ['getDomainHotlist', 'deleteDomainHotlistSession'],
  iprisk: ['getIPRisk', 'deleteIPRiskSession'],
  iphotlist: ['getIPHotlist', 'deleteIPHotlistSession'],
  domainrdap: ['getParsedDRDAP', 'deleteDRDAPSession'],
};

interface Poll {
  readonly query: FeedQuery;
  readonly format: FeedFormat;
  readonly withHeader: boolean;
  /** The other parameters of a request for the rest. */
  readonly others: URLSearchParams;
}

export function pollOperations(given: PollNeeds): readonly Operation[] {
  const needs = { ...given, mutex: new KeyedMutex() };
  return feedNames.flatMap((feed) => [pollOperation(feed, needs), endSessionOperation(feed, needs)]);
}

function pollOperation(feed: FeedName, needs: PollNeeds & FeedPageNeeds): Operation {
  return defineOperation({
    id: operationIds[feed][0],
    family: families.feed,
    route: `GET /feed/${feed}/`,
    product: `${feedProducts[feed]}-(api)`,
    permission: 'read',
    summary: `Streams the feed ${feed}`,
    description:
      'Needs `sessionID`, `after` or `before`. A session continues after the last record delivered; a 206 says that more is left.',
    parameters: feedParameters(feed),
    responses: responsesOf(feed),
    parse: (context) => readPoll(feed, context as OperationContext<PollParameters>),
    charge: async ({ caller, parameters }) => {
      const { sessionID } = parameters;
      if (sessionID === undefined) return 'product';
      const session = { feed, accountId: caller.account.id, id: sessionID };
      return (await clearContinuedMark(session, needs)) ? 'free' : 'product';
    },
    respond: (poll, request, reply) => sendPoll(poll, needs, request, reply),
  });
}

function endSessionOperation(feed: FeedName, needs: FeedPageNeeds): Operation {
  return defineOperation({
    id: operationIds[feed][1],
    family: families.feed,
    route: `DELETE /feed/${feed}/`,
    product: `${feedProducts[feed]}-(api)`,
    permission: 'read',
    summary: `Ends a session of the feed ${feed}`,
    parameters: Type.Object({ sessionID: SessionId }),
    response: Type.Object({ response: Type.Object({ status: Type.String() }) }),
    charge: 'free',
    handle: async ({ caller, parameters }) => {
      const session: Session = { feed, accountId: caller.account.id, id: parameters.sessionID };
      await endSession(session, needs, new AbortController().signal);
      return { response: { status: 'deleted' } };
    },
  });
}

/** For the OpenAPI description. */
function responsesOf(feed: FeedName) {
  const csv = familyOf(feed) === 'rdap' ? {} : { 'text/csv': { schema: Type.String() } };
  const content = { 'application/x-ndjson': { schema: feedRecords[feed] }, ...csv };
  return {
    200: { description: 'Records, one per line; there are no more', content },
    206: {
      description:
        'As many records as fit in one response. With a session, repeat the request for more; without one, see the headers link and x-continue-with',
      content,
    },
  };
}

function readPoll(
  feed: FeedName,
  { caller, parameters, nowMs, request }: OperationContext<PollParameters>,
): Poll {
  const { sessionID, after, before, fromBeginning, top, headers } = parameters;
  const errors = new Map<string, string>();
  const filter = readFilter(feed, parameters, errors);
  const afterSeconds = readInstant('after', after, nowMs, errors);
  const beforeSeconds = readInstant('before', before, nowMs, errors);
  if (sessionID === undefined) {
    if (after === undefined && before === undefined) {
      errors.set('sessionID', 'One of sessionID, after and before is required.');
    }
    if (fromBeginning !== undefined) errors.set('fromBeginning', 'is for a session and needs sessionID');
  }
  const hasCsv = familyOf(feed) !== 'rdap';
  if (!hasCsv && headers !== undefined) errors.set('headers', 'records of this feed do not fit in CSV');
  const format = acceptedFormat(request.headers.accept);
  if (!hasCsv && format === 'csv') errors.set('Accept', 'records of this feed do not fit in CSV');
  rejectInvalid(errors);
  return {
    query: {
      feed,
      session: sessionID === undefined ? undefined : { feed, accountId: caller.account.id, id: sessionID },
      fromBeginning: fromBeginning ?? false,
      afterSeconds,
      beforeSeconds,
      topMax: top,
      filter: findFilter(filter),
    },
    format,
    withHeader: headers ?? false,
    others: repeatedParameters(parameters, beforeSeconds),
  };
}

/** Those of a request for the rest, apart from `after`. */
function repeatedParameters(
  { after: _after, before: _before, sessionID: _session, ...others }: PollParameters,
  beforeSeconds: number | undefined,
): URLSearchParams {
  const repeated = new URLSearchParams();
  for (const [name, value] of Object.entries(others)) {
    for (const each of Array.isArray(value) ? value : [value]) repeated.append(name, String(each));
  }
  // A relative time would move.
  if (beforeSeconds !== undefined) repeated.append('before', secondText(beforeSeconds));
  return repeated;
}

/** How a client gets the rest. A session just repeats its request; only it gets each record exactly once. */
function continuationHeaders(page: FeedPage, { query, others }: Poll): Record<string, string> {
  if (page.complete) return {};
  if (query.session) return { 'x-continue-with': 'the same request' };
  const { nextAfter } = page;
  if (nextAfter === undefined) {
    return { 'x-continue-with': 'a smaller range of after and before, or a sessionID' };
  }
  const next = new URLSearchParams([['after', nextAfter], ...others]);
  return {
    'x-continue-with': `after=${nextAfter}, or a sessionID`,
    link: `<?${next.toString()}>; rel="next"`,
  };
}

/** The session advances only when every byte was handed to the operating system while the connection was open. */
async function sendPoll(
  poll: Poll,
  { logAbandoned, ...needs }: PollNeeds & FeedPageNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { query, format } = poll;
  const page = await openFeedPage(query, needs, disconnectSignal(reply));
  let outcome: 'sent' | 'broken' = 'broken';
  try {
    const options = {
      status: page.complete ? 200 : 206,
      headers: { 'content-type': feedContentTypes[format], ...continuationHeaders(page, poll) },
      gzip: acceptsGzip(request.headers['accept-encoding']),
      stalledSeconds: needs.settings.feeds.stalledSeconds,
      startsWithChunk: true,
      logAbandoned,
    };
    // Responses that continue one another are one table.
    const withHeader = format === 'csv' && poll.withHeader && !(await page.isContinuation());
    const chunks = format === 'csv' ? csvOf(query.feed, page.records(), withHeader) : page.records();
    outcome = await sendChunks(request, reply, options, chunks);
  } finally {
    await page.finish(outcome === 'sent');
  }
  return reply;
}
