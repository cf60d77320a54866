/** What an administrator may write about an identity provider. Each fault names its field. */
import type { OidcConnection, SamlConnection, SignOnRules } from '../../../model/person/identity-provider.ts';
import { fieldProblem, type Problem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { isAllowedPlainUrl } from './oidc-client.ts';

const nameLengthMax = 60;
const claimLengthMax = 200;
const valueLengthMax = 500;
const domainForm = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/i;

export function checkedName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > nameLengthMax || /\p{C}/u.test(trimmed))
    throw invalid('name', `must have 1 to ${nameLengthMax} visible characters`);
  return trimmed;
}

export function checkOidc(connection: OidcConnection, settings: Pick<Settings, 'outgoing'>): void {
  checkUrl('issuer', connection.issuer, settings);
  if (connection.clientId.trim() === '') throw invalid('client_id', 'must not be empty');
  if (!connection.scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/.test(scope)))
    throw invalid('scopes', 'must be words without spaces, such as profile');
}

export function checkSaml(connection: SamlConnection, settings: Pick<Settings, 'outgoing'>): void {
  checkUrl('entry_point', connection.entryPoint, settings);
  if (connection.entityId.trim() === '') throw invalid('entity_id', 'must not be empty');
}

export function checkUrl(field: string, text: string, settings: Pick<Settings, 'outgoing'>): void {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.hash !== '')
    throw invalid(field, 'must be an https URL');
  if (url.protocol === 'http:' && !isAllowedPlainUrl(text, settings))
    throw invalid(field, 'must be an https URL; http is for addresses that outgoing.allow lists');
}

export function checkRules({ permissions, nameClaim, emailDomains }: SignOnRules): void {
  const wrong = permissions.findIndex(
    ({ claim, value }) =>
      claim === '' || claim.length > claimLengthMax || value === '' || value.length > valueLengthMax,
  );
  if (wrong >= 0) throw invalid(`rules.${wrong}`, 'needs the name of a claim and a value');
  if (nameClaim.length > claimLengthMax) throw invalid('name_claim', 'is too long');
  const domain = emailDomains.find((text) => !domainForm.test(text));
  if (domain !== undefined)
    throw invalid('email_domains', `${domain.slice(0, 100)} is not a domain such as example.com`);
}

export function invalid(field: string, message: string): Problem {
  return fieldProblem('invalid-members', field, message);
}
