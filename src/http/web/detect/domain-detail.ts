/** What the card of a domain shows besides its row: from the watchlist, the risk scorer, the record and its history. */
import { findGrant } from '../../../model/account/account.ts';
import { leafChanges } from '../../../model/record/leaf-changes.ts';
import { groupReasons } from '../../../model/risk/group-reasons.ts';
import { listSharedValues } from '../../../product/detect/lists/shared-values.ts';
import { listHistory } from '../../../product/investigate/history.ts';
import { type AssessNeeds, explain } from '../../../product/risk/assess.ts';
import type { DecisionOfDomain, DecisionStore } from '../../../store/decision-store.ts';
import type { DomainStore, FieldChange } from '../../../store/domain-store.ts';
import type { MonitorStore } from '../../../store/monitor-store.ts';
import type { TriageDomain, TriageStore } from '../../../store/triage-store.ts';
import type { WebCaller } from '../web-operation.ts';
import { type DomainViewNeeds, domainsOnWire, isoTime, noteOnWire } from './domain-on-wire.ts';
import type { Domain, DomainDetail } from './domain-wire.ts';
import { termsOf } from './terms-of.ts';

export interface DetailNeeds extends DomainViewNeeds, AssessNeeds {
  readonly triage: Pick<TriageStore, 'listNotes' | 'findVisitMs'>;
  readonly decisions: Pick<DecisionStore, 'listDecisionsOf'>;
  readonly monitors: Pick<MonitorStore, 'findMonitor'>;
  readonly domains: AssessNeeds['domains'] &
    Pick<DomainStore, 'findRecords' | 'listChanges' | 'countsOf' | 'averageRisksOf'>;
  readonly settings: DomainViewNeeds['settings'] & AssessNeeds['settings'];
}

const notesShown = 50;
const decisionsShown = 50;
const changesShown = 30;
const leavesShown = 100;
const leafCharactersMax = 500;

export async function detailOnWire(
  domain: TriageDomain,
  caller: WebCaller,
  needs: DetailNeeds,
  nowMs: number,
): Promise<DomainDetail> {
  const { account, user } = caller;
  const visit = { accountId: account.id, username: user.username, list: 'new' } as const;
  const [[onWire], notes, decisions, reasons, shared, { changes }, monitors] = await Promise.all([
    needs.triage.findVisitMs(visit).then((readMs) => domainsOnWire([domain], readMs, needs)),
    needs.triage.listNotes(account.id, domain.id, notesShown),
    needs.decisions.listDecisionsOf(account.id, domain.id, decisionsShown),
    reasonsOnWire(domain, needs, nowMs),
    sharedOnWire(domain, caller, needs, nowMs),
    listHistory({ domain: domain.domain, limit: changesShown }, needs),
    termsOf(account, domain.monitorIds, needs),
  ]);
  return {
    ...(onWire as Domain),
    notes_list: notes.map(noteOnWire),
    decisions: decisions.map(decisionOnWire),
    reasons,
    shared,
    history: historyOnWire(changes),
    monitors,
  };
}

function decisionOnWire({ decisionId, by, atMs, from, target, undone }: DecisionOfDomain) {
  return {
    decision_id: decisionId,
    by,
    at: isoTime(atMs),
    from,
    to: target,
    undone: undone ? { by: undone.username, at: isoTime(undone.atMs) } : null,
  };
}

async function reasonsOnWire({ domain }: TriageDomain, needs: DetailNeeds, nowMs: number) {
  const [explained] = await explain([domain], needs, nowMs);
  return groupReasons(explained?.contributions ?? []).map(({ code, reason, value, points, components }) => ({
    code,
    text: reason,
    ...(value === undefined ? {} : { value }),
    points,
    components: components.map(({ component }) => component),
  }));
}

/** How many other domains have a value is known to those who may search for it. */
async function sharedOnWire(
  { domain }: TriageDomain,
  { account, person }: WebCaller,
  needs: DetailNeeds,
  nowMs: number,
) {
  const [record] = await needs.domains.findRecords([domain]);
  if (!record || !findGrant(account, 'intel-investigate', nowMs)) return [];
  const { guidedPivotThreshold } = person.preferences;
  return (await listSharedValues(record, needs)).map(({ attribute, value, domains, averageRisk }) => ({
    field: attribute,
    value,
    domains,
    ...(averageRisk === undefined ? {} : { average_risk: Math.round(averageRisk) }),
    guided: domains <= guidedPivotThreshold,
  }));
}

function historyOnWire(changes: readonly FieldChange[]): DomainDetail['history'] {
  const leaves = changes.flatMap(({ atMs, field, before, after }) =>
    leafChanges(before, after).map((leaf) => ({
      at: isoTime(atMs),
      field: [field, ...leaf.path].join('.'),
      before: leafText(leaf.before),
      after: leafText(leaf.after),
    })),
  );
  return leaves.slice(0, leavesShown);
}

function leafText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > leafCharactersMax ? `${text.slice(0, leafCharactersMax)}…` : text;
}
