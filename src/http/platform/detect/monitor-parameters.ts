/** The parameters of the monitor operations. */
import { type Static, Type } from 'typebox';
import { termPattern, termRule } from '../../../model/detect/monitor-term.ts';
import type { MonitorSettings } from '../../../model/detect/watchlist.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { visiblePattern, visibleRule } from '../../../model/visible-text.ts';
import { monitorSorts } from '../../../product/detect/monitor-list.ts';
import { monitorStates } from '../../../product/detect/monitors.ts';
import type { MonitorChange } from '../../../store/monitor-store.ts';
import { choice, choices, definedMembers, instant, limit, Order, offset } from './detect-parameters.ts';

const exclusionsMax = 500;
const fileLengthMax = 500;
const visible = { allOf: [{ pattern: visiblePattern, must: visibleRule }] };
const Exclusion = Type.String({ pattern: '\\S', maxLength: 253, must: 'must not be blank', ...visible });
const exclusions = (description: string) =>
  Type.Optional(Type.Array(Exclusion, { maxItems: exclusionsMax, description }));

const Term = Type.String({
  pattern: termPattern,
  must: termRule,
  description: 'at least 3 characters',
  ...visible,
});

const settingsMembers = {
  match_substring_variations: Type.Optional(
    Type.Boolean({ description: 'also matches variations inside longer names; by default false' }),
  ),
  nameserver_exclusions: exclusions('domains whose name servers all match are excluded; * matches any text'),
  text_exclusions: exclusions('domains whose name contains one of them are excluded'),
  passive_only: Type.Optional(
    Type.Boolean({
      description:
        'beyond the contract: nothing is asked of the servers of what it matches; by default false',
    }),
  ),
};

const State = Type.Optional(
  choice(monitorStates, 'inactive pauses the monitor, active resumes it; a new monitor is active'),
);

/** Also of a dry run. */
export const MonitorParameters = Type.Object({ term: Term, ...settingsMembers });

export const CreateParameters = Type.Object({ ...MonitorParameters.properties, state: State });

export const ChangeParameters = Type.Object({
  monitor_id: Type.Optional(Type.String({ description: 'in the query string' })),
  term: Type.Optional(Term),
  ...settingsMembers,
  state: State,
  declared_in: Type.Optional(
    Type.Union(
      [
        Type.String({ pattern: '\\S', maxLength: fileLengthMax, must: 'must not be blank', ...visible }),
        Type.Null(),
      ],
      { description: 'beyond the contract: the file of monitors as code that declares it so; null: none' },
    ),
  ),
});

export function monitorSettingsOf(parameters: Static<typeof MonitorParameters>): MonitorSettings {
  const {
    matchSubstringVariations = false,
    nameserverExclusions = [],
    textExclusions = [],
    passiveOnly = false,
  } = changeOf(parameters);
  const settings = { matchSubstringVariations, nameserverExclusions, textExclusions };
  return { term: parameters.term.trim(), ...settings, ...(passiveOnly ? { passiveOnly } : {}) };
}

export function changeOf(parameters: Omit<Static<typeof ChangeParameters>, 'term'>): MonitorChange {
  const trimmed = (texts: readonly string[] | undefined) => texts?.map((text) => text.trim());
  return definedMembers({
    matchSubstringVariations: parameters.match_substring_variations,
    nameserverExclusions: trimmed(parameters.nameserver_exclusions),
    textExclusions: trimmed(parameters.text_exclusions),
    state: parameters.state,
    passiveOnly: parameters.passive_only,
    declaredIn: parameters.declared_in,
  });
}

export function monitorListParameters({ limits: { detect } }: Settings) {
  return Type.Object({
    datetime_counts_since: instant('start of the counts; required with include_counts'),
    include_counts: Type.Optional(Type.Boolean({ description: 'adds domain_counts' })),
    sort: choices(monitorSorts, 'sort keys in order of priority; by default term'),
    order: Order,
    offset: offset(detect.offsetMax),
    limit: limit(
      Math.max(detect.monitorsLimitMax, detect.monitorsLimitWithCountsMax),
      `0 or absent: the maximum, ${detect.monitorsLimitMax}, or ${detect.monitorsLimitWithCountsMax} with include_counts`,
    ),
  });
}
