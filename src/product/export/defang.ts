/** Exports with every indicator defanged. */
import { defang } from '../../model/defang.ts';

const instant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Every text of a value, however deep; times stay as they are. */
export function defangAll(value: unknown): unknown {
  if (typeof value === 'string') return instant.test(value) ? value : defang(value);
  if (Array.isArray(value)) return value.map(defangAll);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, defangAll(member)]));
}
