/** What a receiver would get, shown before anything is sent: two made-up events. */
import type { AlertMessage } from '../../../model/detect/alert/message.ts';
import {
  isSyslogFormat,
  type MessageFormat,
  type ReceiverOptions,
} from '../../../model/detect/alert/receiver.ts';
import { writeSyslog } from '../../../model/detect/alert/syslog/syslog-message.ts';
import { writeWebhookBody } from '../../../model/detect/alert/webhook-body.ts';
import type { WatchlistEvent } from '../../../model/detect/watchlist.ts';
import { publicUrl } from '../../../model/settings/public-url.ts';
import type { Settings } from '../../../model/settings/settings.ts';

export interface PreviewContext {
  readonly settings: Pick<Settings, 'http' | 'web'>;
  readonly nowMs: number;
}

const monitorId = 'mN0bQ2mXzA';

export function previewMessage(
  format: MessageFormat,
  options: ReceiverOptions,
  { settings, nowMs }: PreviewContext,
): string {
  const message: AlertMessage = {
    subscriptionId: 'kT7bQ2mXzA',
    deliveryId: 'kT7bQ2mXzA.41-42',
    events: madeUpEvents(nowMs),
    atMs: nowMs,
    terms: new Map([[monitorId, 'acme']]),
    webUrl: settings.web.enabled ? publicUrl(settings) : undefined,
  };
  if (isSyslogFormat(format)) {
    const lines = writeSyslog(format, message, new URL(publicUrl(settings)).hostname);
    return lines.map((line) => line.toString('utf8').replace('\ufeff', '')).join('\n');
  }
  const { body } = writeWebhookBody(format, message, options);
  // Splunk gets one object after another.
  return body
    .split('\n')
    .map((one) => JSON.stringify(JSON.parse(one), null, 2))
    .join('\n');
}

function madeUpEvents(nowMs: number): readonly WatchlistEvent[] {
  const common = { atMs: nowMs, monitorIds: [monitorId] };
  return [
    {
      ...common,
      id: 41,
      kind: 'discovered',
      domainId: 'Zb81kQ0xTa',
      domain: 'xn--cme-5cd.example',
      detail: {},
    },
    {
      ...common,
      id: 42,
      kind: 'escalated',
      domainId: 'Yc92lR1yUb',
      domain: 'acme-login.example',
      detail: { type: 'blocked' },
    },
  ];
}
