import type { ReactNode } from 'react';
import { phrase } from './language.ts';

export const blocklistWords = {
  title: 'Blocklists',
  theLists: 'The blocklists',
  loading: 'blocklists',
  replace: 'Replace all links',
  replaceQuestion: 'Replace all links?',
  replaceHint: 'The present ones stop working at once: every resolver and sensor needs its new link.',
  replaceThem: 'Replace them',
  replaced: 'All links are new',
  blocked: (domains: ReactNode, serial: number) =>
    phrase`${domains} blocked, version ${serial}. Every list has all of them; a link needs no key, so it is as secret as one.`,
  formats: {
    rpz: 'Response policy zone',
    hosts: 'Hosts file',
    plain: 'Plain list',
    suricata: 'Suricata',
    zeek: 'Zeek',
  } as Readonly<Record<string, string>>,
  linkHidden: 'The link is shown to those who may manage monitors.',
  linkOf: (file: string) => `Link of ${file}`,
  linkCopied: 'Link copied',
  preview: 'Preview',
  empty: 'Nothing is blocked: the file is empty.',
  neverFetched: 'Nobody has fetched it yet.',
  fetches: 'Fetches',
  fetched: 'Fetched',
  from: 'From',
  client: 'Client',
  has: 'Has',
  current: 'this version',
  older: 'an older version',
  bytes: (count: number) => `${count} bytes`,
  kibibytes: (count: string) => `${count} KiB`,
  mebibytes: (count: string) => `${count} MiB`,
} as const;
