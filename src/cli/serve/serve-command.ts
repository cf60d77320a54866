/** `nameglass serve`: starts the service, prints how to reach it, and shuts it down on a signal. */
import type { Command } from 'commander';
import type { CliNeeds } from '../needs.ts';
import { goOnWhenUnread } from '../output.ts';
import { startConfigOf, withSettings } from '../settings-options.ts';
import type { ServeStart } from './serve-start.ts';
import { serveSupervised } from './serve-supervised.ts';

export function addServe(program: Command, needs: CliNeeds): void {
  withSettings(program.command('serve'))
    .option('--host <host>', 'address to listen on (http.host)')
    .option('--port <number>', 'port to listen on (http.port)')
    .option('--role <role>', 'all, api or worker (role)')
    .option('--demo', 'run in a simulated Internet with a first account (demo)')
    .action(async (options) => {
      goOnWhenUnread();
      const { settings: initial } = startConfigOf(options, needs);
      const where = whereFlags(options.config, initial.data);
      const world = initial.demo ? needs.startWorld() : Promise.resolve(undefined);
      const start = world.then(
        (started): ServeStart => ({
          config: startConfigOf(options, needs, started?.settings),
          world: started,
          where,
        }),
      );
      try {
        if (initial.role === 'all') return await serveSupervised(initial, start, needs);
        const complete = await start;
        const { serveAlone } = await import('./serve-alone.ts');
        await serveAlone(complete, needs);
      } finally {
        const started = await world.catch(() => undefined);
        await started?.stop();
      }
    });
}

/** The flags that a command needs to work on the data of this server. */
function whereFlags(config: string | undefined, data: string): string {
  const quoted = (text: string) => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
  const configFlag = config === undefined ? '' : ` --config ${quoted(config)}`;
  return data === './data' ? configFlag : `${configFlag} --data ${quoted(data)}`;
}
