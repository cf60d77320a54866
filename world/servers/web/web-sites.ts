/** The web sites of the world's domains, each at the addresses that DNS says. */
import type { Site, WorldView } from '../../world-domain.ts';
import { isHostile, visitHostile } from './hostile-pages.ts';
import { pageOfSite } from './page-of-site.ts';
import { escaped } from './pages/markup.ts';
import { headerText, inText, type Reply, sendReply, type Visit } from './reply.ts';
import { findSiteOwner } from './site-owner.ts';

const methods = new Set(['GET', 'HEAD', 'POST']);

export function webSites(view: Pick<WorldView, 'find'>): (visit: Visit) => Promise<void> {
  return async (visit) => {
    const domain = findSiteOwner(view, visit.host);
    const site = domain?.addresses.includes(visit.address) ? domain.site : undefined;
    if (!domain || !site) return sendReply(visit, noSite(visit.host));
    const { kind } = site;
    return isHostile(kind)
      ? visitHostile(kind, domain, site, visit)
      : sendReply(visit, replyOf(domain, site, visit));
  };
}

function replyOf(domain: { readonly name: string }, site: Site, { request, url }: Visit): Reply {
  const headers = { server: headerText(site.server) };
  if (!methods.has(request.method ?? '')) return { ...inText(405, 'method not allowed'), headers };
  if (site.redirectTo !== undefined) return redirect(site.redirectTo, headers.server);
  if (url.pathname === '/robots.txt') return { ...inText(200, 'User-agent: *\nAllow: /\n'), headers };
  if (url.pathname === '/favicon.ico') return { ...inText(404, 'not found'), headers };
  return { status: 200, type: 'text/html; charset=utf-8', body: pageOfSite(domain, site), headers };
}

function redirect(location: string, server: string): Reply {
  return {
    status: 302,
    type: 'text/html; charset=utf-8',
    body: `<!doctype html><title>302 Found</title><p>The page is <a href="${escaped(location)}">here</a>.</p>\n`,
    headers: { server, location: headerText(location) },
  };
}

/** What a host says to those who ask for a site that it does not have. */
function noSite(host: string): Reply {
  return {
    status: 404,
    type: 'text/html; charset=utf-8',
    body: `<!doctype html><title>404 Not Found</title><h1>Not Found</h1><p>There is no site ${escaped(host)} here.</p>\n`,
    headers: { server: 'glasshouse' },
  };
}
