/** Requests and passive domains as part of watchlist.db: `outgoing_request` and `passive_domain`. Reads run in the main thread, by key. */
import type { WorkerClient } from '../../../concurrency/worker-client.ts';
import { type OutgoingRequest, requestsPerDomainMax } from '../../../model/opsec/outgoing-request.ts';
import { type OpsecStore, type PassiveDomain, trimmedAtOnce } from '../../detect/opsec-store.ts';
import { type RequestRow, requestOf } from '../../detect/rows/request-rows.ts';
import { type Database, write } from '../database.ts';
import type { DetectCalls } from '../detect/detect-calls.ts';

type Threads = Pick<WorkerClient<DetectCalls, 'write'>, 'on'>;

export function opsecStore(database: Database, threads: Threads): OpsecStore {
  const list = database.prepare(
    'select * from outgoing_request where domain = ? order by at_ms desc, number desc limit ?',
  );
  const passive = database.prepare(
    'select domain, set_by as "by", set_ms as atMs from passive_domain where account = ? order by domain limit ?',
  );
  const find = database.prepare(
    'select domain, set_by as "by", set_ms as atMs from passive_domain where account = ? and domain = ?',
  );
  const isPassive = database
    .prepare(
      `select exists (select 1 from passive_domain where domain = :domain) or exists (
         select 1 from domain join monitor_match on monitor_match.domain = domain.number
           join monitor on monitor.number = monitor_match.monitor
         where domain.name = :domain and monitor.passive_only = 1 and monitor.state = 'active' and monitor.deleted = 0)`,
    )
    .pluck();
  return {
    addRequests: threads.on('write', 'addRequests'),
    trimRequests: threads.on('write', 'trimRequests'),
    listRequests: async (domain, limit) => (list.all(domain, limit) as RequestRow[]).map(requestOf),
    setPassive: threads.on('write', 'setPassive'),
    unsetPassive: threads.on('write', 'unsetPassive'),
    findPassive: async (accountId, domain) => find.get(accountId, domain) as PassiveDomain | undefined,
    listPassive: async (accountId, limit) => passive.all(accountId, limit) as PassiveDomain[],
    isPassive: async (domain) => isPassive.get({ domain }) === 1,
  };
}

/** What a worker thread does: all writes. */
export function opsecCalls(database: Database) {
  const lastNumber = database
    .prepare('select max(number) from outgoing_request where domain = ? and at_ms = ?')
    .pluck();
  const insert = database.prepare(
    `insert into outgoing_request (domain, at_ms, number, collector, protocol, host, address, port, source, outcome)
     values (:domain, :atMs, :number, :collector, :protocol, :host, :address, :port, :source, :outcome)`,
  );
  const oldest = database.prepare(
    'select at_ms, number from outgoing_request where domain = ? order by at_ms desc, number desc limit 1 offset ?',
  );
  const prune = database.prepare(
    'delete from outgoing_request where domain = :domain and (at_ms, number) <= (:at_ms, :number)',
  );
  const countRequests = database.prepare('select count(*) from outgoing_request').pluck();
  const trim = database.prepare(
    `delete from outgoing_request where (domain, at_ms, number) in (
       select domain, at_ms, number from outgoing_request order by at_ms limit ?)`,
  );
  const count = database.prepare('select count(*) from passive_domain where account = ?').pluck();
  const has = database.prepare('select 1 from passive_domain where account = ? and domain = ?').pluck();
  const set = database.prepare(
    'insert into passive_domain (account, domain, set_by, set_ms) values (?, ?, ?, ?) on conflict do nothing',
  );
  const unset = database.prepare('delete from passive_domain where account = ? and domain = ?');
  return {
    addRequests: (requests: readonly OutgoingRequest[]) =>
      write(database, () => {
        for (const request of requests) {
          const { domain, atMs, address = null, source = null } = request;
          const number = ((lastNumber.get(domain, atMs) as number | null) ?? 0) + 1;
          insert.run({ ...request, address, source, number });
        }
        for (const domain of new Set(requests.map((request) => request.domain))) {
          const last = oldest.get(domain, requestsPerDomainMax) as object | undefined;
          if (last) prune.run({ domain, ...last });
        }
      }),
    trimRequests: async (requestsMax: number) => {
      const excess = (countRequests.get() as number) - requestsMax;
      let removed = 0;
      while (removed < excess) {
        const limit = Math.min(trimmedAtOnce, excess - removed);
        const changes = await write(database, () => trim.run(limit).changes);
        if (changes === 0) break;
        removed += changes;
      }
      return removed;
    },
    setPassive: (accountId: string, { domain, by, atMs }: PassiveDomain, domainsMax: number) =>
      write(database, () => {
        const isSet = has.get(accountId, domain) !== undefined;
        if (!isSet && (count.get(accountId) as number) >= domainsMax) return false;
        set.run(accountId, domain, by, atMs);
        return true;
      }),
    unsetPassive: (accountId: string, domain: string) =>
      write(database, () => unset.run(accountId, domain).changes > 0),
  };
}
