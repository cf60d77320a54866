/** Blocklist selections and the allow list on the wire. */
import { type Static, Type } from 'typebox';
import type { Account } from '../../../model/account/account.ts';
import type { SelectionRules } from '../../../model/detect/blocklist/selection.ts';
import { zoneName } from '../../../model/detect/blocklist/zone-name.ts';
import type { AllowedName, BlocklistSelection } from '../../../store/detect/blocklist-store.ts';
import { nameOnWire, timeOnWire } from './detect-wire.ts';

const itemsMax = 100;

const rules = {
  blocked: Type.Optional(Type.Boolean({ description: 'domains escalated as blocked; by default false' })),
  new_score_min: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'new domains with at least this risk score; 0 includes those without a score',
    }),
  ),
  tags: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      maxItems: itemsMax,
      description: 'domains with any of these tags of the team, also those that are not on the watchlist',
    }),
  ),
  monitor_ids: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: itemsMax,
      description: 'of all these, only domains that one of these monitors matched',
    }),
  ),
};

export const SelectionParameters = Type.Object({
  name: Type.String({ description: 'lower-case letters, digits and hyphens' }),
  ...rules,
});

export const SelectionOnWire = Type.Object(
  {
    name: Type.String(),
    blocked: Type.Boolean(),
    new_score_min: Type.Optional(Type.Integer()),
    tags: Type.Array(Type.String()),
    monitor_ids: Type.Array(Type.String()),
    zone: Type.String({ description: 'its name in zone transfers' }),
    serial: Type.Integer({ description: 'rises with every change' }),
    domains: Type.Integer({ description: 'blocked' }),
    left_out: Type.Integer({ description: 'not blocked because they are allowed' }),
    created_by: Type.Optional(Type.String()),
    created_date: Type.Optional(Type.String()),
  },
  { title: 'BlocklistSelection' },
);

export const SelectionListOnWire = Type.Object({
  count: Type.Integer(),
  selections: Type.Array(SelectionOnWire),
});

export const AllowListOnWire = Type.Object({
  count: Type.Integer(),
  allowed: Type.Array(
    Type.Object({ domain: Type.String(), added_by: Type.String(), added_date: Type.String() }),
  ),
});

export function rulesOf(parameters: Omit<Static<typeof SelectionParameters>, 'name'>): SelectionRules {
  const { blocked = false, new_score_min, tags = [], monitor_ids = [] } = parameters;
  return {
    blocked,
    ...(new_score_min === undefined ? {} : { newScoreMin: new_score_min }),
    tags: [...new Set(tags.map((tag) => tag.trim()))].filter(Boolean),
    monitorIds: [...new Set(monitor_ids)],
  };
}

export function selectionOnWire(
  account: Account,
  { name, rules: { blocked, newScoreMin, tags, monitorIds }, ...selection }: BlocklistSelection,
): Static<typeof SelectionOnWire> {
  return {
    name,
    blocked,
    ...(newScoreMin === undefined ? {} : { new_score_min: newScoreMin }),
    tags: [...tags],
    monitor_ids: [...monitorIds],
    zone: zoneName(account, name),
    serial: selection.serial,
    domains: selection.blocked,
    left_out: selection.leftOut,
    // Nobody has made the one that every account has.
    ...(selection.createdBy === ''
      ? {}
      : { created_by: selection.createdBy, created_date: timeOnWire(selection.createdMs) }),
  };
}

export function allowListOnWire(names: readonly AllowedName[]): Static<typeof AllowListOnWire> {
  return {
    count: names.length,
    allowed: names.map(({ name, by, atMs }) => ({
      domain: nameOnWire(name),
      added_by: by,
      added_date: timeOnWire(atMs),
    })),
  };
}
