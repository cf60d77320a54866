/** Where else a person is signed in. */
import { Type } from 'typebox';
import {
  endOtherSessions,
  endOwnSession,
  listOwnSessions,
  type SessionNeeds,
} from '../../../product/people/sessions.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { SessionList } from './session-wire.ts';

export function sessionOperations(needs: SessionNeeds): readonly WebOperation[] {
  const getSessions = defineWebOperation({
    method: 'GET',
    path: '/sessions',
    access: 'session',
    summary: 'Lists the sessions of the signed-in person',
    answer: SessionList,
    handle: async ({ caller }) => {
      const sessions = await listOwnSessions(caller, needs);
      return {
        sessions: sessions.map(({ id, createdMs, seenMs, address, agent }) => ({
          id,
          current: id === caller.session.id,
          created: new Date(createdMs).toISOString(),
          seen: new Date(seenMs).toISOString(),
          address,
          agent,
        })),
      };
    },
  });

  const deleteSessions = defineWebOperation({
    method: 'DELETE',
    path: '/sessions',
    access: 'session',
    summary: 'Ends all other sessions of the signed-in person',
    answer: Type.Object({ ended: Type.Integer() }),
    handle: async ({ caller }) => ({ ended: await endOtherSessions(caller, needs) }),
  });

  const deleteSessionById = defineWebOperation({
    method: 'DELETE',
    path: '/sessions/:id',
    access: 'session',
    summary: 'Ends one session of the signed-in person',
    params: Type.Object({ id: Type.String() }),
    answer: Type.Void(),
    handle: ({ caller, params }) => endOwnSession(caller, needs, params.id),
  });

  return [getSessions, deleteSessions, deleteSessionById];
}
