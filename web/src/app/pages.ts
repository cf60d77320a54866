/** The pages of the rail. A page is listed when it exists. */
import { Bell, Crosshair, type LucideIcon, Radar, ShieldBan } from 'lucide-react';

export interface AppPage {
  readonly to: '/triage' | '/monitors' | '/alerts' | '/blocklists';
  readonly name: string;
  readonly icon: LucideIcon;
  /** After `g`. */
  readonly key: string;
}

export const pages: readonly AppPage[] = [
  { to: '/triage', name: 'Triage', icon: Crosshair, key: 't' },
  { to: '/monitors', name: 'Monitors', icon: Radar, key: 'm' },
  { to: '/alerts', name: 'Alerts', icon: Bell, key: 'l' },
  { to: '/blocklists', name: 'Blocklists', icon: ShieldBan, key: 'b' },
];
