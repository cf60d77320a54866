/**
 * Exports all domains of a search as a file. It counts as many requests to Investigate as the domains have pages, like reading them over the API. A
 * search that matches more than an export holds is refused: a file that lacks some would be taken for the whole.
 */
import { fieldProblem, Problem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { exportFormats, writeExport } from '../../../product/export/write-export.ts';
import { scanResults } from '../../../product/investigate/results/scan-results.ts';
import { canonicalText } from '../../../product/investigate/search-text.ts';
import { tagReader } from '../../../product/investigate/tags.ts';
import type { DomainStore } from '../../../store/domain-store.ts';
import { acceptsGzip } from '../../compression.ts';
import type { LogRequest } from '../../request-log.ts';
import { sendChunks } from '../../send-chunks.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { searchProduct } from './charged-searches.ts';
import { getWebSearch } from './read-search.ts';
import { chargeRequests, type LimitNeeds } from './search-limits.ts';
import { ExportOptions } from './search-wire.ts';

export interface ExportNeeds extends LimitNeeds {
  readonly domains: Pick<DomainStore, 'countMatches' | 'getRecords' | 'search' | 'tagsOf'>;
  readonly settings: Pick<Settings, 'feeds' | 'limits' | 'sharing'>;
  readonly linkKey: Buffer;
  readonly logAbandoned: LogRequest;
}

export function exportOperation(needs: ExportNeeds): WebOperation {
  const { domains, settings } = needs;
  const { matchesMax, pageSizeMax } = settings.limits.investigate;
  return defineWebOperation({
    method: 'GET',
    path: '/export',
    access: 'read',
    product: searchProduct,
    summary: 'All domains of a search as a file',
    query: ExportOptions,
    respond: async ({ query, request, reply, caller, nowMs }) => {
      const format = exportFormats[query.as];
      const defanged = query.defang ?? false;
      if (defanged && !format.canDefang)
        throw fieldProblem('invalid-parameters', 'defang', `is not for ${query.as}, which programs act on`);
      const { text, condition } = getWebSearch({ request, caller, nowMs }, ExportOptions, needs);
      const matches = await domains.search(condition, { by: 'domain', descending: false }, matchesMax);
      if (matches.total === 'too-many') throw tooMany(await domains.countMatches(condition), matchesMax);
      await chargeRequests(caller, Math.max(1, Math.ceil(matches.total / pageSizeMax)), needs, nowMs);
      const subject = canonicalText(text);
      const context = { account: caller.account, subject, nowMs, defanged, marking: settings.sharing.tlp };
      const results = scanResults(matches.ids, tagReader(caller, nowMs), domains);
      const options = {
        status: 200,
        headers: {
          'content-type': format.contentType,
          'content-disposition': `attachment; filename="${fileName(matches.total, context, format.extension)}"`,
          'x-export-domains': String(matches.total),
          'cache-control': 'no-store',
        },
        gzip: acceptsGzip(request.headers['accept-encoding']),
        stalledSeconds: settings.feeds.stalledSeconds,
        startsWithChunk: true,
        logAbandoned: needs.logAbandoned,
      };
      await sendChunks(request, reply, options, writeExport(results, format, context));
      return reply;
    },
  });
}

function tooMany(total: number, max: number): Problem {
  const message = `The search matches ${total} domains, and an export holds at most ${max}. Narrow the search first.`;
  return new Problem('request-too-large', message, { members: { total, export_max: max } });
}

/** Such as `nameglass-312-domains-defanged-20261116T101112Z.csv`. */
function fileName(
  total: number,
  { nowMs, defanged }: { readonly nowMs: number; readonly defanged: boolean },
  extension: string,
): string {
  const at = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return `nameglass-${total}-domains${defanged ? '-defanged' : ''}-${at}.${extension}`;
}
