/**
 * Every route declares who may call it. The server does not start while a route lacks this declaration, so that a forgotten
 * check cannot reach production.
 */
import type { FastifyInstance, RouteOptions } from 'fastify';
import type { Permission } from '../model/account/permission.ts';

/**
 * `open`: anyone. `operator`: addresses of the operator; in the web UI people who are operators. `key`: a valid key of the scope. `session`: a person who is signed in to the web UI.
 * Else a permission, of the user or of the person.
 */
export type RouteAccess = 'open' | 'operator' | 'key' | 'session' | 'owner' | Permission;

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly access?: RouteAccess;
    /** For log and metrics. */
    readonly operation?: string;
    readonly scope?: string;
  }
}

export function requireDeclaredAccess(app: FastifyInstance): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => void routes.push(route));
  app.addHook('onReady', async () => {
    const undeclared = routes.filter((route) => route.config?.access === undefined);
    if (undeclared.length === 0) return;
    const names = undeclared.map((route) => `${String(route.method)} ${route.url}`);
    throw new Error(`routes without declared access: ${names.join(', ')}`);
  });
}
