import { type FormEvent, useState } from 'react';
import { type Provider, useAddProvider, useChangeProvider } from '../../../data/account/sign-on.ts';
import { plain } from '../../../data/foreign.ts';
import { showToast } from '../../../data/toasts.ts';
import { Dialog } from '../../../parts/dialog.tsx';
import { FieldError } from '../../../parts/field-error.tsx';
import { DialogButtons } from '../../../parts/forms/dialog-buttons.tsx';
import { Text } from '../../../parts/text.tsx';
import { providerWords, providerFormWords as words } from '../../../words/identity-providers.ts';
import { actionWords } from '../../../words/parts.ts';
import { OidcFields, oidcBody, oidcForm } from './oidc-fields.tsx';
import { emptySaml, SamlFields, samlBody } from './saml-fields.tsx';
import { TextField } from './text-field.tsx';

/** Adds a provider, or changes one; its kind stays. */
export function ProviderForm({ of, close }: { of?: Provider; close: () => void }) {
  const add = useAddProvider();
  const change = useChangeProvider(of?.id ?? '');
  const { error, isPending } = of ? change : add;
  const [kind, setKind] = useState<'oidc' | 'saml'>(of?.kind ?? 'oidc');
  const [name, setName] = useState(of ? plain(of.name) : '');
  const [listed, setListed] = useState(of?.listed ?? true);
  const [oidc, setOidc] = useState(() => oidcForm(of));
  const [saml, setSaml] = useState(emptySaml(of !== undefined));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const described = kind === 'oidc' ? oidcBody(oidc) : samlBody(saml);
    const done = (text: string) => ({
      onSuccess: () => {
        showToast({ text });
        close();
      },
    });
    if (of) change.mutate({ name, listed, ...described }, done(words.saved));
    else add.mutate({ name, listed, ...described }, done(words.added));
  };
  return (
    <Dialog label={words.newTitle} close={close} className="provider-dialog">
      <h2>{of ? words.changeTitle(<Text of={of.name} />) : words.newTitle}</h2>
      <form onSubmit={submit}>
        {!of && (
          <fieldset className="choices inline">
            <legend>{words.kind}</legend>
            {(['oidc', 'saml'] as const).map((one) => (
              <label key={one} className="choice">
                <input type="radio" name="kind" checked={kind === one} onChange={() => setKind(one)} />
                {providerWords.kinds[one]}
              </label>
            ))}
          </fieldset>
        )}
        <TextField label={words.name} hint={words.nameHint} value={name} set={setName} isFirst />
        {kind === 'oidc' ? (
          <OidcFields oidc={oidc} set={setOidc} hasSecret={of?.oidc?.has_secret === true} />
        ) : (
          <SamlFields saml={saml} set={setSaml} canKeep={of !== undefined} />
        )}
        <label className="choice">
          <input type="checkbox" checked={listed} onChange={() => setListed(!listed)} /> {words.listed}
        </label>
        <FieldError error={error} />
        <DialogButtons
          action={of ? actionWords.save : providerWords.add}
          disabled={isPending}
          close={close}
        />
      </form>
    </Dialog>
  );
}
