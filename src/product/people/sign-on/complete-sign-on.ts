/** What a sign-in at an identity provider does once it is verified: a session, a linked identity, or the report of a test. */

import { Problem } from '../../../model/problem.ts';
import type { NewSession, SessionStore } from '../../../store/person/session-store.ts';
import type { FoundProvider } from '../../../store/person/sign-on-store.ts';
import { type Client, type NewSignIn, startSession } from '../sign-in.ts';
import { findSignedOnPerson, type PersonNeeds } from './find-signed-on-person.ts';
import type { Returned } from './finish-sign-on.ts';
import { SignOnFault } from './sign-on-fault.ts';
import { saveTest, type TestNeeds } from './test-sign-on.ts';

export type CompleteNeeds = TestNeeds & {
  readonly sessions: Pick<SessionStore, 'createSession'>;
};

export interface Completed {
  /** The address in the app to go to. */
  readonly goTo: string;
  readonly signedIn?: NewSignIn;
}

/** Throws a SignOnFault, for a test never. */
export async function completeSignOn(
  provider: FoundProvider,
  returned: Returned,
  client: Client,
  needs: CompleteNeeds,
): Promise<Completed> {
  const { purpose, outcome, personId, next } = returned;
  if (purpose === 'test')
    return { goTo: `/ui/account/sign-in?tested=${await saveTest(provider, returned, needs)}` };
  if (outcome instanceof SignOnFault) throw outcome;
  if (purpose === 'link') {
    await linkOwn(provider, { personId, subject: outcome.subject }, client, needs);
    return { goTo: next };
  }
  const found = await findSignedOnPerson(provider, outcome, needs);
  const how: Pick<NewSession, 'method'> = { method: `single sign-on ${provider.provider.name}` };
  return { goTo: next, signedIn: await startSession(found, how, client, needs) };
}

/** The browser must still have the session of the person who began. */
async function linkOwn(
  { provider, account }: FoundProvider,
  { personId, subject }: { readonly personId: string | undefined; readonly subject: string },
  { before }: Client,
  { signOn, clock }: Pick<PersonNeeds, 'signOn' | 'clock'>,
): Promise<void> {
  if (!before || before.person.id !== personId || before.account.id !== account.id)
    throw new SignOnFault('expired', 'the person who began to link is no longer signed in');
  const identity = { providerId: provider.id, subject, personId: before.person.id };
  try {
    await signOn.linkIdentity(identity, { actor: before.person.name, atMs: clock.now() });
  } catch (error) {
    if (error instanceof Problem && error.code === 'already-exists')
      throw new SignOnFault('name-taken', error.message, error);
    throw error;
  }
}
