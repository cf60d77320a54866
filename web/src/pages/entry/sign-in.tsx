import { useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { router } from '../../app/router.tsx';
import { meKey } from '../../data/me.ts';
import { useTitle } from '../../parts/use-title.ts';
import { entryWords as words } from '../../words/entry.ts';
import { faultWords } from '../../words/sign-on.ts';
import { EntryPage } from './entry-page.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { SignOnButtons } from './sign-on-buttons.tsx';

export function SignIn() {
  useTitle(words.signIn);
  const client = useQueryClient();
  const { next, fault } = useSearch({ from: '/sign-in' });
  return (
    <EntryPage title={words.signIn}>
      {fault !== undefined && (
        <p role="alert" className="bad-text">
          {faultWords[fault]}
        </p>
      )}
      <SignInForm
        done={() => {
          client.removeQueries({ queryKey: meKey });
          // Only addresses of this app: the one to return to comes out of the address bar.
          void router.navigate({
            href: next?.startsWith('/') && !next.startsWith('//') ? next : '/',
            replace: true,
          });
        }}
      />
      <SignOnButtons next={next} />
      <p className="pale">{words.signInByLink(<code>nameglass signin NAME</code>)}</p>
    </EntryPage>
  );
}
