/** Lists, reads, creates and changes investigations, each within the rights of the person who does. */
import type { Caller } from '../../model/account/account.ts';
import {
  type Investigation,
  type InvestigationHead,
  investigationLimits,
  type Sharing,
} from '../../model/investigation/investigation.ts';
import { Problem } from '../../model/problem.ts';
import type { AccountStore } from '../../store/account-store.ts';
import type {
  Edit,
  EditOutcome,
  InvestigationChange,
  InvestigationStore,
  NewItem,
  NewNode,
} from '../../store/desk/investigation-store.ts';
import { mayView, requireRight } from './rights.ts';

export interface InvestigationNeeds {
  readonly investigations: Pick<
    InvestigationStore,
    'listInvestigations' | 'findInvestigation' | 'createInvestigation' | 'editInvestigation'
  >;
  readonly accounts: Pick<AccountStore, 'appendAudit'>;
}

export interface NewContent {
  readonly name: string;
  readonly note: string;
  readonly sharing: Sharing;
  readonly nodes: readonly NewNode[];
  readonly items: readonly NewItem[];
}

export type Applied = Extract<EditOutcome, { kind: 'applied' }>;
export type Conflict = Extract<EditOutcome, { kind: 'conflict' }>;

/** A change without a version is made at the current one. Then others may be faster, but hardly this often. */
const triesMax = 10;

export function listVisible(
  { account, user }: Caller,
  { investigations }: InvestigationNeeds,
): Promise<readonly InvestigationHead[]> {
  return investigations.listInvestigations({
    accountId: account.id,
    personId: user.id,
    limit: investigationLimits.perAccount,
  });
}

export async function getInvestigation(
  caller: Caller,
  id: string,
  { investigations }: InvestigationNeeds,
): Promise<Investigation> {
  const found = await investigations.findInvestigation({ accountId: caller.account.id, id });
  if (!found || !mayView(found, caller)) throw noSuchInvestigation();
  return found;
}

export async function createInvestigation(
  caller: Caller,
  content: NewContent,
  needs: InvestigationNeeds,
  nowMs: number,
): Promise<InvestigationHead> {
  const { account, user } = caller;
  const owner = { id: user.id, name: user.username };
  const head = await needs.investigations.createInvestigation(
    { accountId: account.id, owner, ...content },
    { name: user.username, atMs: nowMs },
  );
  await auditSharing(caller, { id: head.id, before: 'private', after: content.sharing }, needs, nowMs);
  return head;
}

/** In the audit log is who showed what to whom, not what private ones are about. */
async function auditSharing(
  { account, user }: Caller,
  { id, before, after }: { readonly id: string; readonly before: Sharing; readonly after: Sharing },
  { accounts }: InvestigationNeeds,
  nowMs: number,
): Promise<void> {
  if (before === after) return;
  const detail = { investigation: id, before, after };
  await accounts.appendAudit(
    { action: 'investigation.share', account: account.name, detail },
    { actor: user.username, atMs: nowMs },
  );
}

export interface EditRequest {
  readonly id: string;
  /** The version that the client has; without it any will do. */
  readonly version: number | undefined;
  readonly edit: Edit;
  /** Words what others have changed, for the client. */
  readonly onConflict: (conflict: Conflict) => Readonly<Record<string, unknown>>;
}

/** Throws `precondition-failed` with what has changed since. */
export async function editInvestigation(
  caller: Caller,
  { id, version, edit, onConflict }: EditRequest,
  needs: InvestigationNeeds,
  nowMs: number,
): Promise<Applied> {
  const by = { name: caller.user.username, atMs: nowMs };
  const key = { accountId: caller.account.id, id };
  for (let tries = 0; tries < triesMax; tries += 1) {
    const current = await getInvestigation(caller, id, needs);
    requireRight(edit, current, caller);
    // The rights hold at this version: if another one is current by now, the edit is not applied.
    const outcome = await needs.investigations.editInvestigation(key, version ?? current.version, edit, by);
    if (outcome.kind === 'applied') {
      const after = edit.kind === 'change' ? (edit.sharing ?? current.sharing) : current.sharing;
      await auditSharing(caller, { id, before: current.sharing, after }, needs, nowMs);
      return outcome;
    }
    if (outcome.kind === 'missing') throw missing(outcome.what);
    if (version !== undefined) throw conflictProblem(outcome, onConflict);
  }
  throw new Problem('unavailable', 'Others are changing this investigation all the time. Try again.');
}

function conflictProblem(conflict: Conflict, onConflict: EditRequest['onConflict']): Problem {
  return new Problem('precondition-failed', messageOf(conflict.changes), { members: onConflict(conflict) });
}

function messageOf(changes: readonly InvestigationChange[]): string {
  const people = [...new Set(changes.map(({ by }) => by))];
  return people.length === 0
    ? 'This is not a version of the investigation. Read it again.'
    : `${people.join(' and ')} changed the investigation in the meantime.`;
}

function missing(what: 'investigation' | 'node' | 'item'): Problem {
  if (what === 'investigation') return noSuchInvestigation();
  return new Problem(
    'not-found',
    what === 'node'
      ? 'The investigation has no such search any more.'
      : 'The investigation has no such finding any more.',
  );
}

function noSuchInvestigation(): Problem {
  return new Problem('not-found', 'There is no such investigation.');
}
