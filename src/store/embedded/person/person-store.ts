/**
 * The people of accounts.db: the tables `person`, `recovery_code` and `passkey`. Secrets of authenticator apps are encrypted, recovery codes
 * are digests, passwords argon2id hashes.
 */
import { newId } from '../../../model/account/api-key.ts';
import type { Person } from '../../../model/person/person.ts';
import type { Preferences } from '../../../model/person/preferences.ts';
import { noAccount } from '../../account/account-rows.ts';
import type { Author } from '../../account-store.ts';
import type { KeyVault } from '../../key-vault.ts';
import {
  isActingAdmin,
  lastAdmin,
  mustStay,
  noPasskey,
  noTotpToConfirm,
  passkeyIsKnown,
  peopleListedMax,
  personEvent,
  refuseTooManyPeople,
  sameUserId,
  tooManyPasskeys,
  totpIsConfirmed,
  totpOwner,
  type UserOfName,
} from '../../person/person-rules.ts';
import type {
  AdminRule,
  FoundPerson,
  NewPerson,
  Passkey,
  PersonChange,
  PersonStore,
  Totp,
} from '../../person/person-store.ts';
import { AccountRecords } from '../account-records.ts';
import { AuditLog } from '../audit-log.ts';
import { type Database, write } from '../database.ts';
import { IdentityRows } from './identity-rows.ts';
import { PasskeyRows } from './passkey-rows.ts';
import { PersonRows } from './person-rows.ts';

export class EmbeddedPersonStore implements PersonStore {
  readonly #database: Database;
  readonly #vault: KeyVault;
  readonly #audit: AuditLog;
  readonly #accounts: AccountRecords;
  readonly #people: PersonRows;
  readonly #passkeys: PasskeyRows;
  readonly #identities: IdentityRows;
  readonly #statements;

  constructor(database: Database, vault: KeyVault) {
    this.#database = database;
    this.#vault = vault;
    this.#audit = new AuditLog(database);
    this.#accounts = new AccountRecords(database, this.#audit);
    this.#people = new PersonRows(database, this.#accounts);
    this.#passkeys = new PasskeyRows(database);
    this.#identities = new IdentityRows(database);
    this.#statements = prepare(database);
  }

