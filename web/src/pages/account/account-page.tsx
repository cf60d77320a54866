/** What the pages of the account have in common: their frame, with the way from one to the other. */
import '../../styles/account.css';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Empty } from '../../parts/region.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { accountWords as words } from '../../words/account.ts';

const tabs = [
  ['/account/keys', words.tabs.keys],
  ['/account/quota', words.tabs.quota],
  ['/account/people', words.tabs.people],
  ['/account/sign-in', words.tabs.signIn],
  ['/account/audit', words.tabs.audit],
] as const;

interface AccountPageProps {
  readonly title: string;
  readonly count?: string | undefined;
  /** Why the person may not see it. */
  readonly missing?: string | undefined;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function AccountPage({ title, count, missing, actions, children }: AccountPageProps) {
  useTitle(title);
  return (
    <div className="page-body account-page">
      <nav className="tabs" aria-label={words.sections}>
        {tabs.map(([to, name]) => (
          <Link key={to} to={to} activeProps={{ 'aria-current': 'page' }}>
            {name}
          </Link>
        ))}
      </nav>
      <header className="page-head">
        <h1>
          {title} {count !== undefined && <span className="count">{count}</span>}
        </h1>
        <div className="grow" />
        {actions}
      </header>
      {missing === undefined ? (
        children
      ) : (
        <Empty title={words.adminsOnly}>
          <p>{missing}</p>
        </Empty>
      )}
    </div>
  );
}
