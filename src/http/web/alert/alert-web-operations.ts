/** Alerts: subscriptions to events by webhook, e-mail or syslog, made, changed, paused, tested and replayed by those who manage the account. */
import { Type } from 'typebox';
import type { Account } from '../../../model/account/account.ts';
import { perMinute } from '../../../model/account/limit.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { chargeUsage, usageOwner } from '../../../product/account/product-limits.ts';
import { alertSenders } from '../../../product/detect/alert/alert-senders.ts';
import {
  type ChangeNeeds,
  changeSubscription,
  getSubscription,
  noSuchSubscription,
} from '../../../product/detect/alert/change-subscription.ts';
import { previewMessage } from '../../../product/detect/alert/preview-message.ts';
import { replayDelivery, type SendNowNeeds, sendTest } from '../../../product/detect/alert/send-now.ts';
import {
  refuseOtherSyslogPort,
  refuseServicePort,
} from '../../../product/detect/alert/subscription-rules.ts';
import { type SubscribeNeeds, subscribe } from '../../../product/detect/subscribe.ts';
import { isSigned, webhookSecret } from '../../../product/detect/webhook-secret.ts';
import type { EventStore } from '../../../store/event-store.ts';
import type { UsageStore } from '../../../store/usage-store.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { deliveryView, subscriptionView } from './alert-view.ts';
import {
  CreatedSubscription,
  DeliveryAnswer,
  DeliveryList,
  MessagePreview,
  PreviewQuery,
  SubscriptionBody,
  SubscriptionChangeBody,
  SubscriptionList,
  SubscriptionView,
} from './alert-wire.ts';

export interface AlertWebNeeds extends Pick<SubscribeNeeds, 'clock'> {
  readonly events: SubscribeNeeds['events'] &
    ChangeNeeds['events'] &
    SendNowNeeds['events'] &
    Pick<EventStore, 'countEvents' | 'deleteSubscription'>;
  readonly monitors: SendNowNeeds['monitors'];
  readonly usage: Pick<UsageStore, 'charge'>;
  readonly linkKey: Buffer;
  readonly settings: Pick<Settings, 'detect' | 'mail' | 'outgoing' | 'http' | 'web'>;
}

/** The product of the event stream. */
const product = 'intel-detect-watched-domains';
const common = { product, charge: 'page' } as const;
const SubscriptionParams = Type.Object({ id: Type.String({ maxLength: 100 }) });
/** Each sends something to somebody else. */
const sendsPerMinute = 10;

export function alertWebOperations(needs: AlertWebNeeds): readonly WebOperation[] {
  return [...subscriptionOperations(needs), ...deliveryOperations(needs)];
}

