/**
 * Authentication of platform requests. A request may carry several kinds of credentials; the first present of signature,
 * header, Basic and open key decides, and the others are ignored.
 */
import type { Caller } from '../../model/account/account.ts';
import { findKeyRefusal } from '../../model/account/key-restrictions.ts';
import { digestOf, findTimestampMs, verifies } from '../../model/account/signature.ts';
import { Problem } from '../../model/problem.ts';
import type { AccountStore } from '../../store/account-store.ts';
import type { UsageStore } from '../../store/usage-store.ts';
import { type ClaimNeeds, claimSignature, type SignedUse } from './signature-claims.ts';

export interface Credentials {
  readonly signed?: SignedCredentials;
  /** The header `X-Api-Key`. */
  readonly headerKey?: string;
  /** HTTP Basic. */
  readonly basic?: NamedKey;
  /** `api_username` and `api_key` among the parameters. */
  readonly open?: NamedKey;
  /** Why a header that looks like credentials is none, where there are no others. */
  readonly unacceptable?: string;
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
  readonly use: Omit<SignedUse, 'timestamp' | 'signature'>;
}

export interface AuthenticateNeeds extends ClaimNeeds {
  readonly usage: ClaimNeeds['usage'] & Pick<UsageStore, 'noteRefusal'>;
  readonly accounts: Pick<AccountStore, 'findByKey' | 'findByUsername' | 'findSigningKey'>;
}

export interface Authenticated {
  readonly caller: Caller;
  /** Forgets that the signature was used: the request was refused for now, and the client may repeat it as it is. */
  readonly release: () => Promise<void>;
}

export async function authenticate(
  credentials: Credentials,
  client: { readonly ip: string },
  needs: AuthenticateNeeds,
): Promise<Authenticated> {
  const caller = await identify(credentials, needs);
  if (!caller) throw invalid();
  const atMs = needs.clock.now();
  const why = findKeyRefusal(caller.user, client, atMs);
  if (why !== undefined) {
    needs.usage.noteRefusal(caller.user.id, { atMs, address: client.ip, why });
    if (why === 'expired') throw new Problem('credentials-expired', 'The API key has expired.');
    // As for an unknown key: who has stolen this one must not learn that it works elsewhere.
    throw invalid();
  }
  const { signed } = credentials;
  if (!signed) return { caller, release: async () => {} };
  const { timestamp = '', signature, use } = signed;
  return { caller, release: await claimSignature({ timestamp, signature, ...use }, needs) };
}

function identify(credentials: Credentials, needs: AuthenticateNeeds): Promise<Caller | undefined> {
  const { signed, headerKey, basic, open, unacceptable } = credentials;
  if (signed) return bySignature(signed, needs);
  if (headerKey !== undefined) return needs.accounts.findByKey(headerKey);
  const named = basic ?? open;
  if (named) return byNamedKey(named, needs);
  const fault = unacceptable ?? 'No credentials were sent.';
  throw new Problem('credentials-missing', `${fault} Send an API key in the header X-Api-Key.`);
}

async function byNamedKey(named: NamedKey, needs: AuthenticateNeeds): Promise<Caller | undefined> {
  const caller = await needs.accounts.findByKey(named.key);
  return caller?.user.username === named.username ? caller : undefined;
}

const weakDigestNames = { sha1: 'SHA-1', md5: 'MD5' } as const;

async function bySignature(signed: SignedCredentials, needs: AuthenticateNeeds): Promise<Caller | undefined> {
  const { username, timestamp, signature, paths } = signed;
  if (username === undefined || timestamp === undefined)
    throw invalid('A signature needs api_username and timestamp beside it.');
  const digest = digestOf(signature);
  if (!digest) throw invalid('The signature must be an HMAC-SHA-256 of 64 hex digits in lower case.');
  if (digest !== 'sha256' && !needs.settings.auth.signatureDigests.includes(digest))
    throw invalid(`Signatures by ${weakDigestNames[digest]} are not accepted. Sign with HMAC-SHA-256.`);

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
  return needs.accounts.findByUsername(username);
}

function invalid(message = 'The credentials you entered do not match an active account.'): Problem {
  return new Problem('credentials-invalid', message);
}
