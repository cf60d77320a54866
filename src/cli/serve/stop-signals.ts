/** The signals that ask a server to stop. */
import { print } from '../output.ts';

/** Until it is called, a signal ends the process at once. */
export function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, resolve);
  });
}

export function printStopping(signal: NodeJS.Signals): void {
  print(`${signal}: finishing open requests; repeat the signal to stop immediately`);
}
