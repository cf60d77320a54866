/** Lists of labelled names: one name a line, and after a tab, where it is known, the day it was first seen. Packed ones too. */
import type { Command } from 'commander';
import { plainBytes } from '../../collect/rrset-formats/plain-bytes.ts';
import { collect } from '../argument-readers.ts';
import { openInput } from '../import/input-file.ts';
import { scanLines } from './scan-lines.ts';

export interface ListOptions {
  readonly phishing?: readonly string[];
  readonly malware?: readonly string[];
  readonly spam?: readonly string[];
  readonly good?: readonly string[];
}

export interface LabelledLine {
  readonly name: string;
  readonly date: string | undefined;
}

const day = /^\d{4}-\d{2}-\d{2}/;

export function withLists(command: Command): Command {
  const file = collect((text: string) => text);
  return command
    .option('--phishing <file>', 'a list of names used for phishing; may be repeated, as all lists', file)
    .option('--malware <file>', 'a list of names used for malware', file)
    .option('--spam <file>', 'a list of names used for spam', file)
    .option('--good <file>', 'a list of ordinary names, best newly registered ones', file);
}

/** Every line of every list of one label. */
export async function* scanLists(files: readonly string[] = []): AsyncGenerator<LabelledLine> {
  for (const file of files) {
    for await (const lines of scanLines(plainBytes(openInput(file).bytes()))) {
      for (const line of lines) {
        const [name = '', second = ''] = line.split('\t', 2);
        const found = day.exec(second)?.[0];
        if (name !== '') yield { name, date: found };
      }
    }
  }
}
