/** What the Passive DNS page reads. Every answer is a lookup of the account's quota, so it is kept for ten minutes. */
import { useQuery } from '@tanstack/react-query';
import type {
  PassiveDnsCalendar as CalendarWire,
  PassiveDnsRecords as RecordsWire,
  PassiveDnsSummary as SummaryWire,
} from '../../../../src/http/web/passive-dns/passive-dns-wire.ts';
import type { Received } from '../../data/foreign.ts';
import { request } from '../../data/request.ts';
import { refang } from '../../names/defang.ts';
import type { PassiveDnsQuestion } from './passive-dns-search.ts';

export type PassiveDnsRecords = Received<RecordsWire>;
export type PassiveDnsRecord = PassiveDnsRecords['records'][number];
export type PassiveDnsCalendar = Received<CalendarWire>;
export type QuestionView = PassiveDnsRecords['question'];
export type Quota = PassiveDnsRecords['quota'];

export interface RecordPage extends PassiveDnsQuestion {
  readonly raw?: true;
  readonly sort?: 'name' | 'newest';
  readonly cursor?: string;
}

const freshMs = 600_000;
const key = (what: string, question: object) => ['pdns', what, question];

/** `hxxps://login[.]example/x` is asked as its host name. */
function queryOf({ name, side, type, from, to }: PassiveDnsQuestion) {
  const text = refang(name.trim());
  const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^\s/?#@]*@)?([^\s/?#:]+)/i.exec(text)?.[1];
  return { q: host ?? text, side, type, from, to };
}

export function usePassiveDnsRecords({ raw, sort, cursor, ...question }: RecordPage, enabled: boolean) {
  return useQuery({
    queryKey: key('records', { raw, sort, cursor, ...question }),
    queryFn: ({ signal }) =>
      request<RecordsWire>('GET', '/pdns/records', {
        signal,
        query: { ...queryOf(question), raw: raw === true ? 'true' : undefined, sort, cursor },
      }),
    enabled,
    staleTime: freshMs,
    retry: false,
  });
}

export function usePassiveDnsSummary(question: PassiveDnsQuestion) {
  return useQuery({
    queryKey: key('summary', question),
    queryFn: ({ signal }) =>
      request<SummaryWire>('GET', '/pdns/summary', { signal, query: queryOf(question) }),
    staleTime: freshMs,
    retry: false,
  });
}

export function usePassiveDnsCalendar(question: PassiveDnsQuestion) {
  return useQuery({
    queryKey: key('calendar', question),
    queryFn: ({ signal }) =>
      request<CalendarWire>('GET', '/pdns/calendar', { signal, query: queryOf(question) }),
    staleTime: freshMs,
    retry: false,
  });
}
