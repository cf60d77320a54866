/**
 * CSV for spreadsheets: with a byte order mark, without which some take UTF-8 for another encoding, and with nothing that they would
 * calculate (`csv-row.ts`).
 */
import { domainToUnicode } from 'node:url';
import { defang } from '../../model/defang.ts';
import { csvRow, headerRow } from '../../model/feed/csv-row.ts';
import { tableCells, tableTitles } from '../../model/record/record-table.ts';
import { shownRecord } from '../../model/record/shown-record.ts';
import type { ExportFormat } from './export-format.ts';

const [first = 'domain', ...others] = tableTitles;
const titles: readonly string[] = [first, 'punycode', ...others];

/** Columns that contain names and addresses. */
const indicators = [
  'domain',
  'punycode',
  'registrant_email',
  'ip',
  'name_server',
  'mx',
  'soa_email',
  'ssl_common_name',
  'redirect_domain',
];

export const csvFormat: ExportFormat = {
  extension: 'csv',
  contentType: 'text/csv; charset=utf-8',
  canDefang: true,
  open: ({ defanged }) => ({
    begin: `\ufeff${headerRow(titles)}`,
    domain: ({ record, tags }) => {
      const punycode = record.domain;
      const shown = {
        ...shownRecord(record),
        domain: domainToUnicode(punycode) || punycode,
        tags: tags.map((label) => ({ label })),
      };
      const cells: Record<string, unknown> = { ...tableCells(shown), punycode };
      if (defanged) for (const title of indicators) cells[title] = defang(String(cells[title] ?? ''));
      return csvRow(cells, titles);
    },
    end: '',
  }),
};
