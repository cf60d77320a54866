/** One line per domain: the name alone, or the plain record as JSON, which `nameglass import records` reads. */
import { defang } from '../../model/defang.ts';
import { defangAll } from './defang.ts';
import type { ExportFormat } from './export-format.ts';

export const plainFormat: ExportFormat = {
  extension: 'txt',
  contentType: 'text/plain; charset=utf-8',
  canDefang: true,
  open: ({ defanged }) => ({
    begin: '',
    domain: ({ record }) => `${defanged ? defang(record.domain) : record.domain}\n`,
    end: '',
  }),
};

export const ndjsonFormat: ExportFormat = {
  extension: 'ndjson',
  contentType: 'application/x-ndjson; charset=utf-8',
  canDefang: true,
  open: ({ defanged }) => ({
    begin: '',
    domain: ({ record }) => `${JSON.stringify(defanged ? defangAll(record) : record)}\n`,
    end: '',
  }),
};
