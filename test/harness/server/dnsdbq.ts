/** Runs the unmodified dnsdbq from Debian, or its sibling dnsdbflex, against one of our servers. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Outcome } from './command-line.ts';

export interface DnsdbqNeeds {
  readonly server: string;
  readonly key: string;
  /** A home directory without user settings. */
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** `words` are parsed by a shell, so that they can be quoted as in a manual. */
export function dnsdbq(words: string, needs: DnsdbqNeeds): Promise<Outcome> {
  return runClient('dnsdbq', words, needs);
}

/** Both read the same variables. */
export async function runClient(
  program: string,
  words: string,
  { server, key, home, env, input = '' }: DnsdbqNeeds,
): Promise<Outcome> {
  const child = spawn('/bin/sh', ['-c', `exec ${program} ${words}`], {
    env: {
      PATH: '/usr/bin:/bin',
      TZ: 'UTC',
      HOME: home,
      DNSDBQ_CONFIG_FILE: '/dev/null',
      DNSDB_SERVER: server,
      DNSDB_API_KEY: key,
      ...env,
    },
  });
  const output = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.err += text));
  child.stdin.on('error', () => undefined).end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}

/** The output of `-j`. */
export function recordsOf({ out }: Outcome): DnsdbqRecord[] {
  return out
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as DnsdbqRecord);
}

export interface DnsdbqRecord {
  readonly count: number;
  readonly time_first?: number;
  readonly time_last?: number;
  readonly zone_time_first?: number;
  readonly zone_time_last?: number;
  readonly rrname: string;
  readonly rrtype: string;
  readonly bailiwick?: string;
  readonly rdata: string | readonly string[];
}
