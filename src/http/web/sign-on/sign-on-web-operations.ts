/** Single sign-on: the identity providers of the account for its administrators, the buttons for everybody, and one's own identities. */
import { Type } from 'typebox';
import type { IdentityProvider } from '../../../model/person/identity-provider.ts';
import {
  changeProvider,
  createProvider,
  getProviderOf,
  type ProviderNeeds,
  removeProvider,
  requireSignOn,
} from '../../../product/people/sign-on/administer-providers.ts';
import { signOnUrls } from '../../../product/people/sign-on/sign-on-urls.ts';
import { getTest, type TestNeeds } from '../../../product/people/sign-on/test-sign-on.ts';
import type { SignOnStore } from '../../../store/person/sign-on-store.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { type BeginInAppNeeds, beginInApp } from './begin-in-app.ts';
import { type IdentityOperationNeeds, identityOperations } from './identity-operations.ts';
import { providerView, requestOf, testView } from './provider-view.ts';
import {
  BegunAnswer,
  OfferedProviders,
  ProviderBody,
  ProviderChangeBody,
  ProviderList,
  ProviderView,
  RequiredBody,
  TestAnswer,
} from './sign-on-wire.ts';

export type SignOnWebNeeds = Omit<BeginInAppNeeds & ProviderNeeds, 'signOn' | 'oidc' | 'settings'> & {
  readonly signOn: BeginInAppNeeds['signOn'] &
    ProviderNeeds['signOn'] &
    TestNeeds['signOn'] &
    IdentityOperationNeeds['signOn'] &
    Pick<SignOnStore, 'listOfferedProviders' | 'isRequired'>;
  readonly oidc: BeginInAppNeeds['oidc'] & ProviderNeeds['oidc'];
  readonly settings: ProviderNeeds['settings'] & BeginInAppNeeds['settings'];
};

const Id = Type.Object({ id: Type.String({ maxLength: 100 }) });
/** More buttons than anyone reads. */
const offeredMax = 20;

export function signOnWebOperations(needs: SignOnWebNeeds): readonly WebOperation[] {
  return [...providerOperations(needs), ...signInOperations(needs), ...identityOperations(needs)];
}

function providerOperations(needs: SignOnWebNeeds): readonly WebOperation[] {
  const { signOn, ownUrl } = needs;
  const view = (provider: IdentityProvider) => providerView(provider, ownUrl());

  const list = defineWebOperation({
    method: 'GET',
    path: '/identity-providers',
    access: 'admin',
    summary: 'The identity providers of the account',
    answer: ProviderList,
    handle: async ({ caller: { account } }) => ({
      required: await signOn.isRequired(account.id),
      providers: (await signOn.listProviders(account.id)).map(view),
    }),
  });

  const create = defineWebOperation({
    method: 'POST',
    path: '/identity-providers',
    access: 'admin',
    summary: 'Adds an identity provider',
    body: ProviderBody,
    answer: ProviderView,
    handle: async ({ caller, body, reply }) => {
      const made = await createProvider(caller, requestOf(body), needs);
      reply.code(201);
      return view(made);
    },
  });

  const change = defineWebOperation({
    method: 'PATCH',
    path: '/identity-providers/:id',
    access: 'admin',
    summary: 'Changes, enables or disables an identity provider',
    params: Id,
    body: ProviderChangeBody,
    answer: ProviderView,
    handle: async ({ caller, params, body }) =>
      view(await changeProvider(caller, params.id, requestOf(body), needs)),
  });

  const remove = defineWebOperation({
    method: 'DELETE',
    path: '/identity-providers/:id',
    access: 'admin',
    summary: 'Removes an identity provider; nobody signs in by it any more',
    params: Id,
    answer: Type.Void(),
    handle: ({ caller, params }) => removeProvider(caller, params.id, needs),
  });

  const require = defineWebOperation({
    method: 'PUT',
    path: '/sign-on',
    access: 'admin',
    summary: 'Whether people of the account sign in by its identity providers alone',
    body: RequiredBody,
    answer: Type.Void(),
    handle: ({ caller, body }) => requireSignOn(caller, body.required, needs),
  });

  return [list, create, change, remove, require];
}

function signInOperations(needs: SignOnWebNeeds): readonly WebOperation[] {
  const { signOn } = needs;
  const begin = beginInApp(needs);

  const test = defineWebOperation({
    method: 'POST',
    path: '/identity-providers/:id/test',
    access: 'admin',
    summary: 'Begins a test sign-in, which signs nobody in; the result is read by its token afterwards',
    params: Id,
    answer: BegunAnswer,
    handle: async ({ caller, params, request: { ip: address }, reply }) => {
      const provider = await getProviderOf(caller, params.id, needs);
      return begin({ purpose: 'test', personId: caller.person.id, address }, provider, reply);
    },
  });

  const read = defineWebOperation({
    method: 'GET',
    path: '/identity-providers/tests/:token',
    access: 'admin',
    summary: 'What came of a test sign-in, for the administrator who began it',
    params: Type.Object({ token: Type.String({ maxLength: 64 }) }),
    answer: TestAnswer,
    handle: async ({ caller, params }) => testView(await getTest(caller, params.token, needs)),
  });

  const offered = defineWebOperation({
    method: 'GET',
    path: '/session/providers',
    access: 'open',
    summary: 'The identity providers that have a button on the page to sign in',
    answer: OfferedProviders,
    handle: async () => ({
      providers: (await signOn.listOfferedProviders(offeredMax)).map((provider) => ({
        name: provider.name,
        path: signOnUrls(provider, '').start,
      })),
    }),
  });

  return [test, read, offered];
}
