/**
 * Statements as tagged templates: values become parameters, and never part of the text. A template inside another one is a fragment of it. What a
 * template returns is sent when it is awaited, or by `execute`.
 */

/** The rows of an answer, and how many rows the statement returned or changed. */
export type Answer<Rows> = Rows & { readonly count: number };

export type Row = Record<string, unknown>;

/** A statement or a fragment of one. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

export type SendStatement = (statement: Statement) => Promise<Answer<unknown[]>>;

export interface Query<Rows> extends Promise<Answer<Rows>> {
  readonly pieces: Pieces;
  /** Sends it without waiting for the answer. */
  execute(): Query<Rows>;
}

/** Part of a statement. */
export type Fragment = Query<Row[]>;

/** Names, or the columns and values of rows, as the place in the statement needs them. */
class Names {
  readonly names: readonly string[];

  constructor(names: readonly string[]) {
    this.names = names;
  }
}

class Rows {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly columns: readonly string[];

  constructor(rows: readonly Readonly<Record<string, unknown>>[], columns: readonly string[]) {
    this.rows = rows;
    this.columns = columns.length > 0 ? columns : Object.keys(rows[0] ?? {});
  }
}

interface Pieces {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
}

interface Template {
  <Found extends readonly object[] = Row[]>(
    strings: TemplateStringsArray,
    ...values: readonly unknown[]
  ): Query<Found>;
}

interface Parts {
  /** A name or names of tables or columns. */
  (names: string | readonly string[]): Names;
  /** After `insert into` a table the columns and values of rows; after `set` the changes of one. */
  (rows: object | readonly object[], ...columns: readonly string[]): Rows;
}

interface OwnText {
  /** A statement whose text is ours. */
  unsafe<Found extends readonly object[] = Row[]>(text: string, values?: readonly unknown[]): Query<Found>;
}

export type Sql = Template & Parts & OwnText;

/** Within a transaction. */
export type Transaction = Sql;

export function sqlOver(send: SendStatement): Sql {
  const query = (pieces: Pieces) => new LazyQuery(pieces, send);
  const sql = (first: unknown, ...rest: readonly unknown[]) => {
    if (isTemplate(first)) return query({ strings: first, values: rest });
    if (typeof first === 'string') return new Names([first]);
    if (Array.isArray(first) && first.every((name) => typeof name === 'string')) return new Names(first);
    const rows = Array.isArray(first) ? first : [first];
    return new Rows(rows as Readonly<Record<string, unknown>>[], rest as string[]);
  };
  return Object.assign(sql, {
    unsafe: (text: string, values: readonly unknown[] = []) =>
      values.length === 0
        ? query({ strings: [text], values: [] })
        : query({ strings: [], values: [{ text, values }] }),
  }) as unknown as Sql;
}

function isTemplate(given: unknown): given is TemplateStringsArray {
  return Array.isArray(given) && 'raw' in given;
}

class LazyQuery implements Query<unknown[]> {
  readonly pieces: Pieces;
  readonly #send: SendStatement;
  #answer: Promise<Answer<unknown[]>> | undefined;

  constructor(pieces: Pieces, send: SendStatement) {
    this.pieces = pieces;
    this.#send = send;
  }

  get [Symbol.toStringTag](): string {
    return 'Query';
  }

  execute(): this {
    this.#start().catch(() => undefined);
    return this;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise that begins when it is awaited
  // oxlint-disable-next-line unicorn/no-thenable
  then<One, Other>(
    onAnswer?: ((answer: Answer<unknown[]>) => One | PromiseLike<One>) | null,
    onError?: ((error: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<One | Other> {
    return this.#start().then(onAnswer, onError);
  }

  catch<Other>(onError?: ((error: unknown) => Other | PromiseLike<Other>) | null) {
    return this.#start().catch(onError);
  }

  finally(onEnd?: (() => void) | null) {
    return this.#start().finally(onEnd);
  }

  #start(): Promise<Answer<unknown[]>> {
    this.#answer ??= this.#send(statementOf(this.pieces));
    return this.#answer;
  }
}

function statementOf(pieces: Pieces): Statement {
  const [only] = pieces.values;
  if (pieces.strings.length === 0) {
    const { text, values } = only as Statement;
    return { text, values: values.map(parameterOf) };
  }
  const writer = new StatementWriter();
  writer.add(pieces);
  return { text: writer.text, values: writer.values };
}

class StatementWriter {
  text = '';
  readonly values: unknown[] = [];

  add({ strings, values }: Pieces): void {
    for (const [index, string] of strings.entries()) {
      this.text += string;
      if (index < values.length) this.#addValue(values[index]);
    }
  }

  #addValue(value: unknown): void {
    if (value instanceof LazyQuery) this.add(value.pieces);
    else if (value instanceof Names) this.text += value.names.map(quoted).join(', ');
    else if (value instanceof Rows) this.#addRows(value);
    else this.#addParameter(value);
  }

  #addRows({ rows, columns }: Rows): void {
    const isChange = /\bset\s*$/i.test(this.text);
    if (!isChange) this.text += `(${columns.map(quoted).join(', ')}) values `;
    for (const [index, row] of rows.entries()) {
      if (index > 0) this.text += ', ';
      if (!isChange) this.text += '(';
      for (const [at, column] of columns.entries()) {
        if (at > 0) this.text += ', ';
        if (isChange) this.text += `${quoted(column)} = `;
        this.#addValue(row[column]);
      }
      if (!isChange) this.text += ')';
    }
  }

  #addParameter(value: unknown): void {
    this.values.push(parameterOf(value));
    this.text += `$${this.values.length}`;
  }
}

function quoted(name: string): string {
  return name
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.');
}

/**
 * PostgreSQL has no text with a NUL character, and refuses it even in a question. The replacement character is what other bytes become that are
 * no UTF-8.
 */
function parameterOf(value: unknown): unknown {
  if (value === undefined) throw new Error('a parameter of a statement is undefined');
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;
  return Array.isArray(value) ? value.map(parameterOf) : value;
}
