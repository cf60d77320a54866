/**
 * Links to the MISP feeds of an account: `/misp/<account>/<edition>/<list>/Signature=<text>`. MISP appends `/manifest.json` and other names to the
 * URL of a feed, so the signature is part of the path, and covers the directory. Links do not expire; a new edition of the blocklists revokes them.
 */
import { Problem } from '../../model/problem.ts';
import { split } from '../address.ts';
import { permanentSignature } from '../links/signature-schemes.ts';
import type { LinkOptions } from '../links/signed-links.ts';

export interface MispFeedTarget {
  readonly accountId: string;
  readonly edition: number;
  readonly selection: string;
}

export const mispFeedPrefix = '/misp';

export class MispFeedLinks {
  readonly #options: LinkOptions;
  readonly #scheme;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#scheme = permanentSignature(options.linkKey, 'MISP feeds');
  }

  /** The URL to enter in MISP, without a slash at its end. */
  make({ accountId, edition, selection }: MispFeedTarget): string {
    const { baseUrl, mountPrefix } = this.#options;
    const path = `${mountPrefix}${mispFeedPrefix}/${accountId}/${edition}/${selection}`;
    const host = new URL(baseUrl()).host;
    return `${baseUrl()}${path}/${this.#scheme.sign({ host, path, parameters: {} })}`;
  }

  /** What the URL names, exactly as it was sent, and the file below it. */
  getTarget(originalUrl: string, nowMs: number): MispFeedTarget & { readonly file: string } {
    const { baseUrl, mountPrefix } = this.#options;
    const { path } = split(originalUrl);
    const [directory = '', signature = '', file = ''] =
      /^(.*)\/(Signature(?:=|%3D)[^/]*)\/+([^/]*)$/i.exec(path)?.slice(1) ?? [];
    const request = { host: new URL(baseUrl()).host, path: directory };
    const query = signature.replace(/%3D/i, '=');
    if (this.#scheme.verify(query, request, nowMs) !== 'valid') {
      const advice = 'Use the link exactly as you received it.';
      throw new Problem('credentials-invalid', `The signature does not match the URL. ${advice}`);
    }
    const [accountId = '', edition, selection = ''] = directory
      .slice(mountPrefix.length + mispFeedPrefix.length + 1)
      .split('/');
    return { accountId, edition: Number(edition), selection, file };
  }
}
