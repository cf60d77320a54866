/** A directory of name lists that workers read: what a test drops there is to be discovered, and published once. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../temporary-directory.ts';
import type { TestScope } from '../test-scope.ts';

export class NameDrop {
  /** All names so far. */
  readonly dropped: string[] = [];
  readonly #directory: string;
  #files = 0;

  constructor(scope: TestScope) {
    this.#directory = temporaryDirectory(scope);
  }

  /** Of all nodes. */
  get settings(): Readonly<Record<string, string>> {
    return { 'sources.nameLists': JSON.stringify([{ name: 'drop', location: this.#directory }]) };
  }

  /** New names, in one file. */
  drop(count: number): readonly string[] {
    this.#files += 1;
    const names = Array.from({ length: count }, (_, index) => `name-${this.#files}-${index}.example`);
    const file = join(this.#directory, `list-${String(this.#files).padStart(5, '0')}`);
    writeFileSync(`${file}.tmp`, `${names.join('\n')}\n`);
    renameSync(`${file}.tmp`, `${file}.txt`);
    this.dropped.push(...names);
    return names;
  }
}
