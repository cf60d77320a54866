/** Sign-in in accounts.db: the tables `web_session`, `sign_in_link`, `sign_in_step` and `sign_in_attempt`. */
import { newId } from '../../../model/account/api-key.ts';
import type { Session } from '../../../model/person/person.ts';
import type { Author } from '../../account-store.ts';
import { personEvent } from '../../person/person-rules.ts';
import type { FoundPerson } from '../../person/person-store.ts';
import {
  foundSessionOf,
  linkDetail,
  noSession,
  refuseLink,
  refuseSignIn,
  rotationMs,
  type SessionRow,
  sessionOf,
} from '../../person/session-rows.ts';
import type {
  FoundSession,
  NewSession,
  SessionLimits,
  SessionStore,
  SignInLink,
  SignInStep,
  ThrottledSubject,
} from '../../person/session-store.ts';
import { AccountRecords } from '../account-records.ts';
import { AuditLog } from '../audit-log.ts';
import { type Database, write } from '../database.ts';
import { PersonRows } from './person-rows.ts';
import { boundsOf, prepareSessions } from './session-rows.ts';
import { SignInRows } from './sign-in-rows.ts';

export class EmbeddedSessionStore implements SessionStore {
  readonly #database: Database;
  readonly #audit: AuditLog;
  readonly #people: PersonRows;
  readonly #sessions;
  readonly #signIns: SignInRows;

  constructor(database: Database) {
    this.#database = database;
    this.#audit = new AuditLog(database);
    this.#people = new PersonRows(database, new AccountRecords(database, this.#audit));
    this.#sessions = prepareSessions(database);
    this.#signIns = new SignInRows(database);
  }

  createSession(given: NewSession, author: Author): Promise<Session> {
    return write(this.#database, () => {
      const { personId, tokenDigest: digest, address, agent, method, failures = 0, replaces } = given;
      const found = this.#people.get(personId);
      refuseSignIn(found);
      if (replaces !== undefined) this.#sessions.replace.run(replaces);
      const id = newId();
      const row = { id, person_id: personId, digest, at_ms: author.atMs, address, agent };
      this.#sessions.insert.run(row);
      this.#append('session.create', found, author, { method, address, session: id, failures });
      return { id, personId, createdMs: author.atMs, seenMs: author.atMs, address, agent };
    });
  }

  async findSession(
    tokenDigest: string,
    nowMs: number,
    limits: SessionLimits,
  ): Promise<FoundSession | undefined> {
    const named = { digest: tokenDigest, ...boundsOf(nowMs, limits) };
    return (
      this.#found(this.#sessions.byDigest.get(named)) ??
      this.#found(this.#sessions.byPreviousDigest.get(named))
    );
  }

  async findSessionById(id: string, nowMs: number, limits: SessionLimits): Promise<FoundSession | undefined> {
    return this.#found(this.#sessions.byId.get({ id, ...boundsOf(nowMs, limits) }));
  }

  touchSession(id: string, nowMs: number): Promise<void> {
    return write(this.#database, () => void this.#sessions.touch.run(nowMs, id));
  }

  rotateSession(tokenDigest: string, newDigest: string, nowMs: number): Promise<boolean> {
    const named = { digest: tokenDigest, next: newDigest, until_ms: nowMs + rotationMs };
    return write(this.#database, () => this.#sessions.rotate.run(named).changes === 1);
  }

  async listSessions(personId: string, nowMs: number, limits: SessionLimits): Promise<readonly Session[]> {
    const rows = this.#sessions.list.all({ person_id: personId, ...boundsOf(nowMs, limits) });
    return (rows as SessionRow[]).map(sessionOf);
  }

  endSession(personId: string, sessionId: string, author: Author): Promise<void> {
    return write(this.#database, () => {
      if (this.#sessions.end.run(personId, sessionId).changes === 0) throw noSession();
      this.#append('session.end', this.#people.get(personId), author, { session: sessionId });
    });
  }

  endSessions(personId: string, except: string | undefined, author: Author): Promise<number> {
    return write(this.#database, () => {
      const { changes: ended } = this.#sessions.endOthers.run(personId, except ?? '');
      if (ended > 0) this.#append('session.end', this.#people.get(personId), author, { ended });
      return ended;
    });
  }

  createLink(link: SignInLink, author: Author): Promise<void> {
    return write(this.#database, () => {
      const found = this.#people.get(link.personId);
      refuseLink(found);
      this.#signIns.putLink(link, author.atMs);
      this.#append('sign-in-link.create', found, author, linkDetail(link));
    });
  }

  async findLink(tokenDigest: string, nowMs: number): Promise<(SignInLink & FoundPerson) | undefined> {
    const link = this.#signIns.findLink(tokenDigest, nowMs);
    const found = link && this.#people.findById(link.personId);
    return link && found && { ...link, ...found };
  }

  useLink(tokenDigest: string): Promise<boolean> {
    return write(this.#database, () => this.#signIns.deleteLink(tokenDigest));
  }

  createStep(step: SignInStep, nowMs: number): Promise<void> {
    return write(this.#database, () => this.#signIns.putStep(step, nowMs));
  }

  async findStep(tokenDigest: string, nowMs: number): Promise<SignInStep | undefined> {
    return this.#signIns.findStep(tokenDigest, nowMs);
  }

  useStep(tokenDigest: string): Promise<boolean> {
    return write(this.#database, () => this.#signIns.deleteStep(tokenDigest));
  }

  countAttempt(subjects: readonly ThrottledSubject[], nowMs: number): Promise<number | undefined> {
    return write(this.#database, () => {
      const times = subjects.flatMap(({ subject }) => this.#signIns.findRetryMs(subject, nowMs) ?? []);
      if (times.length > 0) return Math.max(...times);
      for (const subject of subjects) this.#signIns.countAttempt(subject, nowMs);
      return undefined;
    });
  }

  releaseAttempt(subjects: readonly string[]): Promise<void> {
    return write(this.#database, () => {
      for (const subject of subjects) this.#signIns.releaseAttempt(subject);
    });
  }

  forgetAttempts(subjects: readonly string[]): Promise<number> {
    return write(this.#database, () =>
      subjects.reduce((sum, subject) => sum + this.#signIns.forgetAttempts(subject), 0),
    );
  }

  pruneSessions(nowMs: number, limits: SessionLimits): Promise<void> {
    return write(this.#database, () => {
      this.#sessions.prune.run(boundsOf(nowMs, limits));
      this.#signIns.prune(nowMs);
    });
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  #found(row: unknown): FoundSession | undefined {
    const session = row as SessionRow | undefined;
    const found = session && this.#people.findById(session.person_id);
    return session && found && foundSessionOf(session, found);
  }

  #append(action: string, found: FoundPerson, author: Author, detail: object): void {
    this.#audit.append(personEvent(action, found, detail), author);
  }
}
