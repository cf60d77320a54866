/** How one signs in, and where one is signed in. */
import '../../styles/me.css';
import { useMe } from '../../data/me.ts';
import { Text } from '../../parts/text.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { meWords as words } from '../../words/me.ts';
import { Authenticator } from './authenticator.tsx';
import { Identities } from './identities.tsx';
import { Passkeys } from './passkeys.tsx';
import { Password } from './password.tsx';
import { Sessions } from './sessions.tsx';

export function MePage() {
  useTitle(words.title);
  const me = useMe().data;
  if (!me) return null;
  return (
    <div className="page-body me-page">
      <h1>
        <span>{words.as(<Text of={me.person.name} />)}</span>
      </h1>
      {me.setup_needed && <p className="banner">{words.choose}</p>}
      <Passkeys />
      <Password isSet={me.credentials.password} />
      <Authenticator
        isSet={me.credentials.totp}
        hasPassword={me.credentials.password}
        recoveryCodes={me.credentials.recovery_codes}
      />
      <Identities />
      <Sessions />
    </div>
  );
}
