/** What Triage does with domains besides deciding about them: notes, tags, who works on them, and which of them belong together. */
import { counted } from '../../output.ts';
import { edited } from './text-entry.ts';
import type { TriageApi, TriageRow } from './triage-api.ts';
import { chosenRows, currentRow, type EntryMode, gathered, said, type TriageState } from './triage-state.ts';

/** What the session lends to these actions. */
export interface SessionPort {
  readonly api: TriageApi;
  readonly state: () => TriageState;
  readonly set: (state: TriageState) => void;
  /** Runs after the requests of earlier keys. */
  readonly enqueue: (work: () => Promise<void>) => void;
  readonly loadAll: () => Promise<void>;
  readonly explain: (error: unknown) => string;
}

type Entry = EntryMode['what'];

/** Characters, as the server bounds them. */
const charactersMax: Readonly<Record<Entry, number>> = { note: 4000, assign: 255, tag: 64 };
/** A request for each. */
const assignedMax = 100;
/** As many as one request may name. */
const taggedMax = 100;

const sharedWords: Readonly<Record<string, string>> = {
  name_server: 'the name server',
  certificate: 'the certificate',
  picture: 'the picture',
  ip: 'the address',
  analytics: 'the tracker',
};

export class DomainActions {
  readonly #port: SessionPort;

  constructor(port: SessionPort) {
    this.#port = port;
  }

  /** A note is about the current domain; tags and people are for what is selected. */
  begin(what: Entry): void {
    const { state, set } = this.#port;
    const before = { ...state(), message: undefined };
    if (before.isAllSelected && what !== 'note')
      return set(said(before, 'This works on domains that are selected one by one. Esc clears.', true));
    const rows = what === 'note' ? [currentRow(before)].flatMap((row) => row ?? []) : chosenRows(before);
    const most = what === 'tag' ? taggedMax : assignedMax;
    if (rows.length > most)
      return set(said(before, `At most ${most} domains at a time; ${rows.length} are selected.`, true));
    if (rows.length > 0) set({ ...before, mode: { kind: 'entry', what, text: '', rows } });
  }

  type(mode: EntryMode, key: string): void {
    const { state, set } = this.#port;
    const list = { ...state(), mode: { kind: 'list' } } as const;
    if (key === 'Escape') return set(said(list, 'Nothing was changed.'));
    if (key !== 'Enter') {
      const text = edited(mode.text, key).slice(0, charactersMax[mode.what]);
      return set({ ...state(), mode: { ...mode, text } });
    }
    const text = mode.text.trim();
    if (text === '' && mode.what !== 'assign') return set(said(list, 'Nothing was changed.'));
    set(said(list, 'Sending …'));
    this.#send(mode, text);
  }

  #send({ what, rows }: EntryMode, text: string): void {
    const { api, state, set, enqueue, explain } = this.#port;
    enqueue(async () => {
      let done = 0;
      try {
        if (what === 'tag') await api.tag(rows, text);
        else
          for (const row of rows) {
            if (what === 'note') await api.addNote(row.id, text);
            else await api.assign(row.id, text);
            done += 1;
          }
        set(said(withoutDetails(state(), rows), doneText(what, text, rows)));
      } catch (error) {
        const some = done === 0 ? '' : `${done} of ${counted(rows.length, 'domain')} done, then: `;
        set(said(withoutDetails(state(), rows), `${some}${explain(error)}`, true));
      }
    });
  }

  /** Of the list as it is filtered: what is not loaded yet is loaded first. */
  selectCluster(): void {
    const { api, state, set, enqueue, loadAll, explain } = this.#port;
    const row = currentRow(state());
    if (!row) return;
    set(said(state(), 'Searching for what belongs together …'));
    enqueue(async () => {
      try {
        const { shared, watchlist_domain_ids: ids } = await api.cluster(row.id, state());
        if (!shared)
          return set(said(state(), `No other domain shares anything specific with ${row.domain}.`));
        await loadAll();
        const next = gathered(state(), row.id, ids);
        const what = `${sharedWords[shared.attribute] ?? shared.attribute} ${shared.value}`;
        set(said(next, `${counted(next.selected.size, 'domain')} with ${what}: selected.`));
      } catch (error) {
        set(said(state(), `Nothing was selected: ${explain(error)}`, true));
      }
    });
  }
}

/** Their cards are read again. */
function withoutDetails(state: TriageState, rows: readonly TriageRow[]): TriageState {
  const details = new Map(state.details);
  for (const { id } of rows) details.delete(id);
  return { ...state, details };
}

function doneText(what: Entry, text: string, rows: readonly TriageRow[]): string {
  const which = rows.length === 1 ? (rows[0]?.domain ?? '') : counted(rows.length, 'domain');
  if (what === 'note') return `Noted on ${which}.`;
  if (what === 'tag') return `Tagged ${which}: ${text}.`;
  return text === '' ? `Nobody is assigned to ${which}.` : `Assigned ${which} to ${text}.`;
}
