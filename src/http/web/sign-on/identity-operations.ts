/** One's own identities at the providers of the account. */
import { Type } from 'typebox';
import { requireRecentSignIn, unlinkOwnIdentity } from '../../../product/people/own-credentials.ts';
import { getProviderOf } from '../../../product/people/sign-on/administer-providers.ts';
import type { SignOnStore } from '../../../store/person/sign-on-store.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { type BeginInAppNeeds, beginInApp } from './begin-in-app.ts';
import { BegunAnswer, OwnIdentities } from './sign-on-wire.ts';

export type IdentityOperationNeeds = BeginInAppNeeds & {
  readonly signOn: Pick<SignOnStore, 'listProviders' | 'listIdentities' | 'unlinkIdentity'>;
};

const Id = Type.Object({ id: Type.String({ maxLength: 100 }) });

export function identityOperations(needs: IdentityOperationNeeds): readonly WebOperation[] {
  const { signOn } = needs;
  const begin = beginInApp(needs);

  const list = defineWebOperation({
    method: 'GET',
    path: '/me/identities',
    access: 'session',
    summary: 'The identity providers that the signed-in person can sign in by, and others of the account',
    answer: OwnIdentities,
    handle: async ({ caller: { person, account } }) => {
      const identities = await signOn.listIdentities(person.id);
      const linked = new Set(identities.map(({ providerId }) => providerId));
      const providers = await signOn.listProviders(account.id);
      return {
        identities: identities.map(({ providerId: id, providerName: provider, createdMs }) => ({
          id,
          provider,
          created: new Date(createdMs).toISOString(),
        })),
        available: providers
          .filter(({ id, enabled }) => enabled && !linked.has(id))
          .map(({ id, name: provider }) => ({ id, provider })),
      };
    },
  });

  const link = defineWebOperation({
    method: 'POST',
    path: '/me/identities/:id',
    access: 'session',
    summary: 'Begins to link an identity at a provider to the signed-in person',
    params: Id,
    answer: BegunAnswer,
    handle: async ({ caller, params, request: { ip: address }, reply, nowMs }) => {
      requireRecentSignIn(caller, nowMs);
      const provider = await getProviderOf(caller, params.id, needs);
      const { id: personId } = caller.person;
      return begin({ purpose: 'link', personId, next: '/me', address }, provider, reply);
    },
  });

  const unlink = defineWebOperation({
    method: 'DELETE',
    path: '/me/identities/:id',
    access: 'session',
    summary: 'Ends the link to a provider',
    params: Id,
    answer: Type.Void(),
    handle: ({ caller, params }) => unlinkOwnIdentity(caller, params.id, needs),
  });

  return [list, link, unlink];
}
