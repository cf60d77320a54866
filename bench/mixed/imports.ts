/** Files of passive DNS imported one after another beside a server, by the command line. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { program } from '../../test/harness/server/program.ts';
import { importZone } from './load-zones.ts';

export interface Imports {
  /** The numbers of the files whose import succeeded. */
  readonly imported: readonly number[];
  readonly failed: number;
}

export interface ImportOptions {
  readonly directory: string;
  readonly data: string;
  readonly linesEach: number;
  readonly isOver: () => boolean;
}

export async function importFiles({ directory, data, linesEach, isOver }: ImportOptions): Promise<Imports> {
  const imported: number[] = [];
  let failed = 0;
  for (let number = 0; !isOver(); number += 1) {
    const file = join(directory, 'import.ndjson');
    writeFileSync(file, linesOf(number, linesEach));
    const args = [program, 'import', 'rrsets', file, '--format', 'cof', '--data', data];
    const child = spawn(process.execPath, args, { stdio: 'ignore' });
    const [code] = (await once(child, 'close')) as [number | null];
    if (code === 0) imported.push(number);
    else failed += 1;
  }
  return { imported, failed };
}

function linesOf(file: number, count: number): string {
  const seconds = Math.floor(Date.now() / 1000);
  const times = { time_first: seconds, time_last: seconds, count: 1 };
  return Array.from({ length: count }, (_, at) => {
    const rrname = `i${at}.f${file}.${importZone}.`;
    return `${JSON.stringify({ rrname, rrtype: 'A', rdata: ['192.0.2.1'], bailiwick: `${importZone}.`, ...times })}\n`;
  }).join('');
}