function subscriptionOperations(needs: AlertWebNeeds): readonly WebOperation[] {
  const { settings, events } = needs;
  const list = defineWebOperation({
    ...common,
    method: 'GET',
    path: '/subscriptions',
    access: 'manage',
    summary: 'The alerts of the account',
    answer: SubscriptionList,
    handle: async ({ caller }) => {
      const found = await events.listSubscriptions(caller.account.id);
      return {
        subscriptions: await Promise.all(found.map((one) => subscriptionView(one, needs))),
        mail: settings.mail.host !== '',
        event_days: settings.detect.eventDays,
      };
    },
  });

  const create = defineWebOperation({
    ...common,
    method: 'POST',
    path: '/subscriptions',
    access: 'manage',
    summary: 'Makes an alert; the secret of a webhook is shown this once',
    body: SubscriptionBody,
    answer: CreatedSubscription,
    handle: async ({ body, caller, reply }) => {
      const { webhook, email, syslog, format, events: kinds, every, schedule } = body;
      const { token, index, sourcetype, ca } = body;
      if (webhook !== undefined) refuseServicePort(webhook);
      if (syslog !== undefined) refuseOtherSyslogPort(syslog);
      const made = await subscribe(
        {
          accountId: caller.account.id,
          webhook,
          email,
          syslog,
          format,
          options: { token, index, sourcetype, ca },
          events: kinds,
          every,
          schedule: schedule ?? undefined,
          createdBy: caller.user.username,
        },
        needs,
      );
      reply.code(201);
      return {
        subscription: await subscriptionView(made, needs),
        secret: isSigned(made) ? webhookSecret(made.seed, needs.linkKey) : null,
      };
    },
  });

  const preview = defineWebOperation({
    ...common,
    method: 'GET',
    path: '/subscriptions/preview',
    access: 'manage',
    summary: 'What a receiver would get, in one of the formats',
    query: PreviewQuery,
    answer: MessagePreview,
    handle: async ({ query: { format, ...options }, nowMs }) => ({
      text: previewMessage(format, options, { settings, nowMs }),
    }),
  });

  const change = defineWebOperation({
    ...common,
    method: 'PATCH',
    path: '/subscriptions/:id',
    access: 'manage',
    summary: 'Changes, pauses or resumes an alert',
    params: SubscriptionParams,
    body: SubscriptionChangeBody,
    answer: SubscriptionView,
    handle: async ({ params: { id }, body, caller, nowMs }) =>
      subscriptionView(await changeSubscription(caller, { id, change: body }, needs, nowMs), needs),
  });

  const remove = defineWebOperation({
    ...common,
    method: 'DELETE',
    path: '/subscriptions/:id',
    access: 'manage',
    summary: 'Deletes an alert and its log',
    params: SubscriptionParams,
    answer: Type.Void(),
    handle: async ({ params: { id }, caller }) => {
      if (!(await events.deleteSubscription(caller.account.id, id))) throw noSuchSubscription();
    },
  });

  return [list, create, preview, change, remove];
}

function deliveryOperations(needs: AlertWebNeeds): readonly WebOperation[] {
  const { settings, events } = needs;
  const sending: SendNowNeeds = { ...needs, ...alertSenders(settings) };
  const chargeSend = (account: Account, nowMs: number) => {
    const subject = `${usageOwner(account)}/alert-sends`;
    const limits = [{ ...perMinute(sendsPerMinute), subject, counted: 'tests and replays of alerts' }];
    return chargeUsage(needs.usage, { limits }, product, nowMs);
  };

  const list = defineWebOperation({
    ...common,
    method: 'GET',
    path: '/subscriptions/:id/deliveries',
    access: 'manage',
    summary: 'The last deliveries of an alert',
    params: SubscriptionParams,
    answer: DeliveryList,
    handle: async ({ params: { id }, caller, nowMs }) => {
      await getSubscription(caller.account.id, id, needs);
      const deliveries = await events.listDeliveries(caller.account.id, id);
      return { deliveries: deliveries.map((one) => deliveryView(one, nowMs, settings)) };
    },
  });

  const test = defineWebOperation({
    ...common,
    method: 'POST',
    path: '/subscriptions/:id/test',
    access: 'manage',
    summary: 'Sends a test now',
    params: SubscriptionParams,
    answer: DeliveryAnswer,
    handle: async ({ params: { id }, caller, nowMs, signal }) => {
      const subscription = await getSubscription(caller.account.id, id, needs);
      await chargeSend(caller.account, nowMs);
      return { delivery: deliveryView(await sendTest(subscription, sending, signal), nowMs, settings) };
    },
  });

  const replay = defineWebOperation({
    ...common,
    method: 'POST',
    path: '/subscriptions/:id/deliveries/:n/replay',
    access: 'manage',
    summary: 'Sends the events of a delivery again now',
    params: Type.Object({ ...SubscriptionParams.properties, n: Type.Integer({ minimum: 1 }) }),
    answer: DeliveryAnswer,
    handle: async ({ params: { id, n }, caller, nowMs, signal }) => {
      const subscription = await getSubscription(caller.account.id, id, needs);
      await chargeSend(caller.account, nowMs);
      const delivery = await replayDelivery(subscription, n, sending, signal);
      return { delivery: deliveryView(delivery, nowMs, settings) };
    },
  });

  return [list, test, replay];
}
