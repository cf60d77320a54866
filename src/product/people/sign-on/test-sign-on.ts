/** A test sign-in: what the provider says about the administrator who tries it, and what that would give. Nobody is signed in by it. */
import type { Permission } from '../../../model/account/permission.ts';
import { minuteMs } from '../../../model/durations.ts';
import { Problem } from '../../../model/problem.ts';
import type { FoundProvider, SignOnStore } from '../../../store/person/sign-on-store.ts';
import { findTokenDigest, newToken } from '../session-token.ts';
import type { SignedIn } from '../sessions.ts';
import { type PersonNeeds, planSignOn } from './find-signed-on-person.ts';
import type { Returned } from './finish-sign-on.ts';
import { SignOnFault, type SignOnFaultCode } from './sign-on-fault.ts';

export interface SignOnTest {
  readonly providerId: string;
  readonly subject?: string | undefined;
  readonly claims: readonly (readonly [string, readonly string[]])[];
  /** What a sign-in would do, for whom, and with which permissions. */
  readonly would?:
    | {
        readonly does: 'enter' | 'link' | 'create';
        readonly name: string;
        readonly permissions: readonly Permission[];
      }
    | undefined;
  /** Why it would be refused. */
  readonly fault?: { readonly code: SignOnFaultCode; readonly detail: string } | undefined;
}

export type TestNeeds = Omit<PersonNeeds, 'signOn'> & {
  readonly signOn: PersonNeeds['signOn'] & Pick<SignOnStore, 'createResult' | 'findResult'>;
};

interface StoredTest {
  readonly kind: 'test';
  readonly personId: string | undefined;
  readonly test: SignOnTest;
}

const testMs = 10 * minuteMs;

/** Returns the token by which the administrator reads it. */
export async function saveTest(
  provider: FoundProvider,
  { personId, outcome }: Returned,
  needs: TestNeeds,
): Promise<string> {
  const stored: StoredTest = { kind: 'test', personId, test: await judge(provider, outcome, needs) };
  const { token, tokenDigest } = newToken();
  const nowMs = needs.clock.now();
  const content = JSON.stringify(stored);
  await needs.signOn.createResult({ tokenDigest, content, expiresMs: nowMs + testMs }, nowMs);
  return token;
}

async function judge(
  provider: FoundProvider,
  outcome: Returned['outcome'],
  needs: TestNeeds,
): Promise<SignOnTest> {
  const providerId = provider.provider.id;
  if (outcome instanceof SignOnFault)
    return { providerId, claims: [], fault: { code: outcome.code, detail: outcome.message } };
  const said = { providerId, subject: outcome.subject, claims: [...outcome.claims] };
  try {
    const plan = await planSignOn(provider, outcome, needs);
    const name = plan.does === 'create' ? plan.name : plan.existing.person.name;
    return { ...said, would: { does: plan.does, name, permissions: plan.permissions } };
  } catch (error) {
    if (!(error instanceof SignOnFault)) throw error;
    return { ...said, fault: { code: error.code, detail: error.message } };
  }
}

/** For the administrator who began it. Throws `not-found`. */
export async function getTest(
  admin: SignedIn,
  token: string,
  { signOn, clock }: Pick<TestNeeds, 'signOn' | 'clock'>,
): Promise<SignOnTest> {
  const content = await signOn.findResult(findTokenDigest(token) ?? '', clock.now());
  const stored = content === undefined ? undefined : (JSON.parse(content) as StoredTest);
  if (stored?.kind !== 'test' || stored.personId !== admin.person.id)
    throw new Problem('not-found', 'There is no such test, or it is too long ago. Test again.');
  return stored.test;
}
