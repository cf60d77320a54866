/** The operations about people themselves: who is signed in, signing in, sessions, credentials, the people of the account. */
import type { SessionNeeds } from '../../../product/people/sessions.ts';
import type { WebOperation } from '../web-operation.ts';
import { type CredentialOperationNeeds, credentialOperations } from './credential-operations.ts';
import { meOperations } from './me-operations.ts';
import { type PeopleOperationNeeds, peopleOperations } from './people-operations.ts';
import { sessionOperations } from './session-operations.ts';
import { type SignInOperationNeeds, signInOperations } from './sign-in-operations.ts';

export type SessionWebNeeds = SignInOperationNeeds &
  CredentialOperationNeeds &
  SessionNeeds &
  PeopleOperationNeeds;

export function sessionWebOperations(needs: SessionWebNeeds): readonly WebOperation[] {
  return [
    ...meOperations(needs),
    ...signInOperations(needs),
    ...sessionOperations(needs),
    ...credentialOperations(needs),
    ...peopleOperations(needs),
  ];
}
