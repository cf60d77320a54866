/** The keys of Triage: one table for the web UI and for `nameglass triage`, from which the help of both is made. */

export type TriageKeyGroup = 'Move' | 'Select' | 'Decide' | 'Domain' | 'Lists' | 'General';

export interface TriageKey {
  /** `j`, `Shift+X`, `Escape`. */
  readonly keys: string;
  /** Other keys that do the same. */
  readonly also?: readonly string[];
  readonly label: string;
  readonly group: TriageKeyGroup;
  /** Where it works, if not in both. */
  readonly only?: 'web' | 'terminal';
}

export const triageKeys = {
  next: { keys: 'j', label: 'Next', group: 'Move' },
  previous: { keys: 'k', label: 'Previous', group: 'Move' },
  down: { keys: 'ArrowDown', label: 'Down', group: 'Move' },
  up: { keys: 'ArrowUp', label: 'Up', group: 'Move' },
  pageDown: { keys: 'PageDown', label: 'One screen down', group: 'Move', only: 'terminal' },
  pageUp: { keys: 'PageUp', label: 'One screen up', group: 'Move', only: 'terminal' },
  first: { keys: 'Home', label: 'First', group: 'Move' },
  last: { keys: 'End', label: 'Last loaded', group: 'Move' },
  card: { keys: 'o', also: ['Enter'], label: 'Open or close the card', group: 'Move' },
  page: { keys: 'Shift+O', label: 'Open the page of the domain', group: 'Move' },
  select: { keys: 'x', label: 'Select', group: 'Select' },
  selectRange: { keys: 'Shift+X', label: 'Select up to here', group: 'Select' },
  selectAll: { keys: '*', label: 'Select all that match the filter', group: 'Select' },
  cluster: { keys: 'c', label: 'Select and gather the cluster', group: 'Select' },
  clusters: { keys: 'Shift+C', label: 'Group the list by cluster', group: 'Lists' },
  watch: { keys: 'w', label: 'Watch', group: 'Decide' },
  ignore: { keys: 'i', label: 'Ignore', group: 'Decide' },
  block: { keys: 'b', label: 'Block', group: 'Decide' },
  submit: { keys: 'e', label: 'Submit to safe browsing', group: 'Decide' },
  undo: { keys: 'u', label: 'Undo', group: 'Decide' },
  note: { keys: 'm', label: 'Write a note', group: 'Domain' },
  assign: { keys: 'a', label: 'Assign', group: 'Domain' },
  tag: { keys: 't', label: 'Tag', group: 'Domain' },
  save: { keys: 's', label: 'Save to an investigation', group: 'Domain', only: 'web' },
  pack: { keys: 'p', label: 'Make an evidence pack', group: 'Domain', only: 'web' },
  campaign: { keys: 'Shift+S', label: 'Make a campaign', group: 'Domain', only: 'web' },
  operations: { keys: '.', label: 'Operations on the name', group: 'Domain', only: 'web' },
  copyDefanged: { keys: 'y', label: 'Copy defanged', group: 'Domain' },
  copyLive: { keys: 'Shift+Y', label: 'Copy as it is', group: 'Domain' },
  filter: { keys: '/', label: 'Filter by name', group: 'Lists' },
  facets: { keys: 'f', label: 'Facets', group: 'Lists' },
  view: { keys: 'v', label: 'List or screenshots', group: 'Lists', only: 'web' },
  showNew: { keys: 'n', label: 'Show what is new', group: 'Lists' },
  nextList: { keys: ']', label: 'Next list', group: 'Lists' },
  previousList: { keys: '[', label: 'Previous list', group: 'Lists' },
  escape: { keys: 'Escape', label: 'Clear the selection, close the card', group: 'Select' },
  help: { keys: '?', label: 'Show all keys', group: 'General', only: 'terminal' },
  quit: { keys: 'q', also: ['Mod+c'], label: 'Quit', group: 'General', only: 'terminal' },
} as const satisfies Readonly<Record<string, TriageKey>>;

export type TriageAction = keyof typeof triageKeys;
