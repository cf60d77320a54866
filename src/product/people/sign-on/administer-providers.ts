/**
 * The identity providers of an account, managed by its administrators. One who controls a provider can be anyone in the account but the API
 * owner, so each change needs a recent sign-in.
 */
import type { Clock } from '../../../model/clock.ts';
import { secondMs } from '../../../model/durations.ts';
import type {
  IdentityProvider,
  OidcConnection,
  ProviderConnection,
  SamlConnection,
  SignOnRules,
} from '../../../model/person/identity-provider.ts';
import { Problem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { createDialer } from '../../../outgoing/guarded-dialer.ts';
import { guardedFetch } from '../../../outgoing/guarded-fetch.ts';
import type { SignOnStore } from '../../../store/person/sign-on-store.ts';
import { requireRecentSignIn } from '../own-credentials.ts';
import type { SignedIn } from '../sessions.ts';
import type { OidcClient } from './oidc-client.ts';
import { checkedName, checkOidc, checkRules, checkSaml, checkUrl, invalid } from './provider-rules.ts';
import { InvalidMetadata, metadataLengthMax, pemOf, readSamlMetadata } from './saml-metadata.ts';
import { SignOnFault } from './sign-on-fault.ts';

export interface ProviderNeeds {
  readonly signOn: Pick<
    SignOnStore,
    | 'createProvider'
    | 'findProvider'
    | 'updateProvider'
    | 'removeProvider'
    | 'findClientSecret'
    | 'setRequired'
  >;
  readonly oidc: Pick<OidcClient, 'discover'>;
  readonly settings: Pick<Settings, 'outgoing'>;
  readonly clock: Clock;
}

/** A SAML provider is described by its metadata, as text or where to fetch it, or by its three members. */
export interface SamlRequest {
  readonly kind: 'saml';
  readonly metadata?: string | undefined;
  readonly metadataUrl?: string | undefined;
  readonly entityId?: string | undefined;
  readonly entryPoint?: string | undefined;
  readonly certificates?: readonly string[] | undefined;
}

export interface ProviderRequest {
  readonly name?: string | undefined;
  readonly connection?: OidcConnection | SamlRequest | undefined;
  readonly clientSecret?: string | undefined;
  readonly rules?: SignOnRules | undefined;
  readonly enabled?: boolean | undefined;
  readonly listed?: boolean | undefined;
}

const providersMax = 20;
const metadataTimeoutMs = 10 * secondMs;

/** Nobody gets in until an administrator says who gets what. */
const cautiousRules: SignOnRules = { permissions: [], createsPeople: false, nameClaim: '', emailDomains: [] };

export async function createProvider(
  admin: SignedIn,
  request: ProviderRequest,
  needs: ProviderNeeds,
): Promise<IdentityProvider> {
  const author = authorOf(admin, needs);
  const { clientSecret, rules = cautiousRules, enabled = false, listed = true } = request;
  const name = checkedName(request.name ?? '');
  if (!request.connection) throw invalid('connection', 'must describe the provider');
  checkRules(rules);
  const connection = await getConnection(request.connection, clientSecret, needs);
  const given = { accountId: admin.account.id, name, connection, clientSecret, rules, enabled, listed };
  return needs.signOn.createProvider(given, providersMax, author);
}

export async function changeProvider(
  admin: SignedIn,
  id: string,
  request: ProviderRequest,
  needs: ProviderNeeds,
): Promise<IdentityProvider> {
  const author = authorOf(admin, needs);
  const before = await getProviderOf(admin, id, needs);
  const { name, clientSecret, rules, enabled, listed } = request;
  if (rules) checkRules(rules);
  if (request.connection && request.connection.kind !== before.connection.kind)
    throw invalid('connection', 'cannot become of another kind; add another provider');
  // Also with a new secret alone: it is the moment to notice that the provider cannot be reached.
  const described = request.connection ?? (clientSecret === undefined ? undefined : before.connection);
  const secret = clientSecret ?? (await needs.signOn.findClientSecret(id));
  const connection = described && (await getConnection(described, secret, needs));
  const checked = name === undefined ? undefined : checkedName(name);
  const change = { name: checked, connection, clientSecret, rules, enabled, listed };
  return needs.signOn.updateProvider(admin.account.id, id, change, author);
}

export function removeProvider(admin: SignedIn, id: string, needs: ProviderNeeds): Promise<void> {
  return needs.signOn.removeProvider(admin.account.id, id, authorOf(admin, needs));
}

export async function requireSignOn(admin: SignedIn, required: boolean, needs: ProviderNeeds): Promise<void> {
  await needs.signOn.setRequired(admin.account, required, authorOf(admin, needs));
}

/** A provider of another account is indistinguishable from one that does not exist. */
export async function getProviderOf(
  admin: SignedIn,
  id: string,
  { signOn }: { readonly signOn: Pick<SignOnStore, 'findProvider'> },
): Promise<IdentityProvider> {
  const found = await signOn.findProvider(id);
  if (found?.account.id !== admin.account.id)
    throw new Problem('not-found', 'The account has no such identity provider.');
  return found.provider;
}

async function getConnection(
  described: OidcConnection | SamlRequest,
  clientSecret: string | undefined,
  needs: ProviderNeeds,
): Promise<ProviderConnection> {
  if (described.kind === 'saml') {
    const connection = await getSamlConnection(described, needs);
    checkSaml(connection, needs.settings);
    return connection;
  }
  checkOidc(described, needs.settings);
  await needs.oidc.discover(described, clientSecret).catch((error: unknown) => {
    throw error instanceof SignOnFault
      ? invalid('issuer', `does not answer as a provider: ${error.message}`)
      : error;
  });
  return described;
}

async function getSamlConnection(request: SamlRequest, needs: ProviderNeeds): Promise<SamlConnection> {
  const { metadata, metadataUrl, entityId, entryPoint, certificates } = request;
  const field =
    metadataUrl === undefined ? (metadata === undefined ? 'certificates' : 'metadata') : 'metadata_url';
  try {
    if (metadataUrl !== undefined) return readSamlMetadata(await fetchMetadata(metadataUrl, needs));
    if (metadata !== undefined) return readSamlMetadata(metadata);
    if (entityId === undefined || entryPoint === undefined || !certificates?.length)
      throw invalid('metadata', 'is needed, or entity_id, entry_point and certificates');
    return { kind: 'saml', entityId, entryPoint, certificates: certificates.map(pemOf) };
  } catch (error) {
    throw error instanceof InvalidMetadata ? invalid(field, error.message) : error;
  }
}

async function fetchMetadata(url: string, { settings }: ProviderNeeds): Promise<string> {
  checkUrl('metadata_url', url, settings);
  const get = guardedFetch(createDialer({ settings }), {
    timeoutMs: metadataTimeoutMs,
    bytesMax: metadataLengthMax,
  });
  try {
    const response = await get(url);
    if (response.status !== 200) throw new InvalidMetadata(`was answered with status ${response.status}`);
    return await response.text();
  } catch (error) {
    throw error instanceof Problem ? invalid('metadata_url', `cannot be read: ${error.message}`) : error;
  }
}

function authorOf(admin: SignedIn, { clock }: Pick<ProviderNeeds, 'clock'>) {
  const atMs = clock.now();
  requireRecentSignIn(admin, atMs);
  return { actor: admin.person.name, atMs };
}
