import { useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { router } from '../../app/router.tsx';
import { meKey } from '../../data/me.ts';
import { useTitle } from '../../parts/use-title.ts';
import { EntryPage } from './entry-page.tsx';
import { SignInForm } from './sign-in-form.tsx';

export function SignIn() {
  useTitle('Sign in');
  const client = useQueryClient();
  const { next } = useSearch({ from: '/sign-in' });
  return (
    <EntryPage title="Sign in">
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
      <p className="pale">
        An operator of this server makes a link that signs you in: <code>nameglass signin NAME</code>
      </p>
    </EntryPage>
  );
}
