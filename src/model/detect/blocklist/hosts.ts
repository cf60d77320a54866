/** For `/etc/hosts` and its readers. There are no wildcards, so `www.` is listed too. */
import type { BlocklistFormat } from './format.ts';

export const hosts: BlocklistFormat = {
  extension: 'hosts',
  contentType: 'text/plain; charset=utf-8',
  description: 'hosts file: each name, and www. before it, at 0.0.0.0',
  head: ({ selection, serial }) =>
    `# blocklist ${selection}, version ${serial}: each name and www. before it; other names below it are not covered\n`,
  lines({ name, kind, isWwwAllowed }) {
    if (kind === 'passed') return '';
    return `0.0.0.0 ${name}\n${isWwwAllowed ? '' : `0.0.0.0 www.${name}\n`}`;
  },
};
