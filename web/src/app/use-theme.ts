import { useEffect } from 'react';
import type { Preferences } from '../data/me.ts';
import { keyRegistry } from '../keys/use-keys.ts';

const remembered = 'nameglass-theme';

/** Before the server has answered, so that a dark screen does not flash. */
export function applyRememberedTheme(): void {
  const theme = localStorage.getItem(remembered);
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;
}

export function useTheme({ theme, density, single_keys }: Preferences): void {
  useEffect(() => {
    const root = document.documentElement;
    root.dataset['density'] = density;
    if (theme === 'system') {
      delete root.dataset['theme'];
      localStorage.removeItem(remembered);
    } else {
      root.dataset['theme'] = theme;
      localStorage.setItem(remembered, theme);
    }
    keyRegistry.charactersEnabled = single_keys;
  }, [theme, density, single_keys]);
}
