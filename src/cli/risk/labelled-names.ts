/** Lists of labelled names: one name per line, optionally a tab and the day it was first seen, or its rank; plain or compressed. */
import type { Command } from 'commander';
import { decompress } from '../../collect/input/decompress.ts';
import { collect } from '../argument-readers.ts';
import { openInput } from '../import/input-file.ts';
import { scanLines } from './scan-lines.ts';

export interface ListOptions {
  readonly phishing?: readonly string[];
  readonly malware?: readonly string[];
  readonly spam?: readonly string[];
  readonly good?: readonly string[];
  readonly popular?: readonly string[];
}

export interface LabelledLine {
  readonly name: string;
  readonly date: string | undefined;
  /** The second column, if it is a number. */
  readonly rank: number | undefined;
}

const day = /^\d{4}-\d{2}-\d{2}/;
const wholeNumber = /^\d{1,9}$/;

export function withNameLists(command: Command): Command {
  const file = collect((text: string) => text);
  return command
    .option('--phishing <file>', 'a list of names used for phishing; like all lists, may be repeated', file)
    .option('--malware <file>', 'a list of names used for malware', file)
    .option('--spam <file>', 'a list of names used for spam', file)
    .option('--good <file>', 'a list of ordinary names, preferably newly registered', file)
    .option('--popular <file>', 'a list of popular names, each with a tab and its rank', file);
}

/** All lines of the lists of one label. */
export async function* scanLabelledNames(files: readonly string[] = []): AsyncGenerator<LabelledLine> {
  for (const file of files) {
    for await (const lines of scanLines(decompress(openInput(file).bytes()))) {
      for (const line of lines) {
        const [name = '', second = ''] = line.split('\t', 2);
        const found = day.exec(second)?.[0];
        const rank = wholeNumber.test(second) ? Number(second) : undefined;
        if (name !== '') yield { name, date: found, rank };
      }
    }
  }
}
