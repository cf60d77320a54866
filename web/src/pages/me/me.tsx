/** How one signs in, and where one is signed in. */
import '../../styles/me.css';
import { useMe } from '../../data/me.ts';
import { Text } from '../../parts/text.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { Authenticator } from './authenticator.tsx';
import { Passkeys } from './passkeys.tsx';
import { Password } from './password.tsx';
import { Sessions } from './sessions.tsx';

export function MePage() {
  useTitle('Signing in');
  const me = useMe().data;
  if (!me) return null;
  return (
    <div className="page-body me-page">
      <h1>
        <span>
          Signing in as <Text of={me.person.name} />
        </span>
      </h1>
      {me.setup_needed && (
        <p className="banner">
          Choose how you sign in from now on: a passkey, or a password of at least 12 characters. The other
          pages open then.
        </p>
      )}
      <Passkeys />
      <Password isSet={me.credentials.password} />
      <Authenticator
        isSet={me.credentials.totp}
        hasPassword={me.credentials.password}
        recoveryCodes={me.credentials.recovery_codes}
      />
      <Sessions />
    </div>
  );
}
