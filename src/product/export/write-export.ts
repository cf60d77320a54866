/** Writes domains in a format, batch after batch, yielding to the event loop in between. */
import { TimeSlice } from '../../concurrency/time-slice.ts';
import { csvFormat } from './csv-format.ts';
import type { ExportContext, ExportedDomain, ExportFormat } from './export-format.ts';
import { ndjsonFormat, plainFormat } from './line-formats.ts';
import { stixFormat } from './stix-format.ts';

export const exportFormats = {
  csv: csvFormat,
  ndjson: ndjsonFormat,
  stix: stixFormat,
  txt: plainFormat,
} as const satisfies Readonly<Record<string, ExportFormat>>;

/** Nothing is read before it is asked for, and closing the result closes `batches`. */
export async function* writeExport(
  batches: AsyncIterable<readonly ExportedDomain[]>,
  format: ExportFormat,
  context: ExportContext,
): AsyncGenerator<Uint8Array> {
  const slice = new TimeSlice();
  const writer = format.open(context);
  yield Buffer.from(writer.begin);
  for await (const batch of batches) {
    const texts: string[] = [];
    for (const domain of batch) {
      texts.push(writer.domain(domain));
      await slice.yieldIfOver();
    }
    yield Buffer.from(texts.join(''));
  }
  yield Buffer.from(writer.end);
}
