/** One run of `nameglass triage`: keys change the state, the state is drawn, and requests go to the server one after another. */
import { defang } from '../../../model/defang.ts';
import type { DecisionTarget } from '../../../model/detect/watchlist.ts';
import { type TriageAction, type TriageKey, triageKeys } from '../../../model/triage/triage-keys.ts';
import type { TriageList } from '../../../model/triage/triage-lists.ts';
import { counted } from '../../output.ts';
import { actionOf, cursorMoves } from './action-of-key.ts';
import { decisionWords } from './decision-words.ts';
import { DomainActions } from './domain-actions.ts';
import { ListActions, type ListPort, withRows } from './list-actions.ts';
import { followEvents } from './live-events.ts';
import type { TerminalScreen } from './terminal-screen.ts';
import { edited } from './text-entry.ts';
import type { ListQuery, SentDecision, TriageApi, TriageRow } from './triage-api.ts';
import {
  allSelected,
  chosenRows,
  cleared,
  currentIndex,
  currentRow,
  decided,
  initialState,
  movedTo,
  rangeSelected,
  remaining,
  said,
  type TriageState,
  takenBack,
  toggled,
  visibleRows,
} from './triage-state.ts';
import { listHeight, pageAddress, triageLines } from './triage-view.ts';

export interface SessionNeeds {
  readonly api: TriageApi;
  readonly screen: TerminalScreen;
  readonly server: string;
  readonly nowMs: () => number;
  /** A failure in one sentence; an error that is our own mistake ends the session. */
  readonly explain: (error: unknown) => string;
}

/** Rows that are loaded ahead of the cursor. */
const aheadRows = 30;
/** As many as a list of the API reaches. */
const allMax = 10_000;
/** While somebody runs through the list, no card is read that they do not stop at. */
const detailAfterMs = 150;
const detailsMax = 200;
/** Above so many the number is typed. */
const confirmAbove = 100;

interface Made {
  readonly ids: readonly string[];
  readonly sent: SentDecision[];
}

export class TriageSession {
  readonly #needs: SessionNeeds;
  readonly #stop = new AbortController();
  #state: TriageState;
  #cursor: string | undefined;
  /** Increases with every reading of a list: answers to an earlier one are dropped. */
  #reading = 0;
  #queue: Promise<void> = Promise.resolve();
  #made: Made[] = [];
  readonly #actions: DomainActions;
  readonly #lists: ListActions;
  #detailTimer: NodeJS.Timeout | undefined;
  #isDrawing = false;
  #end: (exitCode: number) => void = () => undefined;
  #fail: (error: unknown) => void = () => undefined;

  constructor(needs: SessionNeeds, list: TriageList, search: string) {
    this.#needs = needs;
    this.#state = initialState(list, search);
    const port: ListPort = {
      api: needs.api,
      explain: needs.explain,
      state: () => this.#state,
      set: (state) => {
        this.#set(state);
        this.#readAhead();
      },
      enqueue: (work) => this.#enqueue(work),
      loadAll: () => this.#loadAll(),
      open: (query) => this.#open(query),
    };
    this.#actions = new DomainActions(port);
    this.#lists = new ListActions(port);
  }

