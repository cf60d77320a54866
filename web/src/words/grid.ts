/** Words of tables whose cells can be reached with the arrow keys, of menus, and of fields that complete what is typed. */
import { number } from './language.ts';

export const gridWords = {
  columns: 'Columns',
  chooseColumns: 'Choose columns',
  findColumn: 'Find a column',
  usualColumns: 'The usual ones',
  noSuchColumn: 'No column has that name.',
  selected: (count: number) => `${number(count)} selected`,
  sortedBy: (column: string) => `Sort by ${column}`,
  choices: 'Choices',
} as const;
