/** Subscriptions to events by webhook, e-mail or syslog, and what was delivered to them. */
import { type Static, Type } from 'typebox';
import { syslogFormats, webhookFormats } from '../../../model/detect/alert/receiver.ts';
import { NullableText, nullable, oneOf } from '../wire-values.ts';

const EventKindView = oneOf([
  'discovered',
  'changed',
  'escalated',
  'risk-full',
  'withdrawn',
  'resolved',
  'campaign-joined',
]);

const Format = oneOf(
  [...webhookFormats, ...syslogFormats],
  'of a webhook (nameglass is our own JSON) or of syslog (cef, ecs)',
);

const ReceiverOptionsView = Type.Object({
  index: NullableText,
  sourcetype: NullableText,
  token: Type.Boolean({ description: 'there is one; it is never shown' }),
  ca: Type.Boolean({ description: 'certificates are trusted in place of those of the system' }),
});

const Weekdays = Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
  maxItems: 7,
  description: 'ISO 8601: 1 is Monday, 7 is Sunday',
});

const Schedule = Type.Object({
  hour: Type.Integer({ minimum: 0, maximum: 23, description: 'of the day, in the zone' }),
  zone: Type.String({ maxLength: 64, description: 'IANA name, such as Europe/Berlin' }),
  weekdays: Weekdays,
});

/** Null: at the end of the UTC day. */
const NullableSchedule = Type.Unsafe<Static<typeof Schedule> | null>({
  ...Schedule,
  type: ['object', 'null'],
});

export const SubscriptionView = Type.Object({
  id: Type.String(),
  by: oneOf(['webhook', 'email', 'syslog']),
  target: Type.String({ description: 'a URL, or an address' }),
  format: Format,
  options: ReceiverOptionsView,
  events: Type.Array(EventKindView),
  every: oneOf(['event', 'hour', 'day']),
  schedule: nullable<Static<typeof Schedule>>('of a daily digest; null: the end of the UTC day'),
  paused: nullable<{ at: string; by: string }>(),
  created_by: Type.String(),
  created_at: Type.String(),
  state: oneOf(['idle', 'waiting', 'failing', 'paused']),
  waiting: Type.Object(
    { events: Type.Integer(), more: Type.Boolean() },
    { description: 'events that are not delivered yet' },
  ),
  next_at: NullableText,
  failures: Type.Integer({ description: 'consecutive ones' }),
  error: NullableText,
  last_delivered_at: NullableText,
});
export type SubscriptionView = Static<typeof SubscriptionView>;

/** GET /ui/api/subscriptions */
export const SubscriptionList = Type.Object({
  subscriptions: Type.Array(SubscriptionView),
  mail: Type.Boolean({ description: 'false: the server has no mail.host, so no digest can be sent' }),
  event_days: Type.Integer({
    description: 'how long events are kept, and so the longest pause without loss',
  }),
});
export type SubscriptionList = Static<typeof SubscriptionList>;

/** POST /ui/api/subscriptions */
export const SubscriptionBody = Type.Object({
  webhook: Type.Optional(Type.String({ maxLength: 2000 })),
  email: Type.Optional(Type.String({ maxLength: 320 })),
  syslog: Type.Optional(Type.String({ maxLength: 300, description: 'tls://HOST:PORT or tcp://HOST:PORT' })),
  format: Type.Optional(Format),
  token: Type.Optional(Type.String({ maxLength: 200, description: 'of the HTTP Event Collector of Splunk' })),
  index: Type.Optional(Type.String({ maxLength: 80, description: 'of Splunk' })),
  sourcetype: Type.Optional(Type.String({ maxLength: 80, description: 'of Splunk' })),
  ca: Type.Optional(
    Type.String({
      maxLength: 50_000,
      description: 'certificates in PEM to trust in place of those of the system, for syslog over TLS',
    }),
  ),
  events: Type.Optional(Type.Array(EventKindView, { minItems: 1, maxItems: 5 })),
  every: Type.Optional(oneOf(['hour', 'day'])),
  schedule: Type.Optional(NullableSchedule),
});
export type SubscriptionBody = Static<typeof SubscriptionBody>;

/** The answer of POST: the secret of a webhook is shown this once. */
export const CreatedSubscription = Type.Object({
  subscription: SubscriptionView,
  secret: NullableText,
});
export type CreatedSubscription = Static<typeof CreatedSubscription>;

/** PATCH /ui/api/subscriptions/:id. `skip`: what waits is not delivered. */
export const SubscriptionChangeBody = Type.Object({
  events: Type.Optional(Type.Array(EventKindView, { minItems: 1, maxItems: 5 })),
  every: Type.Optional(oneOf(['hour', 'day'])),
  schedule: Type.Optional(NullableSchedule),
  paused: Type.Optional(Type.Boolean()),
  skip: Type.Optional(Type.Boolean()),
});
export type SubscriptionChangeBody = Static<typeof SubscriptionChangeBody>;

export const DeliveryView = Type.Object({
  n: Type.Integer(),
  kind: oneOf(['events', 'test', 'replay']),
  status: oneOf(['delivered', 'failed']),
  at: Type.String({ description: 'of the last attempt' }),
  first_attempt_at: Type.String(),
  attempts: Type.Integer(),
  events: Type.Integer(),
  error: NullableText,
  can_replay: Type.Boolean({ description: 'its events are still kept' }),
});
export type DeliveryView = Static<typeof DeliveryView>;

/** GET /ui/api/subscriptions/:id/deliveries */
export const DeliveryList = Type.Object({
  deliveries: Type.Array(DeliveryView, { description: 'the last 50, newest first' }),
});
export type DeliveryList = Static<typeof DeliveryList>;

/** POST /ui/api/subscriptions/:id/test and …/deliveries/:n/replay */
export const DeliveryAnswer = Type.Object({ delivery: DeliveryView });
export type DeliveryAnswer = Static<typeof DeliveryAnswer>;

/** GET /ui/api/subscriptions/preview?format= */
export const PreviewQuery = Type.Object({
  format: Format,
  index: Type.Optional(Type.String({ maxLength: 80 })),
  sourcetype: Type.Optional(Type.String({ maxLength: 80 })),
});

/** What a receiver would get about made-up events. */
export const MessagePreview = Type.Object({
  text: Type.String({ description: 'JSON with line breaks, or the lines of syslog' }),
});
export type MessagePreview = Static<typeof MessagePreview>;
