import { ShieldCheck } from 'lucide-react';
import { useLinkIdentity, useOwnIdentities, useUnlinkIdentity } from '../../data/account/sign-on.ts';
import { spelledOut } from '../../data/unseen.ts';
import { FieldError } from '../../parts/field-error.tsx';
import { Failure } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago } from '../../parts/time.tsx';
import { identityWords as words } from '../../words/identity-providers.ts';
import { actionWords, timeWords } from '../../words/parts.ts';

/** Sign-ins at identity providers that are connected to this person. Not shown where the account has no provider. */
export function Identities() {
  const own = useOwnIdentities();
  const link = useLinkIdentity();
  const unlink = useUnlinkIdentity();
  if (own.isError) return <Failure error={own.error} what={words.what} retry={() => void own.refetch()} />;
  if (!own.data || own.data.identities.length + own.data.available.length === 0) return null;
  const { identities, available } = own.data;
  return (
    <section className="panel">
      <h2>{words.title}</h2>
      {identities.length === 0 && <p className="pale">{words.none}</p>}
      {identities.length > 0 && (
        <ul className="credential-lines">
          {identities.map(({ id, provider, created }) => (
            <li key={id}>
              <ShieldCheck size={16} aria-hidden />
              <span>
                <Text of={provider} />{' '}
                <small className="pale">
                  {words.since}
                  <Ago at={created} suffix={timeWords.ago} />
                </small>
              </span>
              <button
                type="button"
                className="danger"
                aria-label={words.disconnect(spelledOut(provider))}
                disabled={unlink.isPending}
                onClick={() => unlink.mutate(id)}
              >
                {actionWords.remove}
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="buttons start">
        {available.map(({ id, provider }) => (
          <button key={id} type="button" disabled={link.isPending} onClick={() => link.mutate(id)}>
            {words.connect(spelledOut(provider))}
          </button>
        ))}
      </div>
      <FieldError error={link.error ?? unlink.error} />
      <p className="pale">{words.signOut}</p>
    </section>
  );
}
