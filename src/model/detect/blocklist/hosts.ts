/** For `/etc/hosts` and its readers. There are no wildcards, so `www.` is listed too. */
import type { BlocklistFormat } from './format.ts';

export const hosts: BlocklistFormat = {
  fileName: 'blocked.hosts',
  contentType: 'text/plain; charset=utf-8',
  description: 'hosts file: each name, and www. before it, at 0.0.0.0',
  head: ({ version }) => `# blocked names, version ${version}\n`,
  lines: (name) => `0.0.0.0 ${name}\n0.0.0.0 www.${name}\n`,
};
