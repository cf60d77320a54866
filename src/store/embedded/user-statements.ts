/** Statements about the table `user` of accounts.db. */
import type { Database } from './database.ts';

export function prepareUserStatements(database: Database) {
  const user = 'select * from user where';
  return {
    userByName: database.prepare(`${user} username = ?`),
    usernameInAnyCase: database
      .prepare('select username from user where username = ? collate nocase')
      .pluck(),
    personInAnyCase: database.prepare('select id, name, account_id from person where folded = lower(?)'),
    usersOf: database.prepare('select count(*) from user where account_id = ?').pluck(),
    userByKey: database.prepare(`${user} key_digest = ?`),
    userByBatchKey: database.prepare(`${user} batch_digest = ?`),
    listUsers: database.prepare(
      `${user} (:account_id is null or account_id = :account_id) and username > :after order by username limit :limit`,
    ),
    userById: database.prepare(`${user} id = ?`),
    insertUser: database.prepare(
      `insert into user (id, account_id, username, permissions, api_owner, created_ms, key_digest, key_sealed,
         key_expires_ms, batch_digest, channels, pdns, folded, addresses, products, pdns_shared_with, created_by)
       values (:id, :account_id, :username, :permissions, :api_owner, :created_ms, :key_digest, :key_sealed,
         :key_expires_ms, :batch_digest, :channels, :pdns, lower(:username), :addresses, :products, :pdns_shared_with, :created_by)`,
    ),
    resetKey: database.prepare(
      `update user set key_digest = :key_digest, key_sealed = :key_sealed,
         key_expires_ms = iif(key_expires_ms > :now_ms, key_expires_ms, null) where id = :id`,
    ),
    retireKey: database.prepare('insert into retired_key (digest) values (?) on conflict do nothing'),
    retiredKey: database.prepare('select digest from retired_key where digest = ?').pluck(),
    ownerOf: database.prepare('select id from user where account_id = ? and api_owner = 1').pluck(),
    clearOwner: database.prepare('update user set api_owner = 0 where account_id = ?'),
    deleteUser: database.prepare('delete from user where id = ?'),
  };
}
