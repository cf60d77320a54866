/** Changes of investigations as server-sent events. They have no event id of their own: who reconnects reads what is on the screen again. */
import type { Caller } from '../../../model/account/account.ts';
import type { InvestigationStore } from '../../../store/desk/investigation-store.ts';
import type { EventRecord } from '../../platform/event-stream/server-sent-events.ts';
import { changeOnWire } from './investigation-view.ts';

export interface InvestigationEventNeeds {
  readonly investigations: Pick<InvestigationStore, 'lastChangeId' | 'listChanges'>;
}

const pageChanges = 100;

/** A function that returns those since its last call. */
export async function followInvestigations(
  { account, user }: Caller,
  { investigations }: InvestigationEventNeeds,
): Promise<() => Promise<readonly EventRecord[]>> {
  const reader = { accountId: account.id, personId: user.id };
  let afterId = await investigations.lastChangeId(account.id);
  return async () => {
    const lastId = await investigations.lastChangeId(account.id);
    if (lastId <= afterId) return [];
    const changes = await investigations.listChanges({ ...reader, afterId, limit: pageChanges });
    // A page that is not full has all up to `lastId`; the rest is not for this person.
    afterId = changes.length < pageChanges ? lastId : (changes.at(-1)?.id ?? lastId);
    return changes.map((change) => ({
      type: 'investigation',
      text: JSON.stringify({ id: change.investigationId, ...changeOnWire(change) }),
    }));
  };
}
