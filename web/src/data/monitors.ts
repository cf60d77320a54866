/** Monitors, the domains of the account itself, and what is learned from decisions. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  GivenAnswer,
  Learning as LearningWire,
  SuggestionAnswerBody,
} from '../../../src/http/web/learning/learning-wire.ts';
import type {
  MonitorBackTest as BackTestWire,
  DeletedMonitorView,
  MonitorDetails as DetailsWire,
  MonitorBody,
  MonitorChangeBody,
  MonitorList,
  MonitorView,
  OwnDomains,
  OwnDomainsBody,
  MonitorPreview as PreviewWire,
} from '../../../src/http/web/monitor/monitor-wire.ts';
import { countsKey } from './detect.ts';
import type { Received } from './foreign.ts';
import { request, ServerError } from './request.ts';

export type Monitor = Received<MonitorView>;
export type MonitorDetails = Received<DetailsWire>;
export type MonitorPreview = Received<PreviewWire>;
export type MonitorBackTest = Received<BackTestWire>;
export type PreviewLine = MonitorPreview['domains'][number];
export type { MonitorBody, MonitorChangeBody };
export type Learning = Received<LearningWire>;
export type Suggestion = Learning['suggestions'][number];
export type SuggestionAnswer = Learning['answers'][number];
export type DecidedValue = Learning['precision']['class'][number];

const monitorsKey = ['monitors'] as const;
const ownDomainsKey = ['own-domains'] as const;
const learningKey = ['learning'] as const;

export function useMonitors() {
  return useQuery({
    queryKey: monitorsKey,
    queryFn: ({ signal }) => request<MonitorList>('GET', '/monitors', { signal }),
    // The search of known names goes on in the background.
    refetchInterval: ({ state }) =>
      state.data?.monitors.some(({ status }) => status === 'pending') ? 3000 : false,
  });
}

export function useMonitor(id: string) {
  return useQuery({
    queryKey: [...monitorsKey, id],
    queryFn: ({ signal }) => request<DetailsWire>('GET', `/monitors/${encodeURIComponent(id)}`, { signal }),
  });
}

const previewsBusyMax = 20;

/** More than a few previews at once are refused: then it waits. */
const whileBusy = {
  staleTime: 60_000,
  retry: (count: number, error: Error) =>
    error instanceof ServerError && error.status === 429 && count < previewsBusyMax,
  retryDelay: (_count: number, error: Error) =>
    error instanceof ServerError ? (error.retryAfterSeconds ?? 1) * 1000 : 1000,
};

/** What a monitor would have found. */
export function usePreview(body: MonitorBody, enabled: boolean) {
  return useQuery({
    queryKey: [...monitorsKey, 'preview', body],
    queryFn: ({ signal }) => request<PreviewWire>('POST', '/monitors/preview', { signal, body }),
    enabled,
    placeholderData: keepPreviousData,
    ...whileBusy,
  });
}

/** What a change of a monitor would have meant. */
export function useBackTest(id: string, body: MonitorChangeBody, enabled: boolean) {
  return useQuery({
    queryKey: [...monitorsKey, id, 'back-test', body],
    queryFn: ({ signal }) =>
      request<BackTestWire>('POST', `/monitors/${encodeURIComponent(id)}/back-test`, { signal, body }),
    enabled,
    ...whileBusy,
  });
}

/** Every change of a monitor may change lists and counts. */
function useMonitorMutation<Input, Answer>(send: (input: Input) => Promise<Answer>, listOnly = false) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: monitorsKey, exact: listOnly }),
        client.invalidateQueries({ queryKey: countsKey }),
      ]),
  });
}

export const useCreateMonitor = () =>
  useMonitorMutation((body: MonitorBody) => request<MonitorView>('POST', '/monitors', { body }));

export const useChangeMonitor = (id: string) =>
  useMonitorMutation((body: MonitorChangeBody) =>
    request<MonitorView>('PATCH', `/monitors/${encodeURIComponent(id)}`, { body }),
  );

/** The monitor itself is not read again: it is gone. */
export const useDeleteMonitor = (id: string) =>
  useMonitorMutation(
    (keepBlocks: boolean) =>
      request<DeletedMonitorView>('DELETE', `/monitors/${encodeURIComponent(id)}`, {
        query: { keep_blocks: String(keepBlocks) },
      }),
    true,
  );

export function useOwnDomains() {
  return useQuery({
    queryKey: ownDomainsKey,
    queryFn: ({ signal }) => request<OwnDomains>('GET', '/own-domains', { signal }),
    staleTime: 60_000,
  });
}

export function useChangeOwnDomains() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: OwnDomainsBody) => request<OwnDomains>('POST', '/own-domains', { body }),
    onSuccess: (answer) => client.setQueryData(ownDomainsKey, answer),
  });
}

export function useLearning() {
  return useQuery({
    queryKey: learningKey,
    queryFn: ({ signal }) => request<LearningWire>('GET', '/learning', { signal }),
    staleTime: 60_000,
  });
}

/** An accepted suggestion changes its monitor, and with it lists and counts. */
function useAnswering<Input>(send: (input: Input) => Promise<GivenAnswer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: () =>
      Promise.all(
        [learningKey, monitorsKey, countsKey].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
  });
}

export const useAnswerSuggestion = () =>
  useAnswering(({ id, outcome }: SuggestionAnswerBody & { readonly id: string }) =>
    request<GivenAnswer>('POST', `/learning/suggestions/${encodeURIComponent(id)}`, { body: { outcome } }),
  );

export const useTakeBack = () =>
  useAnswering((id: string) =>
    request<GivenAnswer>('POST', `/learning/answers/${encodeURIComponent(id)}/undo`),
  );
