/**
 * Passive DNS of a domain, both ways. People have no passive DNS key; their account must have one. Rows are bounded and requests count as
 * pages that a person reads.
 */
import { isWithdrawn } from '../../../model/account/account.ts';
import { nameText } from '../../../model/dns/name.ts';
import { rdataText } from '../../../model/dns/rdata-text.ts';
import { typeText } from '../../../model/dns/rr-type.ts';
import { Problem } from '../../../model/problem.ts';
import { getDomainName } from '../../../product/investigate/requested-domain.ts';
import { type DomainRows, listDomainRows } from '../../../product/pdns/domain-rows.ts';
import type { RowStore } from '../../../product/pdns/lookup.ts';
import type { AccountStore } from '../../../store/account-store.ts';
import type { Row } from '../../../store/rrset-store.ts';
import { humanTime } from '../../pdns/record-text.ts';
import { defineWebOperation, type WebCaller, type WebOperation } from '../web-operation.ts';
import { DomainPassiveDns, type PassiveDnsRow } from './domain-wire.ts';
import { DomainParams, namesOf } from './overview-operation.ts';

export interface PassiveDnsNeeds {
  readonly rrsets: RowStore;
  readonly accounts: Pick<AccountStore, 'listUsers'>;
}

/** An account rarely has more users. */
const usersPerPage = 100;

export function passiveDnsOperation(needs: PassiveDnsNeeds): WebOperation {
  return defineWebOperation({
    method: 'GET',
    path: '/domains/:name/pdns',
    access: 'read',
    charge: 'page',
    summary: 'Passive DNS of a domain: its records, and records that point to it',
    params: DomainParams,
    answer: DomainPassiveDns,
    handle: async ({ params, caller, nowMs, signal }) => {
      const name = getDomainName('name', params.name);
      await requirePassiveDns(caller, needs);
      const from = { rrsets: needs.rrsets, nowSeconds: Math.floor(nowMs / 1000) };
      const names = await listDomainRows(name, 'names', from, signal);
      const data = await listDomainRows(name, 'data', from, signal);
      return { ...namesOf(name), names: rowsView(names), data: rowsView(data) };
    },
  });
}

export async function requirePassiveDns(
  { account }: WebCaller,
  { accounts }: PassiveDnsNeeds,
): Promise<void> {
  if (!isWithdrawn(account, 'pdns')) {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const users = await accounts.listUsers({ accountId: account.id, after, limit: usersPerPage });
      if (users.some(({ user }) => user.pdns !== undefined)) return;
      after = users.length < usersPerPage ? undefined : users.at(-1)?.user.username;
    }
  }
  throw new Problem('not-provisioned', 'No user of the account has a passive DNS key.');
}

function rowsView({ rows, more }: DomainRows): DomainPassiveDns['names'] {
  return { rows: rows.map(rowView), more };
}

function rowView(row: Row): PassiveDnsRow {
  const { type, bailiwick, origin } = row;
  return {
    rrname: nameText(row.owner),
    rrtype: typeText(type),
    bailiwick: bailiwick === undefined ? null : nameText(bailiwick),
    rdata: row.rdata.map((member) => rdataText(type, member)),
    count: row.count,
    first: humanTime(row.firstSeconds),
    last: humanTime(row.lastSeconds),
    origin: origin === 'zone' ? 'zone' : 'sensor',
  };
}
