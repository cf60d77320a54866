/**
 * Suggestions as a team sees them, and the answers of people: accepted ones change their monitor, dismissed ones stay away until the team has ignored twice
 * as many. Every answer is logged and can be undone.
 */
import type { Account, Caller } from '../../../model/account/account.ts';
import type {
  SuggestedChange,
  SuggestionAnswer,
  SuggestionOutcome,
} from '../../../model/detect/suggestion.ts';
import type { Monitor, MonitorSettings, WatchlistId } from '../../../model/detect/watchlist.ts';
import { Problem } from '../../../model/problem.ts';
import type { SuggestionStore } from '../../../store/detect/suggestion-store.ts';
import type { MonitorStore } from '../../../store/monitor-store.ts';
import { monitorsMax } from '../monitors.ts';
import { readDecided } from './read-decided.ts';
import { type Suggestion, suggestChanges } from './suggest.ts';

export interface SuggestionNeeds {
  readonly suggestions: SuggestionStore;
  readonly monitors: Pick<MonitorStore, 'findMonitor' | 'listMonitors' | 'updateMonitor'>;
}

export const answersShown = 50;
/** Later ones are not needed: what was dismissed is suggested again only after many more decisions. */
const answersRead = 1000;

export async function listSuggestions(
  account: Account,
  needs: SuggestionNeeds,
): Promise<readonly Suggestion[]> {
  const query = { sort: ['term'], descending: false, offset: 0, limit: monitorsMax } as const;
  const { monitors } = await needs.monitors.listMonitors(account.id, query);
  const found = await suggestChanges(await readDecided(account.id, needs), monitors);
  const dismissed = new Map(
    (await needs.suggestions.listAnswers(account.id, answersRead))
      .filter(({ outcome, undone }) => outcome === 'dismissed' && !undone)
      .map(({ suggestionId, ignored }) => [suggestionId, ignored]),
  );
  return found.filter(({ id, ignored }) => ignored >= 2 * (dismissed.get(id) ?? 0));
}

export async function getSuggestion(
  account: Account,
  id: string,
  needs: SuggestionNeeds,
): Promise<Suggestion> {
  const found = (await listSuggestions(account, needs)).find((one) => one.id === id);
  if (!found) throw new Problem('not-found', 'There is no such suggestion any more.');
  return found;
}

/** The settings of the monitor after the change. */
export function withChange<Settings extends MonitorSettings>(
  settings: Settings,
  { kind, value }: SuggestedChange,
): Settings {
  const { nameserverExclusions: servers, textExclusions: texts } = settings;
  if (kind === 'exclude-name-servers')
    return { ...settings, nameserverExclusions: withValue(servers, value) };
  if (kind === 'exclude-text') return { ...settings, textExclusions: withValue(texts, value) };
  return { ...settings, matchSubstringVariations: false };
}

function withoutChange(settings: Monitor, { kind, value }: SuggestedChange): Monitor {
  const without = (values: readonly string[]) => values.filter((one) => one !== value);
  if (kind === 'exclude-name-servers')
    return { ...settings, nameserverExclusions: without(settings.nameserverExclusions) };
  if (kind === 'exclude-text') return { ...settings, textExclusions: without(settings.textExclusions) };
  return { ...settings, matchSubstringVariations: true };
}

/** The answer is logged first: a change that nobody finds in the log could not be undone. */
export async function answerSuggestion(
  { account, user }: Caller,
  { id, outcome }: { readonly id: string; readonly outcome: SuggestionOutcome },
  needs: SuggestionNeeds,
  nowMs: number,
): Promise<SuggestionAnswer> {
  const suggestion = await getSuggestion(account, id, needs);
  const { monitorId, kind, value, ignored, kept, monitor } = suggestion;
  const by = { username: user.username, atMs: nowMs };
  const change = { monitorId, kind, value };
  const answer = await needs.suggestions.recordAnswer(
    account.id,
    { ...change, suggestionId: id, outcome, ignored, kept },
    by,
  );
  if (outcome === 'accepted') await saveSettings(account, withChange(monitor, change), needs, nowMs);
  return answer;
}

/** What was suggested is suggested again, if it still holds. */
export async function undoAnswer(
  { account, user }: Caller,
  id: WatchlistId,
  needs: SuggestionNeeds,
  nowMs: number,
): Promise<SuggestionAnswer> {
  const answer = await needs.suggestions.findAnswer(account.id, id);
  if (!answer) throw new Problem('not-found', 'There is no such answer.');
  if (answer.undone) throw new Problem('conflict', `${answer.undone.by} has undone this already.`);
  const monitor = await needs.monitors.findMonitor(account.id, answer.monitorId);
  if (monitor && answer.outcome === 'accepted')
    await saveSettings(account, withoutChange(monitor, answer), needs, nowMs);
  const by = { username: user.username, atMs: nowMs };
  return (await needs.suggestions.undoAnswer(account.id, id, by)) ?? answer;
}

async function saveSettings(
  account: Account,
  { id, nameserverExclusions, textExclusions, matchSubstringVariations }: Monitor,
  { monitors }: SuggestionNeeds,
  nowMs: number,
): Promise<void> {
  const change = { nameserverExclusions, textExclusions, matchSubstringVariations };
  await monitors.updateMonitor(account.id, id, change, nowMs);
}

function withValue(values: readonly string[], value: string): readonly string[] {
  return values.includes(value) ? values : [...values, value];
}
