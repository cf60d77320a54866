/** Identity providers between the wire and the model. */
import { X509Certificate } from 'node:crypto';
import type { IdentityProvider, SignOnRules } from '../../../model/person/identity-provider.ts';
import type { ProviderRequest } from '../../../product/people/sign-on/administer-providers.ts';
import { invalid } from '../../../product/people/sign-on/provider-rules.ts';
import { signOnUrls } from '../../../product/people/sign-on/sign-on-urls.ts';
import type { SignOnTest } from '../../../product/people/sign-on/test-sign-on.ts';
import type { ProviderChangeBody, ProviderView, TestAnswer, WireRules } from './sign-on-wire.ts';

const usualScopes = ['profile', 'email'];

export function requestOf({ oidc, saml, mapping, ...rest }: ProviderChangeBody): ProviderRequest {
  if (oidc && saml) throw invalid('saml', 'a provider is of one kind: oidc or saml');
  const connection = oidc
    ? ({
        kind: 'oidc',
        issuer: oidc.issuer.trim(),
        clientId: oidc.client_id.trim(),
        scopes: oidc.scopes ?? usualScopes,
      } as const)
    : saml &&
      ({
        kind: 'saml',
        metadata: saml.metadata,
        metadataUrl: saml.metadata_url,
        entityId: saml.entity_id,
        entryPoint: saml.entry_point,
        certificates: saml.certificates,
      } as const);
  return { ...rest, connection, clientSecret: oidc?.client_secret, rules: mapping && rulesOf(mapping) };
}

function rulesOf({ rules, otherwise, ...rest }: WireRules): SignOnRules {
  return {
    permissions: rules,
    otherwise: otherwise ?? undefined,
    createsPeople: rest.creates_people,
    nameClaim: rest.name_claim.trim(),
    emailDomains: rest.email_domains,
  };
}

export function providerView(provider: IdentityProvider, ownUrl: string): ProviderView {
  const { id, name, connection, enabled, listed, createdMs } = provider;
  const isOidc = connection.kind === 'oidc';
  const { start, callback, acs, metadata } = signOnUrls(provider, ownUrl);
  return {
    id,
    name,
    kind: connection.kind,
    enabled,
    listed,
    oidc: isOidc
      ? {
          issuer: connection.issuer,
          client_id: connection.clientId,
          scopes: [...connection.scopes],
          has_secret: provider.hasClientSecret,
        }
      : null,
    saml: isOidc
      ? null
      : {
          entity_id: connection.entityId,
          entry_point: connection.entryPoint,
          certificates: connection.certificates.map(certificateView),
        },
    mapping: mappingView(provider.rules),
    urls: {
      start,
      callback: isOidc ? callback : null,
      acs: isOidc ? null : acs,
      metadata: isOidc ? null : metadata,
    },
    created: new Date(createdMs).toISOString(),
  };
}

function mappingView(rules: SignOnRules): WireRules {
  return {
    rules: rules.permissions.map((rule) => ({ ...rule, permissions: [...rule.permissions] })),
    otherwise: rules.otherwise ? [...rules.otherwise] : null,
    creates_people: rules.createsPeople,
    name_claim: rules.nameClaim,
    email_domains: [...rules.emailDomains],
  };
}

function certificateView(pem: string) {
  const { subject, validToDate, fingerprint256 } = new X509Certificate(pem);
  return {
    subject: subject.replaceAll('\n', ', '),
    expires: validToDate.toISOString(),
    fingerprint: fingerprint256,
  };
}

export function testView({ providerId, subject, claims, would, fault }: SignOnTest): TestAnswer {
  return {
    provider_id: providerId,
    subject: subject ?? null,
    claims: claims.map(([name, values]) => ({ name, values: [...values] })),
    would: would ? { ...would, permissions: [...would.permissions] } : null,
    fault: fault ?? null,
  };
}
