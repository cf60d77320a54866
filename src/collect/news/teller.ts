/** Tells what is new for as long as a server runs. */
import { setTimeout as pause } from 'node:timers/promises';
import { type TellNeeds, type ToldCounts, tellNews } from './tell-news.ts';

export interface TellerNeeds extends TellNeeds {
  /** Hears of what went wrong; it is tried again. */
  readonly onFailure: (error: unknown) => void;
}

export interface Teller {
  statistics(): ToldCounts & { readonly failures: number };
  close(): Promise<void>;
}

const lookMs = 1000;
const waitMsMax = 60_000;

export function startTeller(needs: TellerNeeds): Teller {
  const stopping = new AbortController();
  const { signal } = stopping;
  const told = { rrsets: 0, lines: 0, domains: 0, hosts: 0, failures: 0 };
  const onTold = ({ rrsets, lines, domains, hosts }: ToldCounts) => {
    told.rrsets += rrsets;
    told.lines += lines;
    told.domains += domains;
    told.hosts += hosts;
  };

  const run = async () => {
    let waitMs = lookMs;
    while (!signal.aborted) {
      try {
        await tellNews(needs, { signal, onTold });
        waitMs = lookMs;
      } catch (error) {
        told.failures += 1;
        needs.onFailure(error);
        waitMs = Math.min(waitMs * 2, waitMsMax);
      }
      await pause(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };
  const running = run();

  return {
    statistics: () => ({ ...told }),
    close: async () => {
      stopping.abort();
      await running;
    },
  };
}
