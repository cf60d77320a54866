/** Reads a YAML file of monitors. Every mistake is reported with its line; a monitor with one is not declared. */
import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import { findTermFault } from '../../../model/detect/monitor-term.ts';
import { isVisible, visibleRule } from '../../../model/visible-text.ts';
import type { DeclaredMonitor, Expectation, FileFault } from './declared-monitor.ts';

export interface MonitorFile {
  readonly monitors: readonly DeclaredMonitor[];
  readonly faults: readonly FileFault[];
}

type Path = readonly (string | number)[];

const members = [
  'term',
  'state',
  'match_substring_variations',
  'text_exclusions',
  'nameserver_exclusions',
  'passive_only',
  'must_match',
  'must_not_match',
] as const;

/** As the API has it. */
const exclusionsMax = 500;
const exclusionLengthMax = 253;
/** Against a file of aliases of aliases. */
const aliasesMax = 100;

export function readMonitorFile(file: string, text: string): MonitorFile {
  return new MonitorFileReader(file, text).read();
}

class MonitorFileReader {
  readonly #file: string;
  readonly #lines = new LineCounter();
  readonly #document: Document;
  readonly #faults: FileFault[] = [];

  constructor(file: string, text: string) {
    this.#file = file;
    this.#document = parseDocument(text, { lineCounter: this.#lines });
  }

  read(): MonitorFile {
    for (const { message, linePos } of this.#document.errors) {
      const [{ line, col: column } = { line: 1, col: 1 }] = linePos ?? [];
      // The message goes on with an excerpt of the file.
      const [sentence = message] = message.split(/ at line \d+/);
      this.#faults.push({ file: this.#file, line, column, message: sentence });
    }
    if (this.#faults.length > 0) return { monitors: [], faults: this.#faults };
    const content = this.#content();
    const list = content === null ? [] : this.#object(content, [], ['monitors'])?.['monitors'];
    const monitors = this.#list(list ?? [], ['monitors']).flatMap((value, index) => {
      const monitor = this.#monitor(value, ['monitors', index]);
      return monitor ? [monitor] : [];
    });
    return { monitors, faults: this.#faults };
  }

  #content(): unknown {
    try {
      return this.#document.toJS({ maxAliasCount: aliasesMax });
    } catch {
      this.#fail([], `has more than ${aliasesMax} aliases`);
      return null;
    }
  }

  #monitor(value: unknown, path: Path): DeclaredMonitor | undefined {
    const faultsBefore = this.#faults.length;
    const given = this.#object(value, path, members);
    if (!given) return undefined;
    const monitor: DeclaredMonitor = {
      term: this.#term(given['term'], path),
      state: this.#state(given['state'], [...path, 'state']),
      matchSubstringVariations: this.#flag(given['match_substring_variations'], [
        ...path,
        'match_substring_variations',
      ]),
      textExclusions: this.#exclusions(given['text_exclusions'], [...path, 'text_exclusions']),
      nameserverExclusions: this.#exclusions(given['nameserver_exclusions'], [
        ...path,
        'nameserver_exclusions',
      ]),
      ...(this.#flag(given['passive_only'], [...path, 'passive_only']) ? { passiveOnly: true } : {}),
      expectations: [
        ...this.#expectations(given['must_match'], [...path, 'must_match'], true),
        ...this.#expectations(given['must_not_match'], [...path, 'must_not_match'], false),
      ],
      file: this.#file,
      line: this.#position(path).line,
    };
    return this.#faults.length === faultsBefore ? monitor : undefined;
  }

  #term(value: unknown, path: Path): string {
    if (value === undefined) {
      this.#fail(path, 'a monitor needs a term');
      return '';
    }
    const term = this.#text(value, [...path, 'term']).trim();
    const fault = findTermFault(term);
    if (fault && typeof value === 'string') this.#fail([...path, 'term'], fault);
    return term;
  }

  #state(value: unknown, path: Path): DeclaredMonitor['state'] {
    if (value === undefined || value === 'active' || value === 'inactive') return value ?? 'active';
    this.#fail(path, 'must be active or inactive');
    return 'active';
  }

  #flag(value: unknown, path: Path): boolean {
    if (typeof value !== 'boolean' && value !== undefined) this.#fail(path, 'must be true or false');
    return value === true;
  }

  #exclusions(value: unknown, path: Path): readonly string[] {
    const list = this.#list(value ?? [], path);
    if (list.length > exclusionsMax) this.#fail(path, `must have at most ${exclusionsMax} entries`);
    return list.map((one, index) => {
      const text = this.#text(one, [...path, index]).trim();
      if (text.length > exclusionLengthMax)
        this.#fail([...path, index], `must have at most ${exclusionLengthMax} characters`);
      return text;
    });
  }

  #expectations(value: unknown, path: Path, isMatch: boolean): readonly Expectation[] {
    return this.#list(value ?? [], path).map((one, index) => {
      const at = [...path, index];
      const { line } = this.#position(at);
      if (typeof one !== 'object' || one === null)
        return { domain: this.#domain(one, at), nameServers: [], isMatch, line };
      const given = this.#object(one, at, ['domain', 'name_servers']);
      const nameServers = this.#list(given?.['name_servers'] ?? [], [...at, 'name_servers']);
      return {
        domain: this.#domain(given?.['domain'], [...at, 'domain']),
        nameServers: nameServers.map((host, number) =>
          this.#text(host, [...at, 'name_servers', number]).toLowerCase(),
        ),
        isMatch,
        line,
      };
    });
  }

  #domain(value: unknown, path: Path): string {
    const domain = this.#text(value, path).trim().replace(/\.$/, '').toLowerCase();
    if (domain !== '' && !domain.includes('.')) this.#fail(path, 'must be a whole name, such as example.com');
    return domain;
  }

  #text(value: unknown, path: Path): string {
    const fault =
      typeof value !== 'string'
        ? 'must be a text; put it in quotation marks'
        : value.trim() === ''
          ? 'must not be blank'
          : isVisible(value)
            ? undefined
            : visibleRule;
    if (fault) this.#fail(path, fault);
    return typeof value === 'string' ? value : '';
  }

  #list(value: unknown, path: Path): readonly unknown[] {
    if (Array.isArray(value)) return value;
    this.#fail(path, 'must be a list');
    return [];
  }

  #object(
    value: unknown,
    path: Path,
    known: readonly string[],
  ): Readonly<Record<string, unknown>> | undefined {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.#fail(path, `must have members: ${known.join(', ')}`);
      return undefined;
    }
    for (const name of Object.keys(value))
      if (!known.includes(name))
        this.#fail([...path, name], `there is no ${name} here; there are ${known.join(', ')}`);
    return value as Record<string, unknown>;
  }

  #fail(path: Path, message: string): void {
    const name = path.findLast((part) => typeof part === 'string' && part !== 'monitors');
    const isNamed = name === undefined || message.includes(String(name));
    const text = isNamed ? message : `${name} ${message}`;
    this.#faults.push({ file: this.#file, ...this.#position(path), message: text });
  }

  /** Of the value at this path, or of the nearest one around it. */
  #position(path: Path): { line: number; column: number } {
    for (let length = path.length; length >= 0; length -= 1) {
      const node: unknown =
        length === 0 ? this.#document.contents : this.#document.getIn(path.slice(0, length), true);
      if (!isNode(node) || !node.range) continue;
      const { line, col } = this.#lines.linePos(node.range[0]);
      return { line, column: col };
    }
    return { line: 1, column: 1 };
  }
}
