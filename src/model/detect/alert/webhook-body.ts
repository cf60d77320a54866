/** Bodies of webhooks in the formats of other services, within the limits of each. */
import { mattermostBody } from './mattermost-body.ts';
import type { AlertMessage } from './message.ts';
import { nameglassBody } from './nameglass-body.ts';
import type { ReceiverOptions, WebhookFormat } from './receiver.ts';
import { slackBody } from './slack-body.ts';
import { splunkBody } from './splunk-body.ts';
import { teamsBody } from './teams-body.ts';

interface BodyFormat {
  readonly write: (message: AlertMessage, options: ReceiverOptions) => string;
  /** Of one message. */
  readonly eventsMax: number;
  /** A single event is always shorter. */
  readonly bytesMax: number;
}

const formats: Readonly<Record<WebhookFormat, BodyFormat>> = {
  nameglass: { write: nameglassBody, eventsMax: 100, bytesMax: Number.POSITIVE_INFINITY },
  // 50 blocks, one of them for each event.
  slack: { write: slackBody, eventsMax: 40, bytesMax: 100_000 },
  // 28 KB.
  teams: { write: teamsBody, eventsMax: 40, bytesMax: 27_000 },
  // Posts have 16,383 characters.
  mattermost: { write: mattermostBody, eventsMax: 50, bytesMax: 16_000 },
  // What Splunk recommends; it accepts more.
  splunk: { write: splunkBody, eventsMax: 100, bytesMax: 1_000_000 },
};

export interface WebhookBody {
  readonly body: string;
  /** How many events it has; the others belong to the next message. */
  readonly count: number;
}

export function webhookEventsMax(format: WebhookFormat): number {
  return formats[format].eventsMax;
}

/** As many of the first events as fit. */
export function writeWebhookBody(
  format: WebhookFormat,
  message: AlertMessage,
  options: ReceiverOptions,
): WebhookBody {
  const { write, eventsMax, bytesMax } = formats[format];
  for (let count = Math.min(message.events.length, eventsMax); ; count = Math.ceil(count / 2)) {
    const body = write({ ...message, events: message.events.slice(0, count) }, options);
    if (count <= 1 || Buffer.byteLength(body) <= bytesMax) return { body, count };
  }
}
