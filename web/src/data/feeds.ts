/** Feeds, their sessions and what comes in. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { FeedsView } from '../../../src/http/web/feed/feed-wire.ts';
import { type Foreign, foreign, type Received } from './foreign.ts';
import { request } from './request.ts';

export type Feeds = Received<FeedsView>;
export type Feed = Feeds['feeds'][number];

const feedsKey = ['feeds'] as const;
const refreshMs = 15_000;

export function useFeeds() {
  return useQuery({
    queryKey: feedsKey,
    queryFn: ({ signal }) => request<FeedsView>('GET', '/feeds', { signal }),
    refetchInterval: refreshMs,
  });
}

export function useEndSession(feed: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      request<undefined>('DELETE', `/feed-sessions/${feed}/${encodeURIComponent(id)}`),
    onSuccess: () => client.invalidateQueries({ queryKey: feedsKey }),
  });
}

export interface TailLine {
  readonly id: string;
  readonly text: Foreign;
}

export type TailState = 'connecting' | 'open' | 'lost';

const linesKept = 500;

/** New lines of a feed, newest first. Nothing is read while it is paused or the page is hidden; it resumes where it stopped. */
export function useTail(feed: string, paused: boolean): { lines: readonly TailLine[]; state: TailState } {
  const [lines, setLines] = useState<readonly TailLine[]>([]);
  const [state, setState] = useState<TailState>('connecting');
  const [hidden, setHidden] = useState(document.hidden);
  useEffect(() => {
    const onChange = () => setHidden(document.hidden);
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another feed begins with an empty list
  useEffect(() => setLines([]), [feed]);
  useEffect(() => {
    if (paused || hidden) return undefined;
    const source = new EventSource(`/ui/api/feeds/${feed}/tail`);
    let arrived: TailLine[] = [];
    // One drawing for all that came within a moment.
    const timer = setInterval(() => {
      if (arrived.length === 0) return;
      const fresh = arrived.toReversed();
      arrived = [];
      setLines((before) => {
        const known = new Set(before.map(({ id }) => id));
        return [...fresh.filter(({ id }) => !known.has(id)), ...before].slice(0, linesKept);
      });
    }, 300);
    source.addEventListener('open', () => setState('open'));
    source.addEventListener('error', () => setState('lost'));
    source.addEventListener('message', ({ data, lastEventId }: MessageEvent<string>) =>
      arrived.push({ id: lastEventId, text: foreign(data) }),
    );
    return () => {
      clearInterval(timer);
      source.close();
    };
  }, [feed, paused, hidden]);
  return { lines, state };
}
