/** How people of the account sign in besides passwords and passkeys: identity providers, what their claims give, whether they are required. */
import '../../../styles/sign-on.css';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ShieldPlus } from 'lucide-react';
import { useProviders } from '../../../data/account/sign-on.ts';
import { useMissing } from '../../../data/me.ts';
import { Empty, Failure, Skeletons } from '../../../parts/region.tsx';
import { providerWords as words } from '../../../words/identity-providers.ts';
import { number } from '../../../words/language.ts';
import { AccountPage } from '../account-page.tsx';
import { MappingForm } from './mapping-form.tsx';
import { ProviderForm } from './provider-form.tsx';
import { ProviderPanel } from './provider-panel.tsx';
import { RemoveProvider } from './remove-provider.tsx';
import { RequirePanel } from './require-panel.tsx';
import type { SignInSearch } from './sign-in-search.ts';
import { TestReport } from './test-report.tsx';

export function SignInSettings() {
  const missing = useMissing('admin');
  const providers = useProviders(missing === undefined);
  const search = useSearch({ from: '/app/account/sign-in' });
  const navigate = useNavigate();
  const go = (next: SignInSearch) => void navigate({ to: '/account/sign-in', search: next });
  const close = () => go({});
  const list = providers.data?.providers;
  const about = list?.find(({ id }) => id === search.id);
  const add = (
    <button
      type="button"
      className="primary"
      disabled={!list}
      title={missing}
      onClick={() => go({ do: 'new' })}
    >
      <ShieldPlus size={15} aria-hidden /> {words.add}
    </button>
  );
  return (
    <AccountPage
      title={words.title}
      count={list && number(list.length)}
      missing={missing}
      actions={list?.length === 0 ? undefined : add}
    >
      {providers.isLoading && <Skeletons count={6} label={words.loading} />}
      {providers.isError && (
        <Failure error={providers.error} what={words.what} retry={() => void providers.refetch()} />
      )}
      {list?.length === 0 && (
        <Empty title={words.none}>
          <p>{words.noneHint}</p>
          {add}
        </Empty>
      )}
      {list?.map((provider) => (
        <ProviderPanel
          key={provider.id}
          of={provider}
          open={(dialog) => go({ do: dialog, id: provider.id })}
        />
      ))}
      {providers.data && list && list.length > 0 && (
        <RequirePanel
          required={providers.data.required}
          canRequire={list.some(({ enabled }) => enabled)}
          isAsking={search.do === 'require'}
          ask={() => go({ do: 'require' })}
          close={close}
        />
      )}
      <p className="pale">{words.untouched}</p>
      {list && search.do === 'new' && <ProviderForm close={close} />}
      {about && search.do === 'change' && <ProviderForm key={about.id} of={about} close={close} />}
      {about && search.do === 'mapping' && <MappingForm key={about.id} of={about} close={close} />}
      {about && search.do === 'remove' && <RemoveProvider of={about} close={close} />}
      {missing === undefined && search.tested !== undefined && (
        <TestReport token={search.tested} close={close} />
      )}
    </AccountPage>
  );
}
