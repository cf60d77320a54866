/** Runs the real command line in a pseudo-terminal, answers its questions, and returns what a person would have seen. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { compileCache, program } from './program.ts';

export interface TerminalOptions {
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
}

export interface TerminalOutcome {
  readonly code: number;
  /** Everything that was shown, without the control sequences of the terminal. */
  readonly screen: string;
}

/** What to type when the screen has shown a text, in this order. Enter is `\r`, Ctrl-C is `\x03`. */
export type Typed = readonly (readonly [shown: string, keys: string])[];

/** Node has no pseudo-terminals; Python's standard library does. */
const driver = `
import fcntl, json, os, pty, select, struct, sys, termios, time
given = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    os.execvpe(given['program'], [given['program']] + given['args'], {**os.environ, **given['env']})
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', 50, given['columns'], 0, 0))
screen, seen, typed, ends = b'', 0, list(given['typed']), time.time() + given['seconds']
while time.time() < ends:
    ready, _, _ = select.select([terminal], [], [], 0.2)
    if ready:
        try:
            chunk = os.read(terminal, 65536)
        except OSError:
            break
        if not chunk:
            break
        screen += chunk
    if typed:
        at = screen.find(typed[0][0].encode(), seen)
        if at >= 0:
            seen = at + len(typed[0][0].encode())
            os.write(terminal, typed.pop(0)[1].encode())
else:
    os.kill(pid, 9)
_, status = os.waitpid(pid, 0)
print(json.dumps({'code': os.waitstatus_to_exitcode(status), 'screen': screen.decode('utf8', 'replace'), 'left': typed}))
`;

/** Fails if the program ended before everything was typed. */
export function inTerminal(
  args: readonly string[],
  typed: Typed,
  options?: TerminalOptions,
): Promise<TerminalOutcome> {
  return programInTerminal([process.execPath, program, ...args], typed, options);
}

/** The same with another program, such as a shell. */
export async function programInTerminal(
  [command = '', ...args]: readonly string[],
  typed: Typed,
  { columns = 80, env = {} }: TerminalOptions = {},
): Promise<TerminalOutcome> {
  const given = {
    program: command,
    args,
    typed,
    columns,
    env: { NODE_COMPILE_CACHE: compileCache, TERM: 'xterm', ...env },
    seconds: 120,
  };
  const child = spawn('python3', ['-c', driver, JSON.stringify(given)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  await once(child, 'close');
  const { code, screen, left } = JSON.parse(out) as TerminalOutcome & { left: Typed };
  if (left.length > 0) throw new Error(`never shown: ${JSON.stringify(left)}\n${screen}`);
  return { code, screen: plain(screen) };
}

function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the control sequences of terminals.
  return text.replaceAll(/\x1b\[[0-9;?]*[A-Za-z]/g, '').replaceAll('\r\n', '\n');
}
