import type { Provider, ProviderBody } from '../../../data/account/sign-on.ts';
import { plain } from '../../../data/foreign.ts';
import { providerFormWords as words } from '../../../words/identity-providers.ts';
import { TextField } from './text-field.tsx';

export interface OidcForm {
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly scopes: string;
}

export function oidcForm(of: Provider | undefined): OidcForm {
  const oidc = of?.oidc;
  return {
    issuer: oidc ? plain(oidc.issuer) : '',
    client_id: oidc ? plain(oidc.client_id) : '',
    client_secret: '',
    scopes: oidc ? oidc.scopes.map(plain).join(' ') : 'profile email',
  };
}

export function oidcBody({ client_secret, scopes, ...rest }: OidcForm): Pick<ProviderBody, 'oidc'> {
  return {
    oidc: {
      ...rest,
      scopes: scopes.split(/\s+/).filter((scope) => scope !== '' && scope !== 'openid'),
      ...(client_secret === '' ? {} : { client_secret }),
    },
  };
}

interface OidcFieldsProps {
  readonly oidc: OidcForm;
  readonly set: (oidc: OidcForm) => void;
  readonly hasSecret: boolean;
}

export function OidcFields({ oidc, set, hasSecret }: OidcFieldsProps) {
  return (
    <>
      <TextField
        label={words.issuer}
        hint={words.issuerHint}
        type="url"
        value={oidc.issuer}
        set={(issuer) => set({ ...oidc, issuer })}
      />
      <TextField
        label={words.clientId}
        value={oidc.client_id}
        set={(client_id) => set({ ...oidc, client_id })}
      />
      <TextField
        label={words.secret}
        hint={hasSecret ? words.keptSecret : undefined}
        type="password"
        isOptional
        value={oidc.client_secret}
        set={(client_secret) => set({ ...oidc, client_secret })}
      />
      <TextField
        label={words.scopes}
        hint={words.scopesHint}
        isOptional
        value={oidc.scopes}
        set={(scopes) => set({ ...oidc, scopes })}
      />
    </>
  );
}
