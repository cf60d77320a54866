/**
 * Authentication of platform requests. A request may carry several kinds of credentials; the first present of signature,
 * header, Basic and open key decides, and the others are ignored.
 */
import type { Caller } from '../../model/account/account.ts';
import { digestOf, findTimestampMs, verifies } from '../../model/account/signature.ts';
import type { Clock } from '../../model/clock.ts';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { AccountStore } from '../../store/account-store.ts';
import type { UsageStore } from '../../store/usage-store.ts';

export interface Credentials {
  readonly signed?: SignedCredentials;
  /** The header `X-Api-Key`. */
  readonly headerKey?: string;
  /** HTTP Basic. */
  readonly basic?: NamedKey;
  /** `api_username` and `api_key` among the parameters. */
  readonly open?: NamedKey;
}

interface NamedKey {
  readonly username: string | undefined;
  readonly key: string;
}

interface SignedCredentials {
  readonly username: string | undefined;
  readonly timestamp: string | undefined;
  readonly signature: string;
  /** The path as sent and, behind a mount prefix, the path without it: clients sign either. */
  readonly paths: readonly string[];
  /** Digest of the request (method, path, parameters, signature), for replay protection. */
  readonly requestId: Buffer;
  /** Rejects a signature that any earlier request used. */
  readonly singleUse: boolean;
}

export interface AuthenticateNeeds {
  readonly accounts: Pick<AccountStore, 'findByKey' | 'findByUsername' | 'findSigningKey'>;
  readonly usage: Pick<UsageStore, 'claimOnce'>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'auth'>;
}

export async function authenticate(credentials: Credentials, needs: AuthenticateNeeds): Promise<Caller> {
  const caller = await identify(credentials, needs);
  if (!caller) throw invalid();
  const expiresMs = caller.user.keyExpiresMs;
  if (expiresMs !== undefined && needs.clock.now() >= expiresMs) {
    throw new Problem('credentials-expired', 'The API key has expired.');
  }
  return caller;
}

function identify(credentials: Credentials, needs: AuthenticateNeeds): Promise<Caller | undefined> {
  const { signed, headerKey, basic, open } = credentials;
  if (signed) return bySignature(signed, needs);
  if (headerKey !== undefined) return needs.accounts.findByKey(headerKey);
  const named = basic ?? open;
  if (named) return byNamedKey(named, needs);
  throw new Problem(
    'credentials-missing',
    'No credentials were sent. Send an API key in the header X-Api-Key.',
  );
}

async function byNamedKey(named: NamedKey, needs: AuthenticateNeeds): Promise<Caller | undefined> {
  const caller = await needs.accounts.findByKey(named.key);
  return caller?.user.username === named.username ? caller : undefined;
}

async function bySignature(signed: SignedCredentials, needs: AuthenticateNeeds): Promise<Caller | undefined> {
  const { username, timestamp, signature, paths, requestId, singleUse } = signed;
  if (username === undefined || timestamp === undefined) return undefined;
  const digest = digestOf(signature);
  if (!digest || !(digest === 'sha256' || needs.settings.auth.signatureDigests.includes(digest)))
    return undefined;

  const nowMs = needs.clock.now();
  const windowMs = needs.settings.auth.signatureWindowSeconds * 1000;
  const signedMs = findTimestampMs(timestamp);
  if (signedMs === undefined || Math.abs(nowMs - signedMs) > windowMs) {
    throw invalid('The timestamp of the signature has no time zone or is too far from the server time.');
  }

  // An unknown user must take as long as a wrong signature, so that timing does not reveal which usernames exist.
  const apiKey = await needs.accounts.findSigningKey(username);
  const verified = paths.map((path) =>
    verifies(signature, { username, timestamp, path }, apiKey ?? 'unknown'),
  );
  if (apiKey === undefined || !verified.includes(true)) return undefined;

  const expiresMs = signedMs + windowMs + 1;
  const [newRequest, newSignature] = await Promise.all([
    needs.usage.claimOnce(requestId, expiresMs, nowMs),
    needs.usage.claimOnce(Buffer.from(signature, 'hex'), expiresMs, nowMs),
  ]);
  if (!newRequest || (singleUse && !newSignature))
    throw invalid('This signed request was received before. Sign every request separately.');
  return needs.accounts.findByUsername(username);
}

function invalid(message = 'The credentials you entered do not match an active account.'): Problem {
  return new Problem('credentials-invalid', message);
}