  /** Resolves with the exit code when somebody quits. The terminal is restored before, also where it fails. */
  async run(): Promise<number> {
    const { screen, api, explain } = this.#needs;
    const onSignal = (signal: NodeJS.Signals) => this.#end(signal === 'SIGTERM' ? 143 : 129);
    const onError = (error: unknown) => this.#fail(error);
    const signals = ['SIGTERM', 'SIGHUP'] as const;
    try {
      return await new Promise<number>((resolve, reject) => {
        this.#end = resolve;
        this.#fail = reject;
        for (const signal of signals) process.on(signal, onSignal);
        process.on('uncaughtException', onError);
        screen.open({ onKey: (key) => this.#onKey(key), onResize: () => this.#draw() });
        this.#draw();
        void this.#read();
        const followers = {
          onEvent: ({ event, watchlist_domain_id: id }: { event: string; watchlist_domain_id: string }) =>
            this.#onEvent(event, id),
          onState: (notLive: string | undefined) => this.#set({ ...this.#state, notLive }),
          explain,
        };
        followEvents(api, followers, this.#stop.signal).catch(onError);
      });
    } finally {
      this.#stop.abort();
      clearTimeout(this.#detailTimer);
      screen.close();
      for (const signal of signals) process.removeListener(signal, onSignal);
      process.removeListener('uncaughtException', onError);
    }
  }

  #set(state: TriageState): void {
    this.#state = state;
    this.#draw();
  }

  /** Once for all changes of a round of the event loop. */
  #draw(): void {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    setImmediate(() => {
      this.#isDrawing = false;
      const { screen, nowMs } = this.#needs;
      screen.draw(triageLines(this.#state, { size: screen.size, nowMs: nowMs() }));
    });
  }

  #onEvent(event: string, id: string): void {
    const details = new Map(this.#state.details);
    details.delete(id);
    const arrivals = this.#state.arrivals + (event === 'discovered' ? 1 : 0);
    this.#set({ ...this.#state, arrivals, details });
  }

  #onKey(key: string): void {
    const { mode } = this.#state;
    if (key === 'Mod+c') this.#end(130);
    else if (key === 'Mod+z') this.#suspend();
    else if (mode.kind === 'search') this.#lists.typeSearch(mode.text, key);
    else if (mode.kind === 'confirm') this.#typeConfirmation(mode.to, mode.typed, key);
    else if (mode.kind === 'entry') this.#actions.type(mode, key);
    else if (mode.kind === 'facets') this.#lists.typeFacets(mode, key);
    else if (mode.kind === 'help') this.#set({ ...this.#state, mode: { kind: 'list' } });
    else this.#act(actionOf.get(key));
  }

  #suspend(): void {
    const { screen } = this.#needs;
    screen.suspend();
    process.once('SIGCONT', () => {
      screen.resume();
      this.#draw();
    });
    process.kill(process.pid, 'SIGTSTP');
  }

  #act(action: TriageAction | undefined): void {
    if (action === undefined) return;
    const key: TriageKey = triageKeys[action];
    if (key.only === 'web')
      return this.#set(said(this.#state, `${key.label} (${key.keys}) is there in the web UI alone.`));
    const before = { ...this.#state, message: undefined };
    const move = cursorMoves(listHeight(this.#state, this.#needs.screen.size))[action];
    if (move) {
      this.#set(movedTo(before, move));
      return this.#readAhead();
    }
    const acts: Partial<Record<TriageAction, () => void>> = {
      card: () => this.#set({ ...before, isCardOpen: !before.isCardOpen }),
      page: () => this.#showPage(),
      select: () => this.#set(toggled(before)),
      selectRange: () => this.#set(rangeSelected(before)),
      selectAll: () => this.#set(allSelected(before)),
      cluster: () => this.#actions.selectCluster(),
      note: () => this.#actions.begin('note'),
      assign: () => this.#actions.begin('assign'),
      tag: () => this.#actions.begin('tag'),
      watch: () => this.#choose('watched'),
      ignore: () => this.#choose('ignored'),
      block: () => this.#choose('blocked'),
      submit: () => this.#choose('external_safe'),
      undo: () => this.#undo(),
      copyDefanged: () => this.#copy(defang, 'Copied, defanged'),
      copyLive: () => this.#copy((name) => name, 'Copied as it is: a live name'),
      filter: () => this.#set({ ...before, mode: { kind: 'search', text: before.search } }),
      showNew: () => void this.#read(),
      facets: () => this.#lists.beginFacets(),
      clusters: () => this.#lists.toggleClusters(),
      nextList: () => this.#lists.openList(1),
      previousList: () => this.#lists.openList(-1),
      escape: () => this.#escape(before),
      help: () => this.#set({ ...before, mode: { kind: 'help' } }),
      quit: () => this.#queueEnd(),
    };
    acts[action]?.();
    this.#readAhead();
  }

  /** What was decided is sent before the program ends. */
  #queueEnd(): void {
    void this.#queue.finally(() => this.#end(0));
  }

  #escape(before: TriageState): void {
    if (before.selected.size > 0 || before.isAllSelected) this.#set(cleared(before));
    else if (before.isCardOpen) this.#set({ ...before, isCardOpen: false });
    else if (!this.#lists.widen()) this.#set(before);
  }

  #open({ list, search, facets }: ListQuery): void {
    const { notLive, isCardOpen, isGrouped } = this.#state;
    this.#set({ ...initialState(list, search, facets), notLive, isCardOpen, isGrouped });
    void this.#read();
  }

