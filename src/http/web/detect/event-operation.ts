/** What happens on the watchlist and in investigations while the app is open, as server-sent events. The type of each is its kind. */
import type { DecisionEvent, WatchlistEvent } from '../../../model/detect/watchlist.ts';
import { fieldProblem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { findEventsStart, scanAllEvents } from '../../../product/detect/follow-events.ts';
import type { SessionNeeds } from '../../../product/people/sessions.ts';
import type { EventStore } from '../../../store/event-store.ts';
import { GrowthPoller } from '../../../store/growth/growth-poller.ts';
import { nameOnWire } from '../../platform/detect/detect-wire.ts';
import { OpenStreams } from '../../platform/event-stream/open-streams.ts';
import {
  type EventStreamNeeds,
  readLastEventId,
  sendEventStream,
} from '../../platform/event-stream/send-event-stream.ts';
import type { EventRecord } from '../../platform/event-stream/server-sent-events.ts';
import { followInvestigations, type InvestigationEventNeeds } from '../investigation/investigation-events.ts';
import { watchSession } from '../session-watch.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { isoTime } from './domain-on-wire.ts';

export interface EventOperationNeeds extends EventStreamNeeds, SessionNeeds, InvestigationEventNeeds {
  readonly events: Pick<EventStore, 'listAllEvents' | 'lastEventId' | 'growth'>;
  readonly settings: Pick<Settings, 'detect' | 'feeds' | 'web'>;
}

const pollMs = 250;
const idleMs = 1000;

export function eventOperation(needs: EventOperationNeeds): WebOperation {
  const { events, settings } = needs;
  const growth = new GrowthPoller((accountId) => events.lastEventId(accountId), pollMs, events);
  const openStreams = new OpenStreams(settings.detect.eventStreamsPerUserMax, 'event streams');
  return defineWebOperation({
    method: 'GET',
    path: '/events',
    access: 'read',
    product: 'intel-detect-watched-domains',
    summary: 'Follows the watchlist, the decisions about it, and investigations',
    onClose: () => openStreams.endAll(),
    respond: ({ caller, request, reply }) => {
      const lastId = readLastEventId(request);
      if (lastId === 'invalid')
        throw fieldProblem('invalid-parameters', 'Last-Event-ID', 'is not the id of an event');
      const accountId = caller.account.id;
      let isLost = false;
      const watch = async (onLost: () => void) =>
        watchSession(caller, 'read', needs, () => {
          isLost = true;
          onLost();
        });
      async function* records(start: number, signal: AbortSignal): AsyncGenerator<readonly EventRecord[]> {
        const listChanges = await followInvestigations(caller, needs);
        for await (const page of scanAllEvents(accountId, start, { events, growth }, { signal, idleMs }))
          yield [...page.flatMap(recordOf), ...(await listChanges())];
        if (isLost) yield [{ type: 'signed-out', text: '{}' }];
      }
      const begin = async (signal: AbortSignal) =>
        records(await findEventsStart({ accountId, lastId }, { events }), signal);
      return sendEventStream({ caller, watch, openStreams, begin }, needs, request, reply);
    },
  });
}

/** The undoing of a decision says what a withdrawal would. */
function recordOf(event: WatchlistEvent | DecisionEvent): readonly EventRecord[] {
  if (event.kind === 'withdrawn') return [];
  const content = 'decisionId' in event ? decisionOf(event) : domainOf(event);
  const text = JSON.stringify({ at: isoTime(event.atMs), ...content });
  return [{ type: event.kind, text, end: event.id }];
}

function decisionOf({ decisionId, by, target, domainIds }: DecisionEvent) {
  return { decision_id: decisionId, by, to: target, ids: domainIds };
}

function domainOf({ domainId, domain, monitorIds, detail }: WatchlistEvent) {
  const { fields, type, riskScore, sensor } = detail;
  return {
    id: domainId,
    domain: nameOnWire(domain),
    punycode: domain,
    monitor_ids: monitorIds,
    ...(fields === undefined ? {} : { changes: fields }),
    ...(type === undefined ? {} : { escalation_type: type }),
    ...(riskScore === undefined ? {} : { risk_score: riskScore }),
    ...(sensor === undefined ? {} : { sensor }),
  };
}
