/**
 * A program in a pseudo-terminal that draws on the whole screen: what is on the screen now, as text, and keys, sizes and signals for it. Knows
 * the control sequences that `nameglass triage` writes, and fails at any other, so that none of a third party can pass unnoticed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestScope } from '../test-scope.ts';

const main = join(import.meta.dirname, '../../../src/main.ts');
const compileCache = join(import.meta.dirname, '../../../node_modules/.cache/compile');

/** Node has no pseudo-terminals; Python's standard library does. Commands come as lines of JSON, output leaves as such. */
const driver = `
import base64, fcntl, json, os, pty, select, struct, sys, termios
given = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    os.execvpe(given['program'], [given['program']] + given['args'], {**os.environ, **given['env']})
def resize(columns, rows):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))
resize(*given['size'])
before = termios.tcgetattr(terminal)[3]
pending = b''
def say(message):
    sys.stdout.write(json.dumps(message) + '\\n')
    sys.stdout.flush()
while True:
    ready, _, _ = select.select([terminal, 0], [], [])
    if terminal in ready:
        try:
            chunk = os.read(terminal, 65536)
        except OSError:
            break
        if not chunk:
            break
        say({'chunk': base64.b64encode(chunk).decode()})
    if 0 in ready:
        chunk = os.read(0, 65536)
        if not chunk:
            os.kill(pid, 9)
            break
        pending += chunk
        *lines, pending = pending.split(b'\\n')
        for line in lines:
            command = json.loads(line)
            if 'keys' in command: os.write(terminal, command['keys'].encode())
            if 'size' in command: resize(*command['size'])
            if 'signal' in command: os.kill(pid, command['signal'])
try:
    isRestored = termios.tcgetattr(terminal)[3] == before
except termios.error:
    isRestored = None
_, status = os.waitpid(pid, 0)
say({'code': os.waitstatus_to_exitcode(status), 'isRestored': isRestored})
`;

export interface ScreenTerminal {
  /** The lines on the screen, without what fills them up. */
  readonly lines: () => readonly string[];
  /** Everything that was written, control sequences included. */
  readonly raw: () => string;
  /** Whether the program draws on the other screen of the terminal. */
  readonly isFullScreen: () => boolean;
  readonly press: (keys: string) => void;
  readonly resize: (columns: number, rows: number) => void;
  readonly signal: (number: number) => void;
  /** Fails after some seconds, with the screen. */
  readonly until: (what: string, isThere: (screen: string) => boolean) => Promise<string>;
  readonly ended: () => Promise<number>;
}

export function screenTerminal(
  scope: TestScope,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  [columns, rows]: readonly [columns: number, rows: number] = [80, 24],
): ScreenTerminal {
  const given = {
    program: process.execPath,
    args: [main, ...args],
    env: { NODE_COMPILE_CACHE: compileCache, TERM: 'xterm', ...env },
    size: [columns, rows],
  };
  const child: ChildProcess = spawn('python3', ['-c', driver, JSON.stringify(given)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  scope.after(() => child.stdin?.end());
  const screen = new Screen(rows);
  let code: number | undefined;
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    const message = JSON.parse(line) as { chunk?: string; code?: number };
    if (message.chunk !== undefined) screen.write(Buffer.from(message.chunk, 'base64'));
    if (message.code !== undefined) code = message.code;
  });
  const send = (command: object) => child.stdin?.write(`${JSON.stringify(command)}\n`);
  return {
    lines: () => screen.lines.map((text) => text.trimEnd()),
    raw: () => screen.raw,
    isFullScreen: () => screen.isFullScreen,
    press: (keys) => send({ keys }),
    resize: (toColumns, toRows) => {
      screen.setRows(toRows);
      send({ size: [toColumns, toRows] });
    },
    signal: (number) => send({ signal: number }),
    until: async (what, isThere) => {
      const ends = performance.now() + 20_000;
      for (;;) {
        const text = screen.lines.map((line) => line.trimEnd()).join('\n');
        if (isThere(text)) return text;
        if (performance.now() > ends || code !== undefined)
          throw new Error(`never shown: ${what}\n${text}\n${screen.isFullScreen ? '' : screen.raw}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    ended: async () => {
      if (code === undefined) await once(child, 'close');
      return code ?? -1;
    },
  };
}

/** Position, SGR, erase, and modes of the terminal; a whole title or clipboard sequence. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the control sequences of terminals.
const sequence = /\x1b\[(\??)([0-9;]*)([A-Za-z])|\x1b\]52;c;[A-Za-z0-9+/=]*\x07/y;

class Screen {
  lines: string[];
  raw = '';
  isFullScreen = false;
  #rest = '';
  #row = 0;
  readonly #decoder = new TextDecoder();

  constructor(rows: number) {
    this.lines = Array.from({ length: rows }, () => '');
  }

  setRows(rows: number): void {
    this.lines = Array.from({ length: rows }, (_, row) => this.lines[row] ?? '');
  }

  write(bytes: Buffer): void {
    const chunk = this.#decoder.decode(bytes, { stream: true });
    this.raw += chunk;
    const text = this.#rest + chunk;
    this.#rest = '';
    for (let at = 0; at < text.length; ) {
      if (text[at] !== '\u001b') {
        this.#put(text[at] ?? '');
        at += 1;
        continue;
      }
      sequence.lastIndex = at;
      const found = sequence.exec(text);
      if (!found) {
        this.#rest = text.slice(at);
        if (this.#rest.length > 200) throw new Error(`unknown sequence: ${JSON.stringify(this.#rest)}`);
        return;
      }
      this.#apply(found[1] === '?', found[2] ?? '', found[3] ?? '');
      at = sequence.lastIndex;
    }
  }

  #put(unit: string): void {
    if (unit < ' ' && this.isFullScreen) throw new Error(`a control character: ${JSON.stringify(unit)}`);
    this.lines[this.#row] = (this.lines[this.#row] ?? '') + unit;
  }

  #apply(isMode: boolean, parameters: string, letter: string): void {
    if (isMode && parameters === '1049') this.isFullScreen = letter === 'h';
    if (letter === 'J') this.lines = this.lines.map(() => '');
    if (letter !== 'H') return;
    this.#row = Number(parameters.split(';')[0]) - 1;
    this.lines[this.#row] = '';
  }
}
