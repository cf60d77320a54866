/** Encodes DNS messages, with and without name compression. */

/** Raw bytes, or a name that may be compressed. */
export type RdataPart = Uint8Array | string;

export interface WrittenRecord {
  readonly section?: 'answer' | 'authority' | 'additional';
  readonly owner: string;
  readonly type: number;
  readonly class?: number;
  readonly ttl?: number;
  readonly rdata: readonly RdataPart[];
}

export interface WrittenMessage {
  readonly id?: number;
  /** Defaults to a successful response. */
  readonly flags?: number;
  readonly question?: { readonly name: string; readonly type: number; readonly class?: number };
  readonly records?: readonly WrittenRecord[];
  readonly compress?: boolean;
}

export const answerFlags = 0x8400;
const sections = ['answer', 'authority', 'additional'] as const;

/** Names are labels separated by dots, without escapes; the root is the empty string. */
export function wireName(name: string): Uint8Array {
  const labels = name === '' ? [] : name.split('.');
  const parts = labels.map((label) => Buffer.from([label.length, ...Buffer.from(label, 'latin1')]));
  return Uint8Array.from(Buffer.concat([...parts, Buffer.from([0])]));
}

export function encodeMessage(message: WrittenMessage): Uint8Array {
  const { question, records = [], compress = true } = message;
  const inSection = sections.map((section) =>
    records.filter((each) => (each.section ?? 'answer') === section),
  );
  const header = [message.id ?? 0, message.flags ?? answerFlags, question ? 1 : 0];
  const writer = new Writer(compress);
  for (const word of [...header, ...inSection.map(({ length }) => length)]) writer.u16(word);
  if (question) {
    writer.name(question.name);
    writer.u16(question.type);
    writer.u16(question.class ?? 1);
  }
  for (const record of inSection.flat()) writer.record(record);
  return Uint8Array.from(writer.bytes);
}

class Writer {
  readonly bytes: number[] = [];
  readonly #offsets = new Map<string, number>();
  readonly #compress: boolean;

  constructor(compress: boolean) {
    this.#compress = compress;
  }

  u16(word: number): void {
    this.bytes.push(word >> 8, word & 255);
  }

  name(name: string): void {
    for (let rest = name; rest !== ''; rest = rest.includes('.') ? rest.slice(rest.indexOf('.') + 1) : '') {
      const offset = this.#offsets.get(rest);
      if (this.#compress && offset !== undefined) {
        this.u16(0xc000 | offset);
        return;
      }
      if (this.bytes.length < 0x4000) this.#offsets.set(rest, this.bytes.length);
      const label = Buffer.from(rest.split('.')[0] ?? '', 'latin1');
      this.bytes.push(label.length, ...label);
    }
    this.bytes.push(0);
  }

  record(record: WrittenRecord): void {
    this.name(record.owner);
    this.u16(record.type);
    this.u16(record.class ?? 1);
    const ttl = record.ttl ?? 300;
    this.u16(Math.floor(ttl / 0x1_0000));
    this.u16(ttl % 0x1_0000);
    const start = this.bytes.length;
    this.u16(0);
    for (const part of record.rdata) {
      if (typeof part === 'string') this.name(part);
      else this.bytes.push(...part);
    }
    const length = this.bytes.length - start - 2;
    this.bytes[start] = length >> 8;
    this.bytes[start + 1] = length & 255;
  }
}
