/** The nine feeds: GET streams records, DELETE ends a session. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { familyOf, feedNames, feedRecords } from '../../model/feed.ts';
import type { FeedName } from '../../model/product-catalogue.ts';
import { type AnswerNeeds, type FeedQuestion, openAnswer } from '../../product/feed/answer.ts';
import { findFilter } from '../../product/feed/record-filter.ts';
import { endSession, type Session, takeContinued } from '../../product/feed/session.ts';
import { SessionTurns } from '../../product/feed/session-turns.ts';
import { asksForGzip } from '../compression.ts';
import { sendPieces } from '../outflow.ts';
import type { LogRequest } from '../request-log.ts';
import { acceptedForm, csvOf, type FeedForm, formTypes } from './feed-forms.ts';
import {
  feedParameters,
  type PollParameters,
  readInstant,
  readWishes,
  refuseWrong,
  SessionId,
} from './feed-parameters.ts';
import { leavingSignal } from './leaving.ts';
import type { Asked, Offer } from './offer.ts';
import type { OperationId } from './operations.ts';

export interface FeedNeeds extends Omit<AnswerNeeds, 'turns'> {
  readonly logAbandoned: LogRequest;
}

const operationsOf: Readonly<Record<FeedName, readonly [get: OperationId, remove: OperationId]>> = {
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
  readonly question: FeedQuestion;
  readonly form: FeedForm;
  readonly withHeader: boolean;
}

export function feedRoutes(offer: Offer, given: FeedNeeds): void {
  const needs = { ...given, turns: new SessionTurns() };
  for (const feed of feedNames) {
    const [get, remove] = operationsOf[feed];
    offer(get, {
      parameters: feedParameters(feed),
      answers: answersOf(feed),
      invalid: 'invalid-members',
      draw: async ({ caller, parameters }) => {
        const { sessionID } = parameters;
        if (sessionID === undefined) return 'product';
        const session = { feed, accountId: caller.account.id, id: sessionID };
        return (await takeContinued(session, needs)) ? 'free' : 'product';
      },
      understand: (asked) => readPoll(feed, asked as Asked<PollParameters>),
      deliver: (poll, request, reply) => deliver(poll, needs, request, reply),
    });

    offer(remove, {
      parameters: Type.Object({ sessionID: SessionId }),
      answer: Type.Object({ response: Type.Object({ status: Type.String() }) }),
      invalid: 'invalid-members',
      draw: 'free',
      run: async ({ caller, parameters }) => {
        const session: Session = { feed, accountId: caller.account.id, id: parameters.sessionID };
        await endSession(session, needs, new AbortController().signal);
        return { response: { status: 'deleted' } };
      },
    });
  }
}

/** For the OpenAPI description. */
function answersOf(feed: FeedName) {
  const csv = familyOf(feed) === 'rdap' ? {} : { 'text/csv': { schema: Type.String() } };
  const content = { 'application/x-ndjson': { schema: feedRecords[feed] }, ...csv };
  return {
    200: { description: 'Records, one a line; no more are left', content },
    206: { description: 'As many records as one answer may carry; the same request goes on', content },
  };
}

function readPoll(feed: FeedName, { caller, parameters, nowMs, request }: Asked<PollParameters>): Poll {
  const { sessionID, after, before, fromBeginning, top, headers } = parameters;
  const wrong = new Map<string, string>();
  const wishes = readWishes(feed, parameters, wrong);
  const afterSeconds = readInstant('after', after, nowMs, wrong);
  const beforeSeconds = readInstant('before', before, nowMs, wrong);
  if (sessionID === undefined) {
    if (after === undefined && before === undefined) {
      wrong.set('sessionID', 'One of sessionID, after and before is required.');
    }
    if (fromBeginning !== undefined) wrong.set('fromBeginning', 'is for a session and needs sessionID');
  }
  const tabular = familyOf(feed) !== 'rdap';
  if (!tabular && headers !== undefined) wrong.set('headers', 'records of this feed do not fit in CSV');
  const form = acceptedForm(request.headers.accept);
  if (!tabular && form === 'csv') wrong.set('Accept', 'records of this feed do not fit in CSV');
  refuseWrong(wrong);
  return {
    question: {
      feed,
      session: sessionID === undefined ? undefined : { feed, accountId: caller.account.id, id: sessionID },
      fromBeginning: fromBeginning ?? false,
      afterSeconds,
      beforeSeconds,
      topMax: top,
      keeps: findFilter(wishes),
    },
    form,
    withHeader: headers ?? false,
  };
}

/** The session moves on only when every byte was handed over while the connection stood. */
async function deliver(
  { question, form, withHeader }: Poll,
  { logAbandoned, ...needs }: FeedNeeds & AnswerNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const leaving = leavingSignal(reply);
  const answer = await openAnswer(question, needs, leaving);
  let outcome: 'sent' | 'broken' = 'broken';
  try {
    const outflow = {
      status: answer.complete ? 200 : 206,
      headers: { 'content-type': formTypes[form] },
      gzip: asksForGzip(request.headers['accept-encoding']),
      stalledSeconds: needs.settings.feeds.stalledSeconds,
      logAbandoned,
    };
    const pieces = form === 'csv' ? csvOf(question.feed, answer.records(), withHeader) : answer.records();
    outcome = await sendPieces(request, reply, outflow, pieces);
  } finally {
    await answer.settle(outcome === 'sent');
  }
  return reply;
}
