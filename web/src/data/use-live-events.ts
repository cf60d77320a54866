import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { DecisionTarget } from '../../../src/http/web/detect/domain-wire.ts';
import { isMine, numbersChanged } from './decide.ts';
import { domainKey } from './detect.ts';
import type { Foreign } from './foreign.ts';
import { investigationsKey } from './investigation/investigations-key.ts';
import { followEvents, type LiveEvent } from './live-events.ts';
import { addMoves, removeMoves } from './moves.ts';
import { session } from './session.ts';
import { createStore } from './store.ts';

/** Arrived since the list on the screen was read. */
export const arrivals = createStore(0);

interface Decided {
  readonly decision_id: string;
  readonly by: Foreign;
  readonly to: DecisionTarget;
  readonly ids: readonly string[];
}

/** Counts what arrives, greys what colleagues decide; the order of what is on the screen never changes. */
export function useLiveEvents(): void {
  const client = useQueryClient();
  useEffect(() => {
    const onDecided = async ({ decision_id, by, to, ids }: Decided) => {
      if (await isMine(decision_id)) return;
      addMoves(ids, { to, by });
      numbersChanged(client);
    };
    const onUndone = async ({ decision_id, ids }: Decided) => {
      if (await isMine(decision_id)) return;
      removeMoves(ids);
      numbersChanged(client);
    };
    return followEvents(({ kind, data }: LiveEvent) => {
      if (kind === 'signed-out') void session.signInNeeded('ended');
      else if (kind === 'decided') void onDecided(data as Decided);
      else if (kind === 'undone') void onUndone(data as Decided);
      else if (kind === 'investigation' || kind === 'resumed')
        void client.invalidateQueries({ queryKey: investigationsKey });
      else if (kind === 'discovered') arrivals.set((count) => count + 1);
      else {
        const id = (data as { id?: string } | undefined)?.id;
        if (id !== undefined) void client.invalidateQueries({ queryKey: domainKey(id) });
      }
      if (kind === 'discovered' || kind === 'changed') numbersChanged(client);
    });
  }, [client]);
}