  #typeConfirmation(to: DecisionTarget, typed: string, key: string): void {
    const count = remaining(this.#state);
    const list = { ...this.#state, mode: { kind: 'list' } } as const;
    if (key === 'Escape') this.#set(said(list, 'Nothing was changed.'));
    else if (key !== 'Enter')
      this.#set({ ...this.#state, mode: { kind: 'confirm', to, typed: edited(typed, key).slice(0, 10) } });
    else if (count > confirmAbove && typed.trim() !== String(count))
      this.#set(said(list, `Nothing was changed: ${count} was not typed.`, true));
    else {
      this.#set(said(list, `${decisionWords[to].verb} all: loading the rest …`));
      this.#enqueue(async () => {
        await this.#loadAll();
        const rows = chosenRows(this.#state);
        // A page that failed, or more than can be listed: what was confirmed was another number.
        if (rows.length === count) this.#decide(rows, to);
        else this.#set(said(this.#state, `Nothing was changed: ${rows.length} of ${count} were read.`, true));
      });
    }
  }

  #choose(to: DecisionTarget): void {
    if (this.#state.isAllSelected)
      return this.#set({ ...this.#state, mode: { kind: 'confirm', to, typed: '' } });
    this.#decide(chosenRows(this.#state), to);
  }

  #decide(rows: readonly TriageRow[], to: DecisionTarget): void {
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    const made: Made = { ids, sent: [] };
    this.#made.push(made);
    const what = rows.length === 1 ? (rows[0]?.domain ?? '') : counted(rows.length, 'domain');
    this.#set(said(decided(this.#state, ids, to), `${decisionWords[to].done} ${what}. u undoes it.`));
    this.#enqueue(async () => {
      const left = new Set(ids);
      try {
        await this.#needs.api.decide(rows, to, (sent, done) => {
          made.sent.push(sent);
          for (const id of done) left.delete(id);
        });
      } catch (error) {
        if (made.sent.length === 0) this.#made = this.#made.filter((one) => one !== made);
        const why = this.#needs.explain(error);
        const which = left.size === 1 ? what : counted(left.size, 'domain');
        this.#set(said(takenBack(this.#state, [...left]), `${which} left as before: ${why}`, true));
      }
    });
  }

  /** The rows come back before the server has answered. */
  #undo(): void {
    const last = this.#made.pop();
    const moves = this.#state.moves;
    if (last) this.#set(said(takenBack(this.#state, last.ids), 'Undoing …'));
    this.#enqueue(async () => {
      try {
        let undone = 0;
        const kept: string[] = [];
        // One that failed has sent nothing, and there is nothing to undo.
        for (const sent of last ? last.sent.toReversed() : [undefined]) {
          const answer = await this.#needs.api.undo(sent);
          undone += answer?.watchlist_domains.length ?? 0;
          kept.push(...(answer?.kept.map(({ reason }) => reason) ?? []));
        }
        // What the list was read with is not among its hidden rows.
        const isHidden = last?.ids.every((id) => moves.has(id)) ?? false;
        if (!isHidden && undone > 0) void this.#read();
        if (kept.length > 0) this.#set(said(this.#state, `Not all of it could be undone: ${kept[0]}`, true));
        else
          this.#set(
            said(this.#state, undone === 0 ? 'There is nothing to undo.' : undoneText(undone), undone === 0),
          );
      } catch (error) {
        const back = new Map(this.#state.moves);
        for (const id of last?.ids ?? []) back.set(id, moves.get(id) ?? 'watched');
        const state = last ? { ...this.#state, moves: back } : this.#state;
        this.#set(said(state, `Not undone: ${this.#needs.explain(error)}`, true));
      }
    });
  }

  /** One request after another, in the order of the keys. A failure of our own ends the session. */
  #enqueue(work: () => Promise<void>): void {
    this.#queue = this.#queue.then(work).catch((error: unknown) => this.#fail(error));
  }

  /** Reads the list from its beginning, after everything that was decided is answered. */
  async #read(): Promise<void> {
    const reading = ++this.#reading;
    this.#set({ ...this.#state, isLoading: true });
    await this.#queue;
    await this.#readPage(reading, undefined);
  }

  async #readPage(reading: number, cursor: string | undefined): Promise<void> {
    try {
      const page = await this.#needs.api.readPage(this.#state, cursor);
      if (reading !== this.#reading) return;
      this.#cursor = page.cursor;
      const isFirst = cursor === undefined;
      this.#set({
        ...this.#state,
        ...(isFirst ? { arrivals: 0, moves: new Map(), total: page.total, grouping: undefined } : {}),
        rows: isFirst ? page.rows : withRows(this.#state.rows, page.rows),
        hasMore: page.cursor !== undefined,
        isLoading: false,
      });
      if (isFirst && this.#state.isGrouped) this.#lists.readClusters(false);
      this.#readAhead();
    } catch (error) {
      if (reading !== this.#reading) return;
      const state = { ...this.#state, isLoading: false, hasMore: false };
      this.#set(said(state, `The list could not be read: ${this.#needs.explain(error)}`, true));
    }
  }

  /** The next page where the cursor comes near the end, and the card of the domain that it rests on. */
  #readAhead(): void {
    const { hasMore, isLoading, isCardOpen, details } = this.#state;
    const rows = visibleRows(this.#state);
    if (hasMore && !isLoading && currentIndex(this.#state, rows) >= rows.length - aheadRows) {
      this.#state = { ...this.#state, isLoading: true };
      void this.#readPage(this.#reading, this.#cursor);
    }
    clearTimeout(this.#detailTimer);
    const id = currentRow(this.#state)?.id;
    if (!isCardOpen || id === undefined || details.has(id)) return;
    this.#detailTimer = setTimeout(() => void this.#readDetail(id), detailAfterMs);
  }

  async #readDetail(id: string): Promise<void> {
    const detail = await this.#needs.api
      .readDetail(id)
      .catch((error: unknown) => ({ error: this.#needs.explain(error) }));
    const kept = [...this.#state.details].slice(-detailsMax + 1);
    this.#set({ ...this.#state, details: new Map([...kept, [id, detail]]) });
  }

  async #loadAll(): Promise<void> {
    while (this.#state.hasMore && this.#state.rows.length < allMax)
      await this.#readPage(this.#reading, this.#cursor);
  }

  #showPage(): void {
    const row = currentRow(this.#state);
    if (row) this.#set(said(this.#state, pageAddress(this.#needs.server, row.domain)));
  }

  #copy(form: (name: string) => string, done: string): void {
    const row = currentRow(this.#state);
    if (!row) return;
    const text = form(row.domain);
    this.#needs.screen.copy(text);
    this.#set(said(this.#state, `${done}: ${text}`));
  }
}

const undoneText = (count: number): string =>
  count === 1 ? 'Undone.' : `Undone for ${counted(count, 'domain')}.`;
