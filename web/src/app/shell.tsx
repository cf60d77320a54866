/** What is around every page: the rail, the palette, the help, messages, and the dialog that an ended session opens. */
import { Outlet, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Me } from '../data/me.ts';
import { useLiveEvents } from '../data/use-live-events.ts';
import { useKeys } from '../keys/use-keys.ts';
import { keyWords, shellWords } from '../words/app.ts';
import { Help } from './help.tsx';
import { pagesFor } from './pages.ts';
import { Palette } from './palette.tsx';
import { MorePages, type Opened, Rail } from './rail.tsx';
import { SessionEnded } from './session-ended.tsx';
import { SettingsDialog } from './settings-dialog.tsx';
import { useTheme } from './use-theme.ts';

export function Shell({ me }: { me: Me }) {
  const navigate = useNavigate();
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  useTheme(me.preferences);
  useLiveEvents();
  useKeys([
    { keys: '?', label: keyWords.allKeys, group: 'General', run: () => setOpened('help') },
    {
      keys: 'Mod+k',
      label: keyWords.palette,
      group: 'General',
      run: () => setOpened('palette'),
    },
    { keys: 'g ,', label: keyWords.settings, group: 'Go', run: () => setOpened('settings') },
    {
      keys: 'g d',
      label: keyWords.decisions,
      group: 'Go',
      run: () => void navigate({ to: '/decisions' }),
    },
    ...pagesFor(me)
      .flatMap(({ pages }) => pages)
      .map(
        ({ to, name, key }) =>
          ({ keys: `g ${key}`, label: name, group: 'Go', run: () => void navigate({ to }) }) as const,
      ),
  ]);
  useEffect(() => {
    document.getElementById('root')?.setAttribute('data-ready', '');
  }, []);
  return (
    <div className="app">
      <a className="skip" href="#main">
        {shellWords.skip}
      </a>
      <Rail me={me} open={setOpened} />
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      {opened === 'help' && <Help close={close} />}
      {opened === 'palette' && <Palette close={close} />}
      {opened === 'settings' && <SettingsDialog me={me} close={close} />}
      {opened === 'more' && <MorePages me={me} open={setOpened} close={close} />}
      <SessionEnded me={me} />
    </div>
  );
}
