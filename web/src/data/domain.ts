/** What the page of one domain reads. */
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  DomainAnswers as AnswersWire,
  DomainHistory as HistoryWire,
  DomainOverview as OverviewWire,
  DomainPassiveDns as PassiveDnsWire,
  DomainRecordAt as RecordWire,
  RefreshAnswer,
} from '../../../src/http/web/domain/domain-wire.ts';
import type { DomainPictures as PicturesWire } from '../../../src/http/web/domain/picture-wire.ts';
import type { Pivots as PivotsWire } from '../../../src/http/web/domain/pivot-wire.ts';
import type { DomainRequests as RequestsWire } from '../../../src/http/web/domain/request-wire.ts';
import { plain, type Received } from './foreign.ts';
import { request } from './request.ts';

export type DomainOverview = Received<OverviewWire>;
export type DomainRecordAt = Received<RecordWire>;
export type Change = Received<HistoryWire>['changes'][number];
export type DomainPictures = Received<PicturesWire>;
export type Capture = DomainPictures['captures'][number];
export type PassiveDnsRow = Received<PassiveDnsWire>['names']['rows'][number];
export type DomainRequests = Received<RequestsWire>;
export type RawAnswer = Received<AnswersWire>['answers'][number];
export type Pivot = Received<PivotsWire>['pivots'][number];

const freshMs = 60_000;
const pathOf = (name: string, part = ''): string => `/domains/${encodeURIComponent(name)}${part}`;
const keyOf = (name: string, part: string, ...rest: readonly unknown[]) => ['domain', name, part, ...rest];

export function useOverview(name: string) {
  return useQuery({
    queryKey: keyOf(name, 'overview'),
    queryFn: ({ signal }) => request<OverviewWire>('GET', pathOf(name), { signal }),
    staleTime: freshMs,
  });
}

export function useRecordAt(name: string, asOf: string | undefined) {
  return useQuery({
    queryKey: keyOf(name, 'record', asOf),
    queryFn: ({ signal }) =>
      request<RecordWire>('GET', pathOf(name, '/record'), { signal, query: { as_of: asOf } }),
    staleTime: freshMs,
    placeholderData: (before) => before,
  });
}

export function useHistory(name: string, field: string | undefined) {
  return useInfiniteQuery({
    queryKey: keyOf(name, 'history', field),
    queryFn: ({ pageParam, signal }) =>
      request<HistoryWire>('GET', pathOf(name, '/history'), { signal, query: { before: pageParam, field } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.before === null ? undefined : plain(page.before)),
    staleTime: freshMs,
  });
}

export function usePictures(name: string) {
  return useQuery({
    queryKey: keyOf(name, 'pictures'),
    queryFn: ({ signal }) => request<PicturesWire>('GET', pathOf(name, '/pictures'), { signal }),
    staleTime: freshMs,
    enabled: name !== '',
  });
}

export function useRequests(name: string) {
  return useQuery({
    queryKey: keyOf(name, 'requests'),
    queryFn: ({ signal }) => request<RequestsWire>('GET', pathOf(name, '/requests'), { signal }),
    staleTime: freshMs,
  });
}

export function useSetPassive(name: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (passive_only: boolean) =>
      request<RequestsWire>('PUT', pathOf(name, '/passive'), { body: { passive_only } }),
    onSuccess: (answer) => client.setQueryData(keyOf(name, 'requests'), answer),
  });
}

export function useAnswers(name: string) {
  return useQuery({
    queryKey: keyOf(name, 'answers'),
    queryFn: ({ signal }) => request<AnswersWire>('GET', pathOf(name, '/answers'), { signal }),
    staleTime: freshMs,
  });
}

export const answerPath = (name: string, sha256: string): string => pathOf(name, `/answers/${sha256}`);

export function usePassiveDns(name: string) {
  return useQuery({
    queryKey: keyOf(name, 'pdns'),
    queryFn: ({ signal }) => request<PassiveDnsWire>('GET', pathOf(name, '/pdns'), { signal }),
    staleTime: freshMs,
  });
}

/** Counts draw on the limits of Investigate, so they are kept for a minute. */
export function usePivots(name: string) {
  return useQuery({
    queryKey: keyOf(name, 'pivots'),
    queryFn: ({ signal }) => request<PivotsWire>('POST', '/pivots', { signal, body: { domain: name } }),
    staleTime: freshMs,
  });
}

export function useRefresh(name: string) {
  return useMutation({ mutationFn: () => request<RefreshAnswer>('POST', pathOf(name, '/refresh')) });
}
