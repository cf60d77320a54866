/**
 * An event as JSON of the Elastic Common Schema, in ASCII; what the schema has no field for is below `nameglass`, as webhooks have it.
 */
import { domainToUnicode } from 'node:url';
import { eventJson } from '../../event-json.ts';
import type { WatchlistEvent } from '../../watchlist.ts';
import { boundedText, boundedValue } from '../bounded-value.ts';
import { eventTitle } from '../event-summary.ts';
import { type AlertMessage, testSentence } from '../message.ts';
import { severityOf } from './severity.ts';

const ecsVersion = '8.17.0';
const nameBytesMax = 300;
const bounds = { textBytes: 128, items: 20, depth: 3 };
const rulesMax = 3;
/** Beyond this, what is only in `nameglass` is left out. */
const ownBytesMax = 2800;

export function writeEcs(event: WatchlistEvent | undefined, message: AlertMessage): string {
  const common = {
    '@timestamp': new Date(event?.atMs ?? message.atMs).toISOString(),
    ecs: { version: ecsVersion },
    message: event ? eventTitle(event) : testSentence,
  };
  const source = { kind: 'event', module: 'nameglass', dataset: 'nameglass.detect', provider: 'nameglass' };
  if (!event) return asciiJson({ ...common, event: { ...source, action: 'test', severity: 0 } });
  const { id, kind, domain, monitorIds, detail } = event;
  const { riskScore } = detail;
  return asciiJson({
    ...common,
    event: {
      ...source,
      kind: 'alert',
      category: ['threat'],
      type: ['indicator'],
      action: kind,
      id: `${message.subscriptionId}.${id}`,
      severity: severityOf(event),
      ...(typeof riskScore === 'number' ? { risk_score: riskScore } : {}),
    },
    threat: {
      indicator: {
        type: 'domain-name',
        name: boundedText(domain, nameBytesMax),
        description: boundedText(domainToUnicode(domain) || domain, nameBytesMax),
        provider: 'nameglass',
      },
    },
    rule: {
      name: boundedValue(
        monitorIds.slice(0, rulesMax).map((one) => message.terms.get(one) ?? one),
        bounds,
      ),
    },
    nameglass: ownMembers(event, message),
  });
}

function ownMembers(event: WatchlistEvent, { deliveryId }: AlertMessage): object {
  const members = { ...(boundedValue(eventJson(event), bounds) as object), delivery_id: deliveryId };
  if (asciiJson(members).length <= ownBytesMax) return members;
  return {
    id: event.id,
    watchlist_domain_id: boundedText(event.domainId, bounds.textBytes),
    delivery_id: deliveryId,
    truncated: true,
  };
}

function asciiJson(value: object): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replaceAll(/[^ -~]/g, escaped);
}
