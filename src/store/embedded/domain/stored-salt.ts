/** The salt of a database, with which the keys of its values are made. */
import { ValueKeys } from '../../domain/value-keys.ts';
import type { Database } from '../database.ts';

export function valueKeysOf(database: Database): ValueKeys {
  const [salt, form] = database.prepare('select bytes, key_form from salt').raw().get() as [Buffer, 1 | 2];
  return new ValueKeys(salt, form);
}
