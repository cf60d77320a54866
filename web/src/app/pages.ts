/** The pages of the rail, in groups. */
import {
  Activity,
  Bell,
  Crosshair,
  FileChartColumn,
  FileCheck2,
  Group,
  KeyRound,
  type LucideIcon,
  Network,
  Radar,
  Rss,
  Search,
  ShieldBan,
  Tag,
  Waypoints,
} from 'lucide-react';
import type { Me } from '../data/me.ts';
import { pageGroups, pageNames } from '../words/app.ts';

export interface AppPage {
  readonly to:
    | '/triage'
    | '/monitors'
    | '/campaigns'
    | '/search'
    | '/investigations'
    | '/tags'
    | '/blocklists'
    | '/alerts'
    | '/feeds'
    | '/pdns'
    | '/report'
    | '/evidence'
    | '/account/keys'
    | '/health';
  readonly name: string;
  readonly icon: LucideIcon;
  /** After `g`. */
  readonly key: string;
  /** In the bar at the bottom of a phone. */
  readonly inBar?: true;
  /** The paths of pages that belong to it, besides its own. */
  readonly covers?: RegExp;
  /** Who has no use for it does not see it; by default it is for everybody. */
  readonly isFor?: (me: Me) => boolean;
}

export interface PageGroup {
  readonly name: string;
  readonly pages: readonly AppPage[];
}

const groups: readonly PageGroup[] = [
  {
    name: pageGroups.detect,
    pages: [
      { to: '/triage', name: pageNames.triage, icon: Crosshair, key: 't', inBar: true },
      { to: '/monitors', name: pageNames.monitors, icon: Radar, key: 'm', inBar: true },
      { to: '/campaigns', name: pageNames.campaigns, icon: Group, key: 'c' },
      { to: '/blocklists', name: pageNames.blocklists, icon: ShieldBan, key: 'b' },
      {
        to: '/alerts',
        name: pageNames.alerts,
        icon: Bell,
        key: 'a',
        isFor: ({ permissions }) => permissions.includes('manage'),
      },
      { to: '/evidence', name: pageNames.evidence, icon: FileCheck2, key: 'e' },
      { to: '/report', name: pageNames.report, icon: FileChartColumn, key: 'r' },
    ],
  },
  {
    name: pageGroups.investigate,
    pages: [
      { to: '/search', name: pageNames.search, icon: Search, key: 's', inBar: true },
      { to: '/investigations', name: pageNames.investigations, icon: Waypoints, key: 'i', inBar: true },
      { to: '/tags', name: pageNames.tags, icon: Tag, key: 'l' },
      { to: '/pdns', name: pageNames.passiveDns, icon: Network, key: 'p' },
      { to: '/feeds', name: pageNames.feeds, icon: Rss, key: 'f' },
    ],
  },
  {
    name: pageGroups.account,
    pages: [
      {
        to: '/account/keys',
        name: pageNames.keys,
        icon: KeyRound,
        key: 'k',
        covers: /^(?:\/ui)?\/account\//,
      },
      { to: '/health', name: pageNames.health, icon: Activity, key: 'h', isFor: ({ operator }) => operator },
    ],
  },
];

/** What this person has a use for; the server decides what they may do. */
export const pagesFor = (me: Me): readonly PageGroup[] =>
  groups.map(({ name, pages }) => ({ name, pages: pages.filter(({ isFor }) => isFor?.(me) ?? true) }));
