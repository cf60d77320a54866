/** Subscriptions to events, and what was delivered to them. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  CreatedSubscription,
  DeliveryAnswer,
  DeliveryList,
  DeliveryView,
  MessagePreview,
  SubscriptionBody,
  SubscriptionChangeBody,
  SubscriptionList,
  SubscriptionView,
} from '../../../src/http/web/alert/alert-wire.ts';
import type { Received } from './foreign.ts';
import { request } from './request.ts';

export type Subscription = Received<SubscriptionView>;
export type Delivery = Received<DeliveryView>;
export type MessageFormat = SubscriptionView['format'];
export type { SubscriptionBody };

const subscriptionsKey = ['subscriptions'] as const;
const pathOf = (id: string, part = '') => `/subscriptions/${encodeURIComponent(id)}${part}`;

export function useSubscriptions(enabled: boolean) {
  return useQuery({
    enabled,
    queryKey: subscriptionsKey,
    queryFn: ({ signal }) => request<SubscriptionList>('GET', '/subscriptions', { signal }),
  });
}

export function useDeliveries(id: string) {
  return useQuery({
    queryKey: [...subscriptionsKey, id, 'deliveries'],
    queryFn: ({ signal }) => request<DeliveryList>('GET', pathOf(id, '/deliveries'), { signal }),
  });
}

/** Of messages in one of the formats; it never changes. */
export function useMessagePreview(format: MessageFormat, enabled: boolean) {
  return useQuery({
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    queryKey: ['message-preview', format],
    queryFn: ({ signal }) =>
      request<MessagePreview>('GET', `/subscriptions/preview?format=${format}`, { signal }),
  });
}

/** Everything done to a subscription may change its state and its deliveries. */
function useSubscriptionMutation<Input, Answer>(send: (input: Input) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSettled: () => client.invalidateQueries({ queryKey: subscriptionsKey }),
  });
}

export const useSubscribe = () =>
  useSubscriptionMutation((body: SubscriptionBody) =>
    request<CreatedSubscription>('POST', '/subscriptions', { body }),
  );

export const useChangeSubscription = (id: string) =>
  useSubscriptionMutation((body: SubscriptionChangeBody) =>
    request<SubscriptionView>('PATCH', pathOf(id), { body }),
  );

/** Its deliveries are gone with it: only the list is read again. */
export function useUnsubscribe(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request<undefined>('DELETE', pathOf(id)),
    onSettled: () => client.invalidateQueries({ queryKey: subscriptionsKey, exact: true }),
  });
}

export const useTestDelivery = (id: string) =>
  useSubscriptionMutation(() => request<DeliveryAnswer>('POST', pathOf(id, '/test')));

export const useReplay = (id: string) =>
  useSubscriptionMutation((n: number) =>
    request<DeliveryAnswer>('POST', pathOf(id, `/deliveries/${n}/replay`)),
  );
