/**
 * Web sites that attack their visitors: titles that are programs, bodies that never end or unpack to nothing but size, redirects
 * in circles and into private networks. They cost the world itself next to nothing.
 */
import type { Site, SiteKind, WorldDomain } from '../../world-domain.ts';
import { namedChoice } from '../stable-choice.ts';
import { type BombKind, bomb } from './bombs.ts';
import { headerText, sendReply, type Visit } from './reply.ts';

export type HostileKind = Extract<
  SiteKind,
  'script-title' | 'zip-bomb' | 'redirect-loop' | 'endless-page' | 'great-page' | 'slow-page'
>;

/** Kinds that come in several forms: which one a domain has follows from its name. */
const forms = {
  'script-title': ['script', 'escape', 'bidi', 'long'],
  'zip-bomb': ['gzip', 'brotli', 'nested'],
  'redirect-loop': ['circle', 'growing', 'loopback', 'metadata'],
} as const;

type FormOf<Kind extends keyof typeof forms> = (typeof forms)[Kind][number];

const greatPageBytes = 10_000_000;
const trickleMs = 250;
const slowMs = 60_000;
const longTitleCharacters = 1_000_000;
const filler = Buffer.from(`<p>${'There is always more of this. '.repeat(2000)}</p>\n`);

export function formOf<Kind extends keyof typeof forms>(kind: Kind, name: string): FormOf<Kind> {
  // The words of the kind itself say nothing of the form.
  const [first, ...others] = forms[kind] as readonly FormOf<Kind>[];
  return namedChoice(name.replace(kind, ''), kind, [first as FormOf<Kind>, ...others]);
}

export function isHostile(kind: SiteKind): kind is HostileKind {
  return kind in pages;
}

export function visitHostile(
  kind: HostileKind,
  domain: WorldDomain,
  site: Site,
  visit: Visit,
): Promise<void> {
  return pages[kind](visit, site, domain.name);
}

type HostilePage = (visit: Visit, site: Site, name: string) => Promise<void>;

const pages: Readonly<Record<HostileKind, HostilePage>> = {
  'script-title': async (visit, site, name) => {
    const title = titles[formOf('script-title', name)](site.title);
    const body = `<!doctype html><html><head><meta charset="utf-8"><title>${title}</title></head><body><h1>${title.slice(0, 200)}</h1></body></html>`;
    await sendReply(visit, { status: 200, type: 'text/html; charset=utf-8', body, headers: serverOf(site) });
  },
  'zip-bomb': async (visit, site, name) => {
    const coding = codings[formOf('zip-bomb', name)];
    const body = await bomb(coding);
    visit.response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-encoding': coding,
      'content-length': body.length,
      ...serverOf(site),
    });
    visit.response.end(visit.request.method === 'HEAD' ? undefined : body);
  },
  'redirect-loop': async (visit, site, name) => {
    const location = destinations[formOf('redirect-loop', name)](visit);
    visit.response.writeHead(302, { location, 'content-length': 0, ...serverOf(site) }).end();
  },
  'endless-page': async (visit, site) => {
    begin(visit, site);
    const timer = setInterval(() => visit.response.write('<p>and on</p>\n'), trickleMs).unref();
    visit.response.on('close', () => clearInterval(timer));
  },
  'great-page': async (visit, site) => {
    begin(visit, site);
    let left = greatPageBytes;
    const more = () => {
      const isLast = left <= filler.length;
      const bytes = filler.subarray(0, left);
      left -= bytes.length;
      if (isLast) visit.response.end(bytes);
      else if (visit.response.write(bytes)) setImmediate(more);
      else visit.response.once('drain', more);
    };
    more();
  },
  'slow-page': async (visit, site) => {
    const timer = setTimeout(() => {
      begin(visit, site);
      visit.response.end('<p>At last.</p>');
    }, slowMs).unref();
    visit.response.on('close', () => clearTimeout(timer));
  },
};

const titles: Readonly<Record<FormOf<'script-title'>, (title: string) => string>> = {
  script: (title) => `${title} <script>alert(document.domain)</script>"><img src=x onerror=alert(1)>`,
  escape: (title) => `\u001b]0;owned\u0007\u001b[31m${title}\u001b[2J\u0000\r\n`,
  bidi: (title) => `\u202e${title}\u202c \u2066gpj.exe\u2069 \u{e0041}\u200b`,
  long: (title) => `${title} `.padEnd(longTitleCharacters, 'long '),
};

const codings: Readonly<Record<FormOf<'zip-bomb'>, BombKind>> = {
  gzip: 'gzip',
  brotli: 'br',
  nested: 'gzip, gzip',
};

const destinations: Readonly<Record<FormOf<'redirect-loop'>, (visit: Visit) => string>> = {
  circle: ({ url }) => (url.pathname === '/a' ? '/b' : '/a'),
  growing: ({ url }) => `${url.pathname}${url.pathname.endsWith('/') ? '' : '/'}on`.slice(0, 8000),
  loopback: () => 'http://127.0.0.1/',
  metadata: () => 'http://169.254.169.254/latest/meta-data/',
};

function begin({ response }: Visit, site: Site): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...serverOf(site) });
  response.write(`<!doctype html><html><head><title>${site.title}</title></head><body>\n`);
}

function serverOf({ server }: Site): { readonly server: string } {
  return { server: headerText(server) };
}
