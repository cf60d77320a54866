/** The server that runs on the data directory of this machine. */
import { findRunning } from '../running/running-process.ts';
import { type SettingsOptions, startConfigOf } from '../settings-options.ts';
import type { RemoteNeeds } from './remote-command.ts';

/** Undefined where none answers requests. */
export function findLocalServer(options: SettingsOptions, needs: RemoteNeeds): string | undefined {
  const { settings } = startConfigOf(options, needs);
  const running = findRunning(settings.data);
  if (!running || running.role === 'worker') return undefined;
  // A server that listens on every address is reached on the loopback one.
  return running.url.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]');
}
