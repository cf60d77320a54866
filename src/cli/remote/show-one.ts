/** One thing, as text on a terminal and as a row everywhere else. */
import { wantsColour } from '../listing/colour.ts';
import type { Column } from '../listing/column.ts';
import { detailsText, type Section } from '../listing/details.ts';
import type { Remote } from './remote-command.ts';

const usualColumns = 80;

export interface View<Row extends object> {
  /** For `--fields` and CSV. */
  readonly columns: readonly Column<Row>[];
  readonly sections: (row: Row) => readonly Section[];
}

export async function showAll<Row extends object>(
  rows: AsyncIterable<Row>,
  { columns, sections }: View<Row>,
  { listing, options, needs }: Remote,
): Promise<number> {
  const output = listing(columns);
  const asText = output.format === 'table' && options.fields === undefined;
  let count = 0;
  for await (const row of rows) {
    count += 1;
    if (!asText) await output.add(row);
    else {
      const style = {
        columns: process.stdout.columns || usualColumns,
        colour: wantsColour(options, needs.environment),
      };
      process.stdout.write((count > 1 ? '\n' : '') + detailsText(sections(row), style));
    }
  }
  await output.end();
  return count;
}

export async function showOne<Row extends object>(row: Row, view: View<Row>, remote: Remote): Promise<void> {
  await showAll(
    (async function* () {
      yield row;
    })(),
    view,
    remote,
  );
}
