/**
 * Requests that a client was seen to send, from a file: comments start with `#`, each request with a line `### NAME`. Lines of its head
 * end in CRLF on the wire; a body follows an empty line. `{{NAME}}` stands for what differs from run to run, `{{length}}` for the length
 * of the body. Everything else, the order and case of headers included, is sent as it was recorded.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

export type PlaceholderValues = Readonly<Record<string, string>>;

export class RecordedRequests {
  readonly #templates: ReadonlyMap<string, string>;

  /** The requests of a file, or requests by name. */
  constructor(source: string | ReadonlyMap<string, string>) {
    this.#templates = typeof source === 'string' ? templatesOf(readFileSync(source, 'utf8')) : source;
  }

  get names(): string[] {
    return [...this.#templates.keys()];
  }

  /** The path in the request line without its query. */
  pathOf(name: string): string {
    return /^[A-Z]+ ([^ ?]+)/.exec(this.#template(name))?.[1] ?? assert.fail(name);
  }

  /** The bytes on the wire. */
  bytesOf(name: string, values: PlaceholderValues): Buffer {
    const [head = '', body = ''] = this.#template(name).trimEnd().split('\n\n');
    const filledBody = filled(body, values);
    const length = String(Buffer.byteLength(filledBody));
    const filledHead = filled(head, { ...values, length }).replaceAll('\n', '\r\n');
    return Buffer.from(`${filledHead}\r\n\r\n${filledBody}`);
  }

  #template(name: string): string {
    return this.#templates.get(name) ?? assert.fail(`no request "${name}" among ${this.names.join(', ')}`);
  }
}

function templatesOf(text: string): ReadonlyMap<string, string> {
  const [, ...parts] = text.split(/^### /m);
  return new Map(
    parts.map((part) => {
      const nameEnd = part.indexOf('\n');
      return [part.slice(0, nameEnd), part.slice(nameEnd + 1)];
    }),
  );
}

function filled(template: string, values: PlaceholderValues): string {
  return template.replaceAll(
    /\{\{([a-z-]+)\}\}/g,
    (_, name: string) => values[name] ?? assert.fail(`no value for ${name}`),
  );
}
