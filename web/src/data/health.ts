/** How the server is. Read again while the page is shown; a hidden tab asks nothing. */
import { useQuery } from '@tanstack/react-query';
import type { HealthView } from '../../../src/http/web/health/health-wire.ts';
import { plain, type Received } from './foreign.ts';
import { request } from './request.ts';

export type Health = Received<HealthView>;
export type HealthPart = Health['parts'][number];
export type HealthState = HealthPart['state'];

const refreshMs = 10_000;

export function useHealth() {
  return useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => request<HealthView>('GET', '/health', { signal }),
    refetchInterval: refreshMs,
  });
}

/** In the address of its own page. */
export const partId = ({ kind, name }: Pick<HealthPart, 'kind' | 'name'>): string => `${kind} ${plain(name)}`;

/** Counted in the last minute that is over. */
export const lastMinute = ({ per_minute: counts }: HealthPart): number => counts.at(-2) ?? 0;
