/** The pages beside every page; on a phone the first four at the bottom, and the others behind one button. */
import { Link, useLocation } from '@tanstack/react-router';
import { CircleHelp, CircleUser, Command, Menu } from 'lucide-react';
import { Fragment } from 'react';
import { useCounts } from '../data/detect.ts';
import type { Me } from '../data/me.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Text } from '../parts/text.tsx';
import { shellWords as words } from '../words/app.ts';
import { type AppPage, pagesFor } from './pages.ts';

export type Opened = 'help' | 'palette' | 'settings' | 'more' | undefined;

interface RailProps {
  readonly me: Me;
  readonly open: (what: Opened) => void;
}

export function Rail({ me, open }: RailProps) {
  return (
    <nav className="rail" aria-label={words.pages}>
      <Link to="/" className="brand">
        <img src="/ui/icon.svg" alt="" width="22" height="22" /> <span>{words.product}</span>
      </Link>
      {pagesFor(me).map(({ name, pages }, index) => (
        <Fragment key={name}>
          {index > 0 && <p className="rail-group">{name}</p>}
          {pages.map((page) => (
            <PageLink key={page.to} page={page} />
          ))}
        </Fragment>
      ))}
      <div className="grow" />
      <button type="button" className="rail-button optional" onClick={() => open('palette')}>
        <Command size={16} aria-hidden /> <span>{words.find}</span> <kbd>{words.findKeys}</kbd>
      </button>
      <button type="button" className="rail-button optional" onClick={() => open('help')}>
        <CircleHelp size={16} aria-hidden /> <span>{words.keys}</span> <kbd>?</kbd>
      </button>
      <button type="button" className="rail-button optional" onClick={() => open('settings')}>
        <CircleUser size={16} aria-hidden />
        <span>
          <span className="sr">{words.settingsOf}</span>
          <Text of={me.person.name} />
        </span>
        {me.api_owner && <small>{words.owner}</small>}
      </button>
      <button type="button" className="rail-button more" onClick={() => open('more')}>
        <Menu size={16} aria-hidden /> <span>{words.more}</span>
      </button>
    </nav>
  );
}

function PageLink({ page, chosen }: { page: AppPage; chosen?: () => void }) {
  const { to, name, icon: Icon, key, inBar, covers } = page;
  const isCovered = useLocation({ select: ({ pathname }) => covers?.test(pathname) ?? false });
  return (
    <Link
      to={to}
      {...(isCovered ? { 'aria-current': 'true' } : {})}
      className={inBar ? 'page in-bar' : 'page'}
      activeOptions={{ includeSearch: false }}
      activeProps={{ 'aria-current': 'page' }}
      onClick={chosen}
    >
      <Icon size={16} aria-hidden /> <span>{name}</span>
      {to === '/triage' && <NewCount />}
      <kbd>{words.goKey(key)}</kbd>
    </Link>
  );
}

function NewCount() {
  const count = useCounts().data?.lists.new ?? 0;
  if (count === 0) return null;
  return (
    <span className="badge" title={words.newInAll(count)}>
      {count > 999 ? words.manyNew : count}
    </span>
  );
}

/** On a phone: the pages that the bar has no room for, and what stands below them on a wider screen. */
export function MorePages({ me, open, close }: RailProps & { close: () => void }) {
  return (
    <Dialog label={words.morePages} close={close} className="more-pages">
      <h2>{words.morePages}</h2>
      <nav aria-label={words.morePages}>
        {pagesFor(me).map(({ name, pages }) => (
          <section key={name}>
            <h3>{name}</h3>
            {pages
              .filter(({ inBar }) => !inBar)
              .map((page) => (
                <PageLink key={page.to} page={page} chosen={close} />
              ))}
          </section>
        ))}
      </nav>
      <div className="buttons start">
        <button type="button" onClick={() => open('palette')}>
          <Command size={16} aria-hidden /> {words.find}
        </button>
        <button type="button" onClick={() => open('settings')}>
          <CircleUser size={16} aria-hidden /> {words.settings}
        </button>
      </div>
    </Dialog>
  );
}
