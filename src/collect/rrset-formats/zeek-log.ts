/** Reads both forms of a Zeek log, tab-separated with `#` headers and JSON, as fields by name. */
import { parseObject } from './json-object.ts';

/** Undefined where the field is absent or unset. */
export interface ZeekFields {
  text(name: string): string | undefined;
  /** Elements as written; strings and numbers in the JSON form. */
  list(name: string): readonly unknown[];
}

type ZeekLine = ZeekFields | 'header' | 'no fields known' | 'wrong number of fields' | 'not JSON';

/** Zeek writes unprintable bytes and its own separators as `\xNN`. */
export function unescaped(text: string): Buffer {
  if (!text.includes('\\x')) return Buffer.from(text, 'utf8');
  const parts = text.split(/\\x([0-9a-fA-F]{2})/);
  return Buffer.concat(parts.map((part, index) => Buffer.from(part, index % 2 === 1 ? 'hex' : 'utf8')));
}

function jsonFields(text: string): ZeekLine {
  const fields = parseObject(text) as Readonly<Record<string, unknown>> | undefined;
  if (fields === undefined) return 'not JSON';
  return {
    text(name) {
      const value = fields[name];
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? String(value)
        : undefined;
    },
    list(name) {
      const value = fields[name];
      return Array.isArray(value) ? value : [];
    },
  };
}

/** Keeps the last headers; concatenated files repeat them. */
export class ZeekLog {
  #separator = '\t';
  #setSeparator = ',';
  #empty = '(empty)';
  #unset = '-';
  #columns: ReadonlyMap<string, number> | undefined;
  /** The kind of log, where a header names it. */
  path: string | undefined;

  line(text: string): ZeekLine {
    if (text.startsWith('{')) return jsonFields(text);
    if (text.startsWith('#')) return this.#header(text);
    return this.#separated(text);
  }

  #header(text: string): 'header' {
    if (text.startsWith('#separator ')) {
      const separator = unescaped(text.slice('#separator '.length)).toString('utf8');
      if (separator !== '') this.#separator = separator;
      return 'header';
    }
    const [name, ...values] = text.split(this.#separator);
    const [value] = values;
    if (name === '#fields') this.#columns = new Map(values.map((field, column) => [field, column]));
    else if (name === '#set_separator' && value) this.#setSeparator = unescaped(value).toString('utf8');
    else if (name === '#empty_field' && value) this.#empty = unescaped(value).toString('utf8');
    else if (name === '#unset_field' && value) this.#unset = unescaped(value).toString('utf8');
    else if (name === '#path') this.path = value;
    return 'header';
  }

  #separated(line: string): ZeekLine {
    const columns = this.#columns;
    if (columns === undefined) return 'no fields known';
    const values = line.split(this.#separator);
    if (values.length !== columns.size) return 'wrong number of fields';
    const text = (name: string): string | undefined => {
      const column = columns.get(name);
      const value = column === undefined ? undefined : values[column];
      if (value === this.#empty) return '';
      return value === this.#unset ? undefined : value;
    };
    return {
      text,
      list: (name) => {
        const value = text(name);
        return value === undefined || value === '' ? [] : value.split(this.#setSeparator);
      },
    };
  }
}
