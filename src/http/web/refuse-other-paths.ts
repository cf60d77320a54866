/** Without this, the paths of the app would answer what a scope below `/ui` does not have. */
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../model/problem.ts';

export function refuseOtherPaths(scope: FastifyInstance): void {
  for (const url of ['/', '/*']) {
    scope.all(url, { config: { access: 'open', scope: 'web' }, schema: { hide: true } }, async () => {
      throw new Problem('no-such-path', 'There is nothing at this path.');
    });
  }
}
