/** The report of a period. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReportView } from '../../../src/http/web/report/report-wire.ts';
import type { ReportSearch } from '../pages/report/report-search.ts';
import type { Received } from './foreign.ts';
import { request } from './request.ts';

export type Report = Received<ReportView>;

export function useReport(search: ReportSearch) {
  return useQuery({
    queryKey: ['report', search],
    queryFn: ({ signal }) => request<ReportView>('GET', '/report', { query: { ...search }, signal }),
    placeholderData: keepPreviousData,
  });
}
