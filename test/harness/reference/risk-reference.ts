/** Reference model of the risk store: plain maps that follow the interface's documentation. */
import type { Link } from '../../../src/model/risk/proximity/link.ts';
import type { Verdict, VerdictLabel } from '../../../src/model/risk/verdict.ts';
import type {
  BadCount,
  BadLinks,
  ListedDomain,
  ListSnapshot,
  ReputationList,
} from '../../../src/store/risk-store.ts';

interface Row {
  readonly domain: string;
  readonly reading: ListSnapshot;
  readonly rank: number | undefined;
}

interface List {
  readonly label: VerdictLabel;
  readonly newest: number;
  readonly readMs: number | undefined;
  readonly checkpoint: string | undefined;
}

export class RiskReference {
  readonly #lists = new Map<string, List>();
  #rows: Row[] = [];
  readonly #bad = new Map<string, BadLinks>();
  #changes: string[] = [];

  addListed(reading: ListSnapshot, domains: readonly ListedDomain[]): void {
    if (domains.length === 0) return;
    this.#begin(reading);
    for (const { domain, rank } of domains) {
      const row = this.#rows.find((one) => one.domain === domain && one.reading.list === reading.list);
      if (row && row.reading.id > reading.id) continue;
      const ranks = row && isSame(row.reading, reading) ? [row.rank, rank] : [rank];
      const best = Math.min(...ranks.map((one) => one ?? Infinity));
      this.#rows = this.#rows.filter((one) => one !== row);
      this.#rows.push({ domain, reading, rank: best === Infinity ? undefined : best });
      if (said(row?.reading) !== said(reading)) this.#changes.push(domain);
    }
  }

  completeSnapshot(reading: ListSnapshot, checkpoint: string | undefined, nowMs: number): void {
    this.#remove(
      (row) =>
        row.reading.list === reading.list && row.reading.id < reading.id && row.reading.untilMs === undefined,
    );
    const list = this.#begin(reading);
    if (list.newest === reading.id) this.#lists.set(reading.list, { ...list, checkpoint, readMs: nowMs });
  }

  keepLists(lists: readonly string[]): void {
    this.#remove((row) => !lists.includes(row.reading.list));
    for (const list of this.#lists.keys()) if (!lists.includes(list)) this.#lists.delete(list);
  }

  removeExpired(nowMs: number): number {
    return this.#remove(({ reading }) => (reading.untilMs ?? Infinity) <= nowMs);
  }

  listLists(): readonly ReputationList[] {
    const lists = [...this.#lists].map(([list, { label, readMs, checkpoint }]) => {
      const domains = this.#rows.filter(({ reading }) => reading.list === list).length;
      return { list, label, domains, readMs, checkpoint };
    });
    return lists.sort((one, other) => (one.list < other.list ? -1 : 1));
  }

  /** In no order. */
  findVerdicts(domain: string, nowMs: number): readonly Verdict[] {
    return this.#rows
      .filter((row) => row.domain === domain && (row.reading.untilMs ?? Infinity) > nowMs)
      .map(({ reading: { list, label, weight }, rank }) => ({
        list,
        label,
        weight,
        ...(rank === undefined ? {} : { rank }),
      }));
  }

  /** What has changed since the previous call. */
  takeChanges(): readonly string[] {
    const changes = this.#changes;
    this.#changes = [];
    return changes;
  }

  /** The values of the given links. */
  putBadLinks(all: readonly BadLinks[]): ReadonlySet<string> {
    const changed = new Set<string>();
    for (const bad of all) {
      const before = this.#bad.get(bad.domain);
      const [had, has] = [values(before?.links ?? []), values(bad.links)];
      const isReweighed = before?.weight !== bad.weight;
      for (const value of new Set([...had, ...has]))
        if (isReweighed || !had.has(value) || !has.has(value)) changed.add(value);
      this.#bad.delete(bad.domain);
      if (bad.links.length > 0) this.#bad.set(bad.domain, bad);
    }
    return changed;
  }

  findBadLinks(domain: string): BadLinks {
    return this.#bad.get(domain) ?? { domain, weight: 0, links: [] };
  }

  countBad({ value }: Link, except: string): BadCount {
    const having = [...this.#bad.values()].filter(
      ({ domain, links }) => domain !== except && values(links).has(value),
    );
    return { domains: having.length, weight: Math.max(0, ...having.map(({ weight }) => weight)) };
  }

  statistics() {
    const links = new Set([...this.#bad.values()].flatMap((bad) => [...values(bad.links)]));
    return { verdicts: this.#rows.length, badDomains: this.#bad.size, badLinks: links.size };
  }

  #begin({ list, label, id }: ListSnapshot): List {
    const known = this.#lists.get(list);
    const current = known && known.newest > id ? known : { ...none, ...known, label, newest: id };
    this.#lists.set(list, current);
    return current;
  }

  #remove(isGone: (row: Row) => boolean): number {
    const gone = this.#rows.filter(isGone);
    this.#rows = this.#rows.filter((row) => !isGone(row));
    for (const { domain, reading } of gone) if (said(reading) !== '') this.#changes.push(domain);
    return gone.length;
  }
}

const none = { readMs: undefined, checkpoint: undefined };

function values(links: readonly Link[]): ReadonlySet<string> {
  return new Set(links.map(({ value }) => value));
}

function said(reading: ListSnapshot | undefined): string {
  return reading === undefined || reading.label === 'popular' ? '' : `${reading.label} ${reading.weight}`;
}

function isSame(one: ListSnapshot, other: ListSnapshot): boolean {
  return (
    one.id === other.id &&
    one.label === other.label &&
    one.weight === other.weight &&
    one.untilMs === other.untilMs
  );
}
