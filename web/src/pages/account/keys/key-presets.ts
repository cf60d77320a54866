/** What keys are usually made for, and the expiry of a key as people choose it. */
import type { KeyList } from '../../../data/account/keys-and-usage.ts';
import type { PermissionName } from '../../../data/account/people.ts';

export const presetNames = ['siem', 'detect', 'pdns', 'batch', 'full'] as const;
export type PresetName = (typeof presetNames)[number];
export type Grantable = KeyList['grantable'];

/** What a key may do. */
export interface KeyGrants {
  readonly permissions: readonly PermissionName[];
  /** Null: all of the account. */
  readonly products: readonly string[] | null;
  readonly passiveDns: boolean;
  /** Null: no batch key. Empty text: all channels. */
  readonly channels: string | null;
}

const hasPrefix = (prefixes: readonly string[]) => (product: string) =>
  prefixes.some((prefix) => product.startsWith(prefix));

/** Undefined where the account has nothing to give for it. */
export function findPreset(name: PresetName, grantable: Grantable): KeyGrants | undefined {
  const only = (...prefixes: string[]) => grantable.products.filter(hasPrefix(['account-', ...prefixes]));
  const reading = { permissions: ['read'], products: null, passiveDns: false, channels: null } as const;
  switch (name) {
    case 'siem':
      return reading;
    case 'detect':
      return {
        ...reading,
        permissions: ['read', 'triage', 'escalate'],
        products: only('intel-detect-', 'intel-enrich'),
      };
    case 'pdns':
      return grantable.passive_dns ? { ...reading, products: only(), passiveDns: true } : undefined;
    case 'batch':
      return grantable.channels === null ? undefined : { ...reading, products: only(), channels: '' };
    case 'full':
      return {
        permissions: ['read', 'triage', 'escalate', 'manage', 'ingest'],
        products: null,
        passiveDns: grantable.passive_dns,
        channels: grantable.channels === null ? null : '',
      };
  }
}

export const expiryChoices = ['30', '90', '365', 'date', 'never'] as const;
export type ExpiryChoice = (typeof expiryChoices)[number];

export interface Expiry {
  readonly choice: ExpiryChoice;
  /** `YYYY-MM-DD`, in the zone of the person. */
  readonly date: string;
}

const dayMs = 86_400_000;

/** The time of expiry: null for never, undefined while no date is chosen. A date counts to its end. */
export function expiryTime({ choice, date }: Expiry, nowMs: number): string | null | undefined {
  if (choice === 'never') return null;
  if (choice !== 'date') return new Date(nowMs + Number(choice) * dayMs).toISOString();
  const end = new Date(`${date}T23:59:59.999`);
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString();
}

/** The day of a time, in the zone of the person. */
export function dayOf(iso: string): string {
  const time = new Date(iso);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}

/** `204, 212` as numbers; `all` where nothing is said. Undefined for anything else. */
export function readChannels(text: string): 'all' | number[] | undefined {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  if (parts.length === 0) return 'all';
  return parts.every((part) => /^\d{1,3}$/.test(part)) ? parts.map(Number) : undefined;
}

export function readAddresses(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((part) => part !== ''))];
}
