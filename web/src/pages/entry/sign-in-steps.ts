/** The ways to sign in. The cookie of the session is set by the server; no script sees it. */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { request } from '../../data/request.ts';

/** A code is needed besides the password; `step` goes back with it. */
interface CodeNeeded {
  readonly next: 'totp';
  readonly step: string;
}

interface PasskeyStep<Options> {
  readonly step: string;
  readonly options: Options;
}

/** The step that is left, if there is one. */
export async function signInWithPassword(username: string, password: string): Promise<string | undefined> {
  const answer: unknown = await request('POST', '/session', { open: true, body: { username, password } });
  return (answer as Partial<CodeNeeded>).step;
}

export async function signInWithCode(step: string, code: string): Promise<void> {
  await request('POST', '/session/totp', { open: true, body: { step, code: code.replaceAll(/\s/g, '') } });
}

export async function signInWithPasskey(): Promise<void> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const begun: unknown = await request('POST', '/session/passkey/options', { open: true, body: {} });
  const { step, options } = begun as PasskeyStep<PublicKeyCredentialRequestOptionsJSON>;
  const response = await startAuthentication({ optionsJSON: options });
  await request('POST', '/session/passkey/verify', { open: true, body: { step, response } });
}

export async function registerPasskey(name: string): Promise<void> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const begun: unknown = await request('POST', '/me/passkeys/options', { body: {} });
  const { step, options } = begun as PasskeyStep<PublicKeyCredentialCreationOptionsJSON>;
  const response = await startRegistration({ optionsJSON: options });
  await request('POST', '/me/passkeys', { body: { step, name, response } });
}
