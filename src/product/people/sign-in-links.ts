/** One-time links that sign a person in: printed at the start, by the command line, or given to somebody who is invited. */
import { dayMs, minuteMs } from '../../model/durations.ts';
import type { Author } from '../../store/account-store.ts';
import type { SessionStore } from '../../store/person/session-store.ts';
import { newToken } from './session-token.ts';

export const printedLinkMs: number = 10 * minuteMs;
export const invitationMs: number = 3 * dayMs;

interface LinkRequest {
  readonly personId: string;
  readonly lifetimeMs: number;
  readonly loopbackOnly: boolean;
}

export interface MadeLink {
  /** Below the URL of the server. */
  readonly path: string;
  readonly expiresMs: number;
}

export async function createSignInLink(
  { personId, lifetimeMs, loopbackOnly }: LinkRequest,
  author: Author,
  { sessions }: { readonly sessions: Pick<SessionStore, 'createLink'> },
): Promise<MadeLink> {
  const { token, tokenDigest } = newToken();
  const expiresMs = author.atMs + lifetimeMs;
  await sessions.createLink({ tokenDigest, personId, expiresMs, loopbackOnly }, author);
  return { path: `/ui/enter?t=${token}`, expiresMs };
}
