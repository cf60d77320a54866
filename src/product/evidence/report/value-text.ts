/** A value of the timeline in a few words. The whole value is in evidence.json. */
import { plainText } from '../plain-text.ts';

const lengthMax = 160;
const listedMax = 6;

/** The member that stands for a part of a record, first found. */
const representative = [
  'address',
  'host',
  'common_name',
  'hash',
  'registrar',
  'name',
  'create_date',
] as const;

export function valueText(value: unknown): string {
  if (value === undefined || value === null) return '–';
  if (Array.isArray(value)) {
    const texts = value.slice(0, listedMax).map(valueText);
    const more = value.length - texts.length;
    return plainText(`${texts.join(', ')}${more > 0 ? ` and ${more} more` : ''}`, lengthMax);
  }
  if (typeof value !== 'object') return plainText(String(value), lengthMax);
  const members = value as Readonly<Record<string, unknown>>;
  if (typeof members['risk_score'] === 'number') return `score ${members['risk_score']}`;
  const name = representative.find((member) => typeof members[member] === 'string');
  return plainText(name === undefined ? JSON.stringify(value) : String(members[name]), lengthMax);
}
