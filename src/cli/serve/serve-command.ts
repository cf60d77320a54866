/** `nameglass serve`: starts the service, prints how to reach it, and shuts it down on a signal. */
import type { Command } from 'commander';
import type { CliNeeds } from '../needs.ts';
import { startConfigOf, withSettings } from '../settings-options.ts';

export function addServe(program: Command, needs: CliNeeds): void {
  withSettings(program.command('serve'))
    .option('--host <host>', 'address to listen on (http.host)')
    .option('--port <number>', 'port to listen on (http.port)')
    .option('--role <role>', 'all, api or worker (role)')
    .option('--demo', 'run in a simulated Internet with a first account (demo)')
    .action(async (options) => {
      const { settings: initial } = startConfigOf(options, needs);
      const world = initial.demo ? await needs.startWorld() : undefined;
      try {
        const config = startConfigOf(options, needs, world?.settings);
        const start = { config, world, where: whereFlags(options.config, config.settings.data) };
        if (initial.role === 'all') {
          const { serveSupervised } = await import('./serve-supervised.ts');
          await serveSupervised(start, needs);
        } else {
          const { serveAlone } = await import('./serve-alone.ts');
          await serveAlone(start, needs);
        }
      } finally {
        await world?.stop();
      }
    });
}

/** The flags that a command needs to work on the data of this server. */
function whereFlags(config: string | undefined, data: string): string {
  const quoted = (text: string) => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
  const configFlag = config === undefined ? '' : ` --config ${quoted(config)}`;
  return data === './data' ? configFlag : `${configFlag} --data ${quoted(data)}`;
}
