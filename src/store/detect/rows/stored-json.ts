/** A list or an object as a column has it: as JSON, or as what the driver of the database makes of a column of such a type. */
export type StoredJson<Value> = string | Value;

export function parsed<Value>(stored: StoredJson<Value>): Value {
  return typeof stored === 'string' ? (JSON.parse(stored) as Value) : stored;
}

/** True and false are numbers in SQLite. */
export type StoredFlag = number | boolean;
