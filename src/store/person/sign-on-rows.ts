/** Rows of sign-ins under way, as every adapter keeps them: nonces, code verifiers and claims are encrypted and bound to their rows. */
import { Problem } from '../../model/problem.ts';
import type { KeyVault } from '../key-vault.ts';
import type { SignOnPurpose, SignOnRequest } from './sign-on-store.ts';

export interface RequestRow {
  digest: string;
  provider_id: string;
  purpose: SignOnPurpose;
  request_id: string | null;
  binding: string;
  sealed: Buffer;
  next: string;
  person_id: string | null;
  created_ms: number;
  expires_ms: number;
}

export function requestRowOf(request: SignOnRequest, vault: KeyVault, nowMs: number): RequestRow {
  const { stateDigest, nonce, codeVerifier } = request;
  return {
    digest: stateDigest,
    provider_id: request.providerId,
    purpose: request.purpose,
    request_id: request.requestId ?? null,
    binding: request.binding,
    sealed: vault.seal(JSON.stringify([nonce, codeVerifier]), requestOwner(stateDigest)),
    next: request.next,
    person_id: request.personId ?? null,
    created_ms: nowMs,
    expires_ms: request.expiresMs,
  };
}

export function requestOf(row: RequestRow, vault: KeyVault): SignOnRequest {
  const opened = vault.open(row.sealed, requestOwner(row.digest));
  const [nonce, codeVerifier] = JSON.parse(opened) as [string, string];
  return {
    stateDigest: row.digest,
    providerId: row.provider_id,
    purpose: row.purpose,
    requestId: row.request_id ?? undefined,
    binding: row.binding,
    nonce,
    codeVerifier,
    next: row.next,
    personId: row.person_id ?? undefined,
    expiresMs: row.expires_ms,
  };
}

export function refuseTooManyRequests(requests: number, requestsMax: number): void {
  if (requests < requestsMax) return;
  throw new Problem('too-many-connections', 'Too many sign-ins are under way. Try again in a few minutes.');
}

function requestOwner(stateDigest: string): string {
  return `sign-on request ${stateDigest}`;
}

/** What an encrypted result is bound to. */
export function resultOwner(tokenDigest: string): string {
  return `sign-on result ${tokenDigest}`;
}
