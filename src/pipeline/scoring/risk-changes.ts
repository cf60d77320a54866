/** What updates of a domain made of its risk, from the history of its record: the record itself may have changed since. */
import type { DomainRisk } from '../../model/risk/assessment.ts';
import type { DomainStore, FieldChange, LoggedUpdate } from '../../store/domain-store.ts';

/** The first and the last of some successive updates of a domain's risk. */
export interface UpdatesOfDomain {
  readonly domain: string;
  readonly first: LoggedUpdate;
  readonly last: LoggedUpdate;
}

interface RiskChange {
  readonly before: DomainRisk | undefined;
  readonly after: DomainRisk | undefined;
}

const pageChanges = 100;

/** Before the first of these updates, and after the last; `risk` is the one of the record now. */
export async function riskChange(
  { domain, first, last, risk }: UpdatesOfDomain & { readonly risk: DomainRisk },
  domains: Pick<DomainStore, 'listChanges'>,
): Promise<RiskChange> {
  const changes = await listRiskChanges(domain, first.atMs, domains);
  const isOf = (update: LoggedUpdate) => (change: FieldChange) =>
    change.atMs === update.atMs && change.source === update.source;
  const beginning = first.fields && changes.findLast(isOf(first));
  const end = last.fields && changes.find(isOf(last));
  return {
    before: beginning?.before as DomainRisk | undefined,
    after: (end ? end.after : afterCreation(changes, last, risk)) as DomainRisk | undefined,
  };
}

/** The first update of a record has no entry in its history: the next one says what it had made. */
function afterCreation(changes: readonly FieldChange[], { fields }: LoggedUpdate, risk: DomainRisk): unknown {
  const next = fields ? undefined : changes.at(-1);
  return next ? next.before : risk;
}

/** Newest first, none of them earlier than the given time. */
async function listRiskChanges(
  domain: string,
  sinceMs: number,
  domains: Pick<DomainStore, 'listChanges'>,
): Promise<readonly FieldChange[]> {
  const found: FieldChange[] = [];
  let oldest: FieldChange | undefined;
  do {
    const page = await domains.listChanges(domain, {
      ...(oldest && { beforeMs: oldest.atMs, beforeId: oldest.id }),
      limit: pageChanges,
    });
    found.push(...page.filter(({ field, atMs }) => field === 'domain_risk' && atMs >= sinceMs));
    oldest = page.length === pageChanges ? page.at(-1) : undefined;
  } while (oldest && oldest.atMs >= sinceMs);
  return found;
}
