import { FlaskConical, Pencil, Power, PowerOff, Trash2, UsersRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Provider, useChangeProvider, useTestProvider } from '../../../data/account/sign-on.ts';
import { plain } from '../../../data/foreign.ts';
import { showToast } from '../../../data/toasts.ts';
import { spelledOut } from '../../../data/unseen.ts';
import { FieldError } from '../../../parts/field-error.tsx';
import { Text } from '../../../parts/text.tsx';
import { Moment } from '../../../parts/time.tsx';
import { providerWords as words } from '../../../words/identity-providers.ts';
import { OnceField } from '../once-field.tsx';
import type { ProviderDialog } from './sign-in-search.ts';

interface ProviderPanelProps {
  readonly of: Provider;
  readonly open: (dialog: ProviderDialog) => void;
}

/** One provider: what it is, what it must know of us, what it gives, and everything that can be done with it. */
export function ProviderPanel({ of, open }: ProviderPanelProps) {
  const change = useChangeProvider(of.id);
  const test = useTestProvider(of.id);
  const toggle = () =>
    change.mutate(
      { enabled: !of.enabled },
      { onSuccess: ({ enabled }) => showToast({ text: enabled ? words.nowEnabled : words.nowDisabled }) },
    );
  return (
    <section className="panel" aria-label={spelledOut(of.name)}>
      <div className="provider-head">
        <h2>
          <Text of={of.name} />
        </h2>
        <span className="chip">{words.kinds[of.kind]}</span>
        <span className={of.enabled ? 'chip on' : 'chip'}>{of.enabled ? words.enabled : words.disabled}</span>
        {!of.listed && <span className="chip">{words.unlisted}</span>}
      </div>
      <Facts of={of} />
      <OwnAddresses of={of} />
      <FieldError error={change.error ?? test.error} />
      <div className="buttons start">
        <button type="button" disabled={test.isPending} onClick={() => test.mutate()}>
          <FlaskConical size={15} aria-hidden /> {test.isPending ? words.testing : words.test}
        </button>
        <button type="button" onClick={() => open('mapping')}>
          <UsersRound size={15} aria-hidden /> {words.mapping}
        </button>
        <button type="button" onClick={() => open('change')}>
          <Pencil size={15} aria-hidden /> {words.edit}
        </button>
        <button type="button" disabled={change.isPending} onClick={toggle}>
          {of.enabled ? <PowerOff size={15} aria-hidden /> : <Power size={15} aria-hidden />}{' '}
          {of.enabled ? words.disable : words.enable}
        </button>
        <button type="button" className="danger" onClick={() => open('remove')}>
          <Trash2 size={15} aria-hidden /> {words.remove}
        </button>
      </div>
    </section>
  );
}

function Facts({ of }: { of: Provider }) {
  const { oidc, saml, mapping } = of;
  const others =
    mapping.otherwise === null ? words.refusesOthers : words.otherwise(mapping.otherwise.join(', '));
  return (
    <dl className="provider-facts">
      {oidc && (
        <>
          <Fact name={words.facts.issuer} mono>
            <Text of={oidc.issuer} />
          </Fact>
          <Fact name={words.facts.clientId} mono>
            <Text of={oidc.client_id} />
          </Fact>
          <Fact name={words.facts.secret}>{oidc.has_secret ? words.hasSecret : words.noSecret}</Fact>
        </>
      )}
      {saml && (
        <>
          <Fact name={words.facts.entityId} mono>
            <Text of={saml.entity_id} />
          </Fact>
          <Fact name={words.facts.entryPoint} mono>
            <Text of={saml.entry_point} />
          </Fact>
          <Fact name={words.facts.certificates}>
            {saml.certificates.map((certificate) => (
              <span
                key={plain(certificate.fingerprint)}
                className="line"
                title={spelledOut(certificate.fingerprint)}
              >
                {words.certificate(
                  <Text of={certificate.subject} />,
                  <Moment at={plain(certificate.expires)} />,
                )}
              </span>
            ))}
          </Fact>
        </>
      )}
      <Fact name={words.facts.rules}>
        {mapping.rules.length === 0 && mapping.otherwise === null
          ? words.noRules
          : `${words.rules(mapping.rules.length)}; ${others}`}
      </Fact>
      <Fact name={words.facts.people}>{mapping.creates_people ? words.creates : words.refusesNew}</Fact>
      {mapping.email_domains.length > 0 && (
        <Fact name={words.facts.email}>
          {mapping.email_domains.map((domain) => (
            <span key={plain(domain)} className="line">
              <Text of={domain} />
            </span>
          ))}
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, mono = false, children }: { name: string; mono?: boolean; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className={mono ? 'mono' : undefined}>{children}</dd>
    </>
  );
}

function OwnAddresses({ of: { urls } }: { of: Provider }) {
  const fields = [
    [words.callback, urls.callback],
    [words.acs, urls.acs],
    [words.metadata, urls.metadata],
    [words.start, urls.start],
  ] as const;
  return (
    <details className="own-addresses">
      <summary>{words.forProvider}</summary>
      {fields.map(
        ([label, url]) =>
          url !== null && <OnceField key={label} label={label} value={plain(url)} copied={words.copied} />,
      )}
    </details>
  );
}
