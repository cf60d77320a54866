/** What is around every page: the rail, the palette, the help, messages, and the dialog that an ended session opens. */
import { Link, Outlet, useNavigate } from '@tanstack/react-router';
import { CircleHelp, CircleUser, Command } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useCounts } from '../data/detect.ts';
import type { Me } from '../data/me.ts';
import { useLiveEvents } from '../data/use-live-events.ts';
import { useKeys } from '../keys/use-keys.ts';
import { Text } from '../parts/text.tsx';
import { Help } from './help.tsx';
import { pages } from './pages.ts';
import { Palette } from './palette.tsx';
import { SessionEnded } from './session-ended.tsx';
import { SettingsDialog } from './settings-dialog.tsx';
import { useTheme } from './use-theme.ts';

type Opened = 'help' | 'palette' | 'settings' | undefined;

export function Shell({ me }: { me: Me }) {
  const navigate = useNavigate();
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  useTheme(me.preferences);
  useLiveEvents();
  useKeys([
    { keys: '?', label: 'All keys', group: 'General', run: () => setOpened('help') },
    {
      keys: 'Mod+k',
      label: 'Palette: paste or type anything',
      group: 'General',
      run: () => setOpened('palette'),
    },
    { keys: 'g ,', label: 'Settings', group: 'Go to', run: () => setOpened('settings') },
    {
      keys: 'g d',
      label: 'Recent decisions',
      group: 'Go to',
      run: () => void navigate({ to: '/decisions' }),
    },
    ...pages.map(
      ({ to, name, key }) =>
        ({ keys: `g ${key}`, label: name, group: 'Go to', run: () => void navigate({ to }) }) as const,
    ),
  ]);
  useEffect(() => {
    document.getElementById('root')?.setAttribute('data-ready', '');
  }, []);
  return (
    <div className="app">
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <Rail me={me} open={setOpened} />
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      {opened === 'help' && <Help close={close} />}
      {opened === 'palette' && <Palette close={close} />}
      {opened === 'settings' && <SettingsDialog me={me} close={close} />}
      <SessionEnded me={me} />
    </div>
  );
}

function Rail({ me, open }: { me: Me; open: (what: Opened) => void }) {
  const counts = useCounts().data;
  return (
    <nav className="rail" aria-label="Pages">
      <Link to="/" className="brand">
        <img src="/ui/icon.svg" alt="" width="22" height="22" /> <span>Nameglass</span>
      </Link>
      {pages.map(({ to, name, icon: Icon, key }) => (
        <Link
          key={to}
          to={to}
          className="page"
          activeOptions={{ includeSearch: false }}
          activeProps={{ 'aria-current': 'page' }}
        >
          <Icon size={16} aria-hidden /> <span>{name}</span>
          {to === '/triage' && counts && counts.lists.new > 0 && (
            <span className="badge" title={`${counts.lists.new.toLocaleString('en')} new in all monitors`}>
              {counts.lists.new > 999 ? '999+' : counts.lists.new}
            </span>
          )}
          <kbd>g {key}</kbd>
        </Link>
      ))}
      <div className="grow" />
      <button type="button" className="rail-button" onClick={() => open('palette')}>
        <Command size={16} aria-hidden /> <span>Find</span> <kbd>Ctrl K</kbd>
      </button>
      <button type="button" className="rail-button optional" onClick={() => open('help')}>
        <CircleHelp size={16} aria-hidden /> <span>Keys</span> <kbd>?</kbd>
      </button>
      <button type="button" className="rail-button person" onClick={() => open('settings')}>
        <CircleUser size={16} aria-hidden />
        <span>
          <span className="sr">Settings of </span>
          <Text of={me.person.name} />
        </span>
        {me.api_owner && <small>owner</small>}
      </button>
    </nav>
  );
}
