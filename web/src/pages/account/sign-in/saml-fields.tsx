import type { ProviderBody } from '../../../data/account/sign-on.ts';
import { providerFormWords as words } from '../../../words/identity-providers.ts';
import { TextField } from './text-field.tsx';

type From = 'unchanged' | 'byUrl' | 'byText' | 'byMembers';

export interface SamlForm {
  readonly from: From;
  readonly metadata_url: string;
  readonly metadata: string;
  readonly entity_id: string;
  readonly entry_point: string;
  readonly certificate: string;
}

export const emptySaml = (canKeep: boolean): SamlForm => ({
  from: canKeep ? 'unchanged' : 'byUrl',
  metadata_url: '',
  metadata: '',
  entity_id: '',
  entry_point: '',
  certificate: '',
});

/** Nothing for a provider that stays as it is. */
export function samlBody(form: SamlForm): Pick<ProviderBody, 'saml'> {
  const { from, metadata_url, metadata, entity_id, entry_point, certificate } = form;
  if (from === 'byUrl') return { saml: { metadata_url } };
  if (from === 'byText') return { saml: { metadata } };
  return from === 'byMembers' ? { saml: { entity_id, entry_point, certificates: [certificate] } } : {};
}

interface SamlFieldsProps {
  readonly saml: SamlForm;
  readonly set: (saml: SamlForm) => void;
  readonly canKeep: boolean;
}

export function SamlFields({ saml, set, canKeep }: SamlFieldsProps) {
  const choices: readonly From[] = [
    ...(canKeep ? (['unchanged'] as const) : []),
    'byUrl',
    'byText',
    'byMembers',
  ];
  return (
    <>
      <fieldset className="choices">
        <legend>{words.from}</legend>
        {choices.map((from) => (
          <label key={from} className="choice">
            <input
              type="radio"
              name="from"
              checked={saml.from === from}
              onChange={() => set({ ...saml, from })}
            />
            {words[from]}
          </label>
        ))}
      </fieldset>
      {saml.from === 'byUrl' && (
        <TextField
          label={words.metadataUrl}
          type="url"
          value={saml.metadata_url}
          set={(metadata_url) => set({ ...saml, metadata_url })}
        />
      )}
      {saml.from === 'byText' && (
        <TextField
          label={words.metadata}
          rows={8}
          value={saml.metadata}
          set={(metadata) => set({ ...saml, metadata })}
        />
      )}
      {saml.from === 'byMembers' && (
        <>
          <TextField
            label={words.entityId}
            value={saml.entity_id}
            set={(entity_id) => set({ ...saml, entity_id })}
          />
          <TextField
            label={words.entryPoint}
            type="url"
            value={saml.entry_point}
            set={(entry_point) => set({ ...saml, entry_point })}
          />
          <TextField
            label={words.certificate}
            rows={5}
            value={saml.certificate}
            set={(certificate) => set({ ...saml, certificate })}
          />
        </>
      )}
    </>
  );
}
