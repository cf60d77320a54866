/** The audit log of the account, and whether anybody has changed it. */
import { Type } from 'typebox';
import { AuditChecker, type AuditCheckNeeds } from '../../../product/account/audit-checker.ts';
import type { AccountStore } from '../../../store/account-store.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { AuditAnswer, ChainAnswer } from './audit-wire.ts';

export interface AuditOperationNeeds extends AuditCheckNeeds {
  readonly accounts: AuditCheckNeeds['accounts'] & Pick<AccountStore, 'listAudit'>;
}

const pageDefault = 50;
const pageMax = 200;

export function auditOperations(needs: AuditOperationNeeds): readonly WebOperation[] {
  const checker = new AuditChecker(needs);

  const getAudit = defineWebOperation({
    method: 'GET',
    path: '/audit',
    access: 'admin',
    summary: 'Who changed what in the account, newest first',
    query: Type.Object({
      actor: Type.Optional(Type.String({ maxLength: 64 })),
      kind: Type.Optional(Type.String({ maxLength: 64 })),
      before: Type.Optional(Type.Integer({ minimum: 1 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: pageMax })),
    }),
    answer: AuditAnswer,
    handle: async ({ caller, query }) => {
      const { actor, kind, before, limit = pageDefault } = query;
      const range = { account: caller.account.name, actor, kind, before, limit: limit + 1 };
      const found = await needs.accounts.listAudit(range);
      const entries = found.slice(0, limit);
      return {
        entries: entries.map(({ number, atMs, actor: by, action, username = null, detail }) => ({
          number,
          at: new Date(atMs).toISOString(),
          actor: by,
          action,
          username,
          detail: JSON.stringify(detail),
        })),
        before: found.length > limit ? (entries.at(-1)?.number ?? null) : null,
      };
    },
  });

  const getChain = defineWebOperation({
    method: 'GET',
    path: '/audit/chain',
    access: 'admin',
    summary: 'Whether the hash chain of the audit log is whole',
    answer: ChainAnswer,
    handle: async ({ caller }) => {
      const { checked, brokenAt = null, atMs } = await checker.check(caller.account.name);
      return { checked, broken_at: brokenAt, at: new Date(atMs).toISOString() };
    },
  });

  return [getAudit, getChain];
}