  createPerson(given: NewPerson, author: Author): Promise<FoundPerson> {
    return write(this.#database, () => {
      const account = this.#accounts.find(given.account);
      if (!account) throw noAccount(given.account);
      // Before the name is checked: a full account must not be able to find out which names are free.
      refuseTooManyPeople(account, given, this.#statements.peopleOf.get(account.id) as number);
      const id = this.#findSameUser(given.name, account.id) ?? newId();
      this.#statements.insert.run({
        id,
        account_id: account.id,
        name: given.name,
        email: given.email ?? null,
        permissions: JSON.stringify(given.permissions),
        created_ms: author.atMs,
      });
      if (given.identity) this.#identities.insert({ ...given.identity, personId: id }, author.atMs);
      const found = this.#people.get(id);
      const { email = null, permissions } = given;
      this.#append('person.create', found, author, { permissions, email });
      return found;
    });
  }

  async findPerson(name: string): Promise<FoundPerson | undefined> {
    return this.#people.findByName(name);
  }

  async findPersonById(id: string): Promise<FoundPerson | undefined> {
    return this.#people.findById(id);
  }

  async listPeople(range: { accountId?: string; limit: number }): Promise<readonly FoundPerson[]> {
    return this.#people.list(range);
  }

  updatePerson(id: string, change: PersonChange, author: Author, rule?: AdminRule): Promise<FoundPerson> {
    return write(this.#database, () => {
      const before = this.#people.get(id);
      const { email, permissions, disabled, operator } = change;
      if (disabled || permissions?.includes('admin') === false) this.#refuseLastAdmin(before, rule);
      if (email !== undefined) this.#statements.setEmail.run(email, id);
      if (permissions !== undefined) {
        this.#statements.setPermissions.run(JSON.stringify(permissions), id);
        this.#statements.rotateSessions.run(id);
      }
      if (operator !== undefined) this.#statements.setOperator.run(operator ? 1 : 0, id);
      if (disabled !== undefined) this.#setDisabled(id, disabled, author.atMs);
      this.#append('person.update', before, author, { ...change });
      return this.#people.get(id);
    });
  }

  removePerson(id: string, author: Author, rule?: AdminRule): Promise<void> {
    return write(this.#database, () => {
      const found = this.#people.get(id);
      this.#refuseLastAdmin(found, rule);
      this.#statements.remove.run(id);
      this.#append('person.remove', found, author);
    });
  }

  resetSecondFactors(id: string, author: Author): Promise<number> {
    return write(this.#database, () => {
      const found = this.#people.get(id);
      this.#statements.removeTotp.run(id);
      this.#statements.clearCodes.run(id);
      const { changes: passkeys } = this.#statements.clearPasskeys.run(id);
      this.#append('second-factors.reset', found, author, { passkeys });
      return passkeys;
    });
  }

  setPreferences(id: string, preferences: Preferences): Promise<Person> {
    return write(this.#database, () => {
      this.#statements.setPreferences.run(JSON.stringify(preferences), id);
      return this.#people.get(id).person;
    });
  }

  async findPasswordHash(personId: string): Promise<string | undefined> {
    return (this.#statements.password.get(personId) as string | null | undefined) ?? undefined;
  }

  setPasswordHash(personId: string, hash: string | null, author: Author): Promise<void> {
    return write(this.#database, () => {
      const found = this.#people.get(personId);
      this.#statements.setPassword.run(hash, personId);
      this.#append(hash === null ? 'password.remove' : 'password.set', found, author);
    });
  }

  async findTotp(personId: string): Promise<Totp | undefined> {
    const row = this.#statements.totp.get(personId) as
      | { totp_sealed: Buffer | null; totp_confirmed: number }
      | undefined;
    if (!row?.totp_sealed) return undefined;
    const secret = this.#vault.open(row.totp_sealed, totpOwner(personId));
    return { secret, confirmed: row.totp_confirmed === 1 };
  }

  beginTotp(personId: string, secret: string): Promise<void> {
    return write(this.#database, () => {
      const { person } = this.#people.get(personId);
      if (person.credentials.hasTotp) throw totpIsConfirmed();
      this.#statements.beginTotp.run(this.#vault.seal(secret, totpOwner(personId)), personId);
    });
  }

  confirmTotp(
    personId: string,
    { step, recoveryDigests }: { readonly step: number; readonly recoveryDigests: readonly string[] },
    author: Author,
  ): Promise<void> {
    return write(this.#database, () => {
      const found = this.#people.get(personId);
      if (this.#statements.confirmTotp.run({ step, id: personId }).changes === 0) throw noTotpToConfirm();
      this.#statements.clearCodes.run(personId);
      for (const digest of recoveryDigests) this.#statements.addCode.run(personId, digest);
      this.#append('totp.set', found, author);
    });
  }

  removeTotp(personId: string, author: Author): Promise<void> {
    return write(this.#database, () => {
      const found = this.#people.get(personId);
      this.#statements.removeTotp.run(personId);
      this.#statements.clearCodes.run(personId);
      this.#append('totp.remove', found, author);
    });
  }

  useTotpStep(personId: string, step: number): Promise<boolean> {
    return write(
      this.#database,
      () => this.#statements.useTotpStep.run({ step, id: personId }).changes === 1,
    );
  }

  useRecoveryCode(personId: string, digest: string, author: Author): Promise<boolean> {
    return write(this.#database, () => {
      if (this.#statements.useCode.run(personId, digest).changes === 0) return false;
      const left = this.#statements.countCodes.get(personId);
      this.#append('recovery-code.use', this.#people.get(personId), author, { left });
      return true;
    });
  }

  async countRecoveryCodes(personId: string): Promise<number> {
    return this.#statements.countCodes.get(personId) as number;
  }

  addPasskey(
    passkey: Omit<Passkey, 'createdMs' | 'usedMs'>,
    passkeysMax: number,
    author: Author,
  ): Promise<void> {
    return write(this.#database, () => {
      const found = this.#people.get(passkey.personId);
      if (found.person.credentials.passkeys >= passkeysMax) throw tooManyPasskeys(passkeysMax);
      if (this.#passkeys.find(passkey.id)) throw passkeyIsKnown();
      this.#passkeys.insert(passkey, author.atMs);
      this.#append('passkey.add', found, author, { name: passkey.name });
    });
  }

  async findPasskey(id: string): Promise<Passkey | undefined> {
    return this.#passkeys.find(id);
  }

  async listPasskeys(personId: string): Promise<readonly Passkey[]> {
    return this.#passkeys.list(personId);
  }

  usePasskey(id: string, counter: number, atMs: number): Promise<void> {
    return write(this.#database, () => this.#passkeys.use(id, counter, atMs));
  }

  removePasskey(personId: string, id: string, author: Author): Promise<void> {
    return write(this.#database, () => {
      const found = this.#people.get(personId);
      if (!this.#passkeys.remove(personId, id)) throw noPasskey();
      this.#append('passkey.remove', found, author);
    });
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  #findSameUser(name: string, accountId: string): string | undefined {
    const users = this.#statements.userInAnyCase.all(name) as UserOfName[];
    return sameUserId({ name, accountId }, users, this.#people.findByName(name) !== undefined);
  }

  #refuseLastAdmin(found: FoundPerson, rule?: AdminRule): void {
    if (!mustStay(found, rule)) return;
    const others = this.#people.list({ accountId: found.account.id, limit: peopleListedMax });
    if (!others.some(({ person }) => person.id !== found.person.id && isActingAdmin(person)))
      throw lastAdmin(found);
  }

  #setDisabled(id: string, disabled: boolean, atMs: number): void {
    this.#statements.setDisabled.run(disabled ? atMs : null, id);
    if (!disabled) return;
    for (const statement of this.#statements.endAll) statement.run(id);
  }

  #append(action: string, found: FoundPerson, author: Author, detail?: object): void {
    this.#audit.append(personEvent(action, found, detail), author);
  }
}

