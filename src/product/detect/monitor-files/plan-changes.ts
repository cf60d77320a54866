/** What has to change so that the monitors of an account are those of the files. */
import type { MonitorSettings } from '../../../model/detect/watchlist.ts';
import { type DeclaredMonitor, type FileFault, termKey } from './declared-monitor.ts';

/** A monitor of the account, as far as files declare it. */
export interface ExistingMonitor extends MonitorSettings {
  readonly id: string;
  readonly state: DeclaredMonitor['state'];
  /** The file that declares it as it is; undefined where none does, or it has changed since. */
  readonly declaredIn: string | undefined;
}

export interface Difference {
  readonly setting:
    | 'state'
    | 'match_substring_variations'
    | 'text_exclusions'
    | 'nameserver_exclusions'
    | 'passive_only';
  /** Entries of a list, or one value. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export type PlannedChange =
  | { readonly action: 'create'; readonly declared: DeclaredMonitor }
  | {
      readonly action: 'change';
      readonly declared: DeclaredMonitor;
      readonly existing: ExistingMonitor;
      readonly differences: readonly Difference[];
    }
  | { readonly action: 'keep'; readonly declared: DeclaredMonitor; readonly existing: ExistingMonitor }
  /** No file declares it. */
  | { readonly action: 'undeclared'; readonly existing: ExistingMonitor };

/** A term that two monitors of the files have. */
export function findRepeatedTerms(declared: readonly DeclaredMonitor[]): readonly FileFault[] {
  const first = new Map<string, DeclaredMonitor>();
  return declared.flatMap((monitor) => {
    const earlier = first.get(termKey(monitor.term));
    first.set(termKey(monitor.term), earlier ?? monitor);
    if (!earlier) return [];
    const message = `${monitor.term} is declared in ${earlier.file}:${earlier.line} too`;
    return [{ file: monitor.file, line: monitor.line, column: 1, message }];
  });
}

/** In the order of the files, then undeclared ones. Of several monitors of one term the declared one is the most similar. */
export function planChanges(
  declared: readonly DeclaredMonitor[],
  existing: readonly ExistingMonitor[],
): readonly PlannedChange[] {
  const left = new Set(existing);
  const changes = declared.map((monitor): PlannedChange => {
    const candidates = [...left].filter(({ term }) => termKey(term) === termKey(monitor.term));
    const [nearest] = candidates
      .map((one) => ({ one, differences: differencesBetween(one, monitor) }))
      .toSorted((a, b) => a.differences.length - b.differences.length);
    if (!nearest) return { action: 'create', declared: monitor };
    left.delete(nearest.one);
    const pair = { declared: monitor, existing: nearest.one };
    return nearest.differences.length === 0
      ? { action: 'keep', ...pair }
      : { action: 'change', ...pair, differences: nearest.differences };
  });
  return [...changes, ...[...left].map((one) => ({ action: 'undeclared', existing: one }) as const)];
}

type Compared = Omit<MonitorSettings, 'term'> & Pick<ExistingMonitor, 'state'>;

export function differencesBetween(before: Compared, after: Compared): readonly Difference[] {
  const all: readonly Difference[] = [
    difference('state', [before.state], [after.state]),
    difference(
      'match_substring_variations',
      [String(before.matchSubstringVariations)],
      [String(after.matchSubstringVariations)],
    ),
    difference('text_exclusions', before.textExclusions, after.textExclusions),
    difference('nameserver_exclusions', before.nameserverExclusions, after.nameserverExclusions),
    difference('passive_only', [String(before.passiveOnly ?? false)], [String(after.passiveOnly ?? false)]),
  ];
  return all.filter(({ added, removed }) => added.length > 0 || removed.length > 0);
}

/** The order of exclusions means nothing. */
function difference(
  setting: Difference['setting'],
  before: readonly string[],
  after: readonly string[],
): Difference {
  return {
    setting,
    added: after.filter((one) => !before.includes(one)),
    removed: before.filter((one) => !after.includes(one)),
  };
}
