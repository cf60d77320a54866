/** Requests and passive domains in PostgreSQL. */
import { requestsPerDomainMax } from '../../../model/opsec/outgoing-request.ts';
import { type OpsecStore, type PassiveDomain, trimmedAtOnce } from '../../detect/opsec-store.ts';
import { type RequestRow, requestOf } from '../../detect/rows/request-rows.ts';
import type { PostgresDatabase } from '../postgres/database.ts';

export function openOpsecStore(database: PostgresDatabase): OpsecStore {
  return {
    async addRequests(requests) {
      if (requests.length === 0) return;
      const domains = [...new Set(requests.map(({ domain }) => domain))].toSorted();
      await database.write(async (sql) => {
        // One after another for each domain: numbers of one millisecond are given once.
        for (const domain of domains)
          await sql`select pg_advisory_xact_lock(hashtextextended(${`outgoing_request ${domain}`}, 0))`;
        await sql`
          insert into outgoing_request (domain, at_ms, number, collector, protocol, host, address, port, source, outcome)
          select given.domain, given.at_ms,
            (select coalesce(max(number), 0) from outgoing_request as before
               where before.domain = given.domain and before.at_ms = given.at_ms)
              + row_number() over (partition by given.domain, given.at_ms order by given.position),
            collector, protocol, host, address, port, source, outcome
          from unnest(${requests.map(({ domain }) => domain)}::text[], ${requests.map(({ atMs }) => atMs)}::bigint[],
            ${requests.map(({ collector }) => collector)}::text[], ${requests.map(({ protocol }) => protocol)}::text[],
            ${requests.map(({ host }) => host)}::text[], ${requests.map(({ address }) => address ?? null)}::text[],
            ${requests.map(({ port }) => port)}::integer[], ${requests.map(({ source }) => source ?? null)}::text[],
            ${requests.map(({ outcome }) => outcome)}::text[])
            with ordinality as given (domain, at_ms, collector, protocol, host, address, port, source, outcome, position)`;
        for (const domain of domains)
          await sql`
            delete from outgoing_request where domain = ${domain} and (at_ms, number) <= (
              select at_ms, number from outgoing_request where domain = ${domain}
              order by at_ms desc, number desc limit 1 offset ${requestsPerDomainMax})`;
      });
    },
    async trimRequests(requestsMax) {
      const [row] = await database.read(
        (sql) => sql<{ count: number }[]>`select count(*)::integer as count from outgoing_request`,
      );
      const excess = (row?.count ?? 0) - requestsMax;
      let removed = 0;
      while (removed < excess) {
        const limit = Math.min(trimmedAtOnce, excess - removed);
        const { count } = await database.write(
          (sql) => sql`
            delete from outgoing_request where (domain, at_ms, number) in (
              select domain, at_ms, number from outgoing_request order by at_ms limit ${limit}
              for update skip locked)`,
        );
        if (count === 0) break;
        removed += count;
      }
      return removed;
    },
    async listRequests(domain, limit) {
      const rows = await database.read(
        (sql) => sql<RequestRow[]>`
          select * from outgoing_request where domain = ${domain} order by at_ms desc, number desc limit ${limit}`,
      );
      return rows.map(requestOf);
    },
    setPassive: (accountId, { domain, by, atMs }, domainsMax) =>
      database.write(async (sql) => {
        await sql`select pg_advisory_xact_lock(hashtextextended(${`passive_domain ${accountId}`}, 0))`;
        const [row] = await sql<{ is_set: boolean; count: number }[]>`
          select count(*)::integer as count, coalesce(bool_or(domain = ${domain}), false) as is_set
          from passive_domain where account_id = ${accountId}`;
        if (!row?.is_set && (row?.count ?? 0) >= domainsMax) return false;
        await sql`
          insert into passive_domain (account_id, domain, set_by, set_ms)
          values (${accountId}, ${domain}, ${by}, ${atMs}) on conflict do nothing`;
        return true;
      }),
    unsetPassive: (accountId, domain) =>
      database.write(async (sql) => {
        const rows = await sql<object[]>`
          delete from passive_domain where account_id = ${accountId} and domain = ${domain} returning domain`;
        return rows.length > 0;
      }),
    async findPassive(accountId, domain) {
      const [row] = await database.read(
        (sql) => sql<PassiveDomain[]>`
          select domain, set_by as "by", set_ms as "atMs" from passive_domain
          where account_id = ${accountId} and domain = ${domain}`,
      );
      return row;
    },
    listPassive: (accountId, limit) =>
      database.read(
        (sql) => sql<PassiveDomain[]>`
          select domain, set_by as "by", set_ms as "atMs" from passive_domain
          where account_id = ${accountId} order by domain limit ${limit}`,
      ),
    async isPassive(domain) {
      const [row] = await database.read(
        (sql) => sql<{ passive: boolean }[]>`
          select exists (select 1 from passive_domain where domain = ${domain}) or exists (
            select 1 from watchlist_domain as listed join monitor_match on monitor_match.domain = listed.number
              join monitor on monitor.number = monitor_match.monitor
            where listed.name = ${domain} and monitor.passive_only and monitor.state = 'active'
              and not monitor.deleted) as passive`,
      );
      return row?.passive ?? false;
    },
  };
}
