/** `nameglass verify streams --skip-damaged`: consumers that stopped at damaged data continue behind it. */
import type { CliNeeds } from '../needs.ts';
import { counted, print, printJson } from '../output.ts';
import { withStores } from '../with-stores.ts';
import type { VerifyOptions } from './verify-data.ts';

/** Exit code 1 if a consumer is in use and was not moved. */
export function skipDamaged(options: VerifyOptions, needs: CliNeeds): Promise<void> {
  return withStores(options, needs, async ({ streams }) => {
    const skipped = await streams.skipDamaged(needs.clock.now());
    if (options.json) printJson({ skipped });
    else {
      for (const { stream, name, from, to } of skipped)
        print(
          to === undefined
            ? `${stream} ${name}: in use at ${from}; repeat the command`
            : `${stream} ${name}: moved from ${from} to ${to}, ${counted(to - from, 'byte')} were not read`,
        );
      if (skipped.length === 0) print('no consumer stopped at damaged data');
    }
    if (skipped.some(({ to }) => to === undefined)) process.exitCode = 1;
  });
}
