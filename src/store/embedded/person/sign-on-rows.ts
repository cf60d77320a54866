/** Rows of the tables `sign_on_request` and `sign_on_result` of accounts.db. Changes must be called within a write transaction. */
import type { KeyVault } from '../../key-vault.ts';
import { aheadMaxMs } from '../../person/session-rows.ts';
import {
  type RequestRow,
  refuseTooManyRequests,
  requestOf,
  requestRowOf,
  resultOwner,
} from '../../person/sign-on-rows.ts';
import type { SignOnRequest, SignOnResult } from '../../person/sign-on-store.ts';
import type { Database } from '../database.ts';

export class SignOnRows {
  readonly #statements;
  readonly #vault: KeyVault;

  constructor(database: Database, vault: KeyVault) {
    this.#statements = prepare(database);
    this.#vault = vault;
  }

  putRequest(request: SignOnRequest, requestsMax: number, nowMs: number): void {
    this.#statements.pruneRequests.run({ now: nowMs });
    refuseTooManyRequests(this.#statements.countRequests.get() as number, requestsMax);
    this.#statements.insertRequest.run(requestRowOf(request, this.#vault, nowMs));
  }

  findRequest(stateDigest: string, nowMs: number): SignOnRequest | undefined {
    return this.#requestOf(this.#statements.findRequest.get({ digest: stateDigest, now: nowMs }));
  }

  findRequestById(requestId: string, nowMs: number): SignOnRequest | undefined {
    return this.#requestOf(this.#statements.findRequestById.get({ request_id: requestId, now: nowMs }));
  }

  deleteRequest(stateDigest: string): boolean {
    return this.#statements.deleteRequest.run(stateDigest).changes === 1;
  }

  putResult({ tokenDigest, content, expiresMs }: SignOnResult, nowMs: number): void {
    const sealed = this.#vault.seal(content, resultOwner(tokenDigest));
    this.#statements.insertResult.run(tokenDigest, sealed, nowMs, expiresMs);
  }

  findResult(tokenDigest: string, nowMs: number): string | undefined {
    const sealed = this.#statements.findResult.get({ digest: tokenDigest, now: nowMs }) as Buffer | undefined;
    return sealed && this.#vault.open(sealed, resultOwner(tokenDigest));
  }

  deleteResult(tokenDigest: string): boolean {
    return this.#statements.deleteResult.run(tokenDigest).changes === 1;
  }

  prune(nowMs: number): void {
    this.#statements.pruneRequests.run({ now: nowMs });
    this.#statements.pruneResults.run({ now: nowMs });
  }

  #requestOf(found: unknown): SignOnRequest | undefined {
    const row = found as RequestRow | undefined;
    return row && requestOf(row, this.#vault);
  }
}

const isOpen = `expires_ms > :now and created_ms <= :now + ${aheadMaxMs}`;

function prepare(database: Database) {
  return {
    insertRequest: database.prepare(
      `insert into sign_on_request
       values (:digest, :provider_id, :purpose, :request_id, :binding, :sealed, :next, :person_id, :created_ms, :expires_ms)`,
    ),
    countRequests: database.prepare('select count(*) from sign_on_request').pluck(),
    findRequest: database.prepare(`select * from sign_on_request where digest = :digest and ${isOpen}`),
    findRequestById: database.prepare(
      `select * from sign_on_request where request_id = :request_id and ${isOpen}`,
    ),
    deleteRequest: database.prepare('delete from sign_on_request where digest = ?'),
    pruneRequests: database.prepare('delete from sign_on_request where expires_ms <= :now'),
    insertResult: database.prepare('insert into sign_on_result values (?, ?, ?, ?)'),
    findResult: database
      .prepare(`select sealed from sign_on_result where digest = :digest and ${isOpen}`)
      .pluck(),
    deleteResult: database.prepare('delete from sign_on_result where digest = ?'),
    pruneResults: database.prepare('delete from sign_on_result where expires_ms <= :now'),
  };
}