function prepare(database: Database) {
  const set = (column: string) => database.prepare(`update person set ${column} = ? where id = ?`);
  return {
    insert: database.prepare(
      `insert into person (id, account_id, name, folded, email, permissions, created_ms, preferences)
       values (:id, :account_id, :name, lower(:name), :email, :permissions, :created_ms, '{}')`,
    ),
    peopleOf: database.prepare('select count(*) from person where account_id = ?').pluck(),
    userInAnyCase: database.prepare(
      'select id, username, account_id from user where username = ? collate nocase',
    ),
    remove: database.prepare('delete from person where id = ?'),
    setOperator: set('operator'),
    setDisabled: set('disabled_ms'),
    endAll: ['web_session', 'sign_in_link', 'sign_in_step'].map((table) =>
      database.prepare(`delete from ${table} where person_id = ?`),
    ),
    clearPasskeys: database.prepare('delete from passkey where person_id = ?'),
    setEmail: set('email'),
    setPermissions: set('permissions'),
    setPreferences: set('preferences'),
    setPassword: set('password'),
    rotateSessions: database.prepare('update web_session set must_rotate = 1 where person_id = ?'),
    password: database.prepare('select password from person where id = ?').pluck(),
    totp: database.prepare('select totp_sealed, totp_confirmed from person where id = ?'),
    beginTotp: set('totp_sealed'),
    confirmTotp: database.prepare(
      `update person set totp_confirmed = 1, totp_step = :step
       where id = :id and totp_confirmed = 0 and totp_sealed is not null`,
    ),
    removeTotp: database.prepare('update person set totp_sealed = null, totp_confirmed = 0 where id = ?'),
    useTotpStep: database.prepare(
      'update person set totp_step = :step where id = :id and totp_confirmed = 1 and totp_step < :step',
    ),
    addCode: database.prepare('insert into recovery_code (person_id, digest) values (?, ?)'),
    useCode: database.prepare('delete from recovery_code where person_id = ? and digest = ?'),
    clearCodes: database.prepare('delete from recovery_code where person_id = ?'),
    countCodes: database.prepare('select count(*) from recovery_code where person_id = ?').pluck(),
  };
}
