/** Addresses outside `/ui` that lead into the app: the root, and the page of a domain that every record names as its `whois_url`. */
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../../model/problem.ts';

export function appRedirects(app: FastifyInstance): void {
  const options = (operation: string) => ({
    config: { access: 'open', operation, scope: 'web' } as const,
    exposeHeadRoute: true,
    schema: { hide: true },
  });
  app.get('/', options('root'), async ({ headers }, reply) => {
    if (!prefersHtml(headers.accept)) throw new Problem('no-such-path', 'There is nothing at this path.');
    return reply.redirect('/ui/', 302);
  });
  app.get('/whois/:domain', options('whois'), async (request, reply) => {
    const { domain } = request.params as { domain: string };
    return reply.redirect(`/ui/domain/${encodeURIComponent(domain)}?tab=record`, 302);
  });
}

/** Browsers name HTML first; clients that accept anything get what they had before. */
function prefersHtml(accept = ''): boolean {
  return /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(accept);
}
