/** Questions on a terminal. They are asked on standard error, because standard output is for data. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

export async function askLine(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await lines.question(question)).trim();
  } finally {
    lines.close();
  }
}

/** What is typed is not shown. */
export async function askSecret(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  // The terminal stops to echo before the question is there: some people paste at once.
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  process.stderr.write(question);
  lines.once('SIGINT', () => {
    process.stderr.write('\n');
    process.exit(130);
  });
  try {
    return (await lines.question('')).trim();
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}

/** Only yes is yes. */
export async function confirm(question: string): Promise<boolean> {
  return /^y(?:es)?$/i.test(await askLine(`${question} [y/N] `));
}
