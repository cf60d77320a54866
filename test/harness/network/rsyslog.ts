/** rsyslog as a receiver: it parses messages with its own parsers and writes what it found as JSON, one object a line. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { commandPath } from '../debian-package.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import type { TestScope } from '../test-scope.ts';
import { onFreePort } from './daemon.ts';
import type { TlsCertificate } from './tls-certificate.ts';

/** A message as rsyslog has parsed it. */
export interface ParsedMessage {
  readonly inputname: string;
  readonly pri: string;
  readonly hostname: string;
  readonly timereported: string;
  readonly 'app-name': string;
  readonly msgid: string;
  readonly '$!': {
    readonly 'rfc5424-sd'?: Readonly<Record<string, Readonly<Record<string, string>>>>;
    // biome-ignore lint/suspicious/noExplicitAny: tests inspect what a foreign parser made
    readonly ecs?: any;
    // biome-ignore lint/suspicious/noExplicitAny: the same
    readonly cef?: any;
  };
}

export interface Rsyslog {
  readonly plainPort: number;
  readonly securePort: number;
  read(): readonly ParsedMessage[];
  /** As a crash would. */
  kill(): Promise<void>;
  restart(): Promise<void>;
}

export async function startRsyslog(scope: TestScope, certificate: TlsCertificate): Promise<Rsyslog> {
  const directory = temporaryDirectory(scope);
  const output = join(directory, 'messages.json');
  const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  writeFileSync(cert, certificate.cert);
  writeFileSync(key, certificate.key, { mode: 0o600 });
  const [plainPort, securePort] = [
    await onFreePort(async (port) => port),
    await onFreePort(async (port) => port),
  ];
  const configuration = join(directory, 'rsyslog.conf');
  writeFileSync(configuration, configurationOf({ directory, cert, key, plainPort, securePort, output }));
  let child: ChildProcess | undefined;
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const restart = async () => {
    const args = ['-n', '-f', configuration, '-i', join(directory, 'pid')];
    child = spawn(commandPath('rsyslogd') as string, args, { stdio: 'ignore' });
    while (!(await isOpen(plainPort)) || !(await isOpen(securePort))) await pause(50);
  };
  scope.after(kill);
  await restart();
  return {
    plainPort,
    securePort,
    read: () =>
      (existsSync(output) ? readFileSync(output, 'utf8') : '')
        .split('\n')
        // Behind the last line feed is nothing, or a line that is being written.
        .slice(0, -1)
        .map((line) => JSON.parse(line) as ParsedMessage),
    kill,
    restart,
  };
}

interface Configuration {
  readonly directory: string;
  readonly cert: string;
  readonly key: string;
  readonly plainPort: number;
  readonly securePort: number;
  readonly output: string;
}

/** Without queues: a message is written before the next one is read. The byte order mark belongs to the text for these parsers. */
function configurationOf({ directory, cert, key, plainPort, securePort, output }: Configuration): string {
  return `
global(workDirectory="${directory}" maxMessageSize="8k"
  defaultNetstreamDriverCAFile="${cert}" defaultNetstreamDriverCertFile="${cert}" defaultNetstreamDriverKeyFile="${key}")
module(load="imptcp")
module(load="imtcp" streamDriver.name="gtls" streamDriver.mode="1" streamDriver.authMode="anon")
module(load="mmpstrucdata")
module(load="mmjsonparse")
module(load="mmnormalize")
template(name="parsed" type="string" string="%jsonmesg%\\n")
ruleset(name="parse" queue.type="Direct") {
  action(type="mmpstrucdata")
  if $msg startswith "{" then {
    action(type="mmjsonparse" cookie="" container="$!ecs")
  } else {
    action(type="mmnormalize" rule=["rule=:\ufeff%cef:cef%", "rule=:%cef:cef%"])
  }
  action(type="omfile" file="${output}" template="parsed" asyncWriting="off")
}
input(type="imptcp" name="plain" address="127.0.0.1" port="${plainPort}" ruleset="parse" supportOctetCountedFraming="on")
input(type="imtcp" name="secure" address="127.0.0.1" port="${securePort}" ruleset="parse" supportOctetCountedFraming="on")
`;
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
