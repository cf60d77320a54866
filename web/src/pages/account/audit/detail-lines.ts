/** What an entry of the audit log says besides, one line for each member. */

const listedMax = 12;

export function detailLines(json: string): readonly string[] {
  let detail: unknown;
  try {
    detail = JSON.parse(json);
  } catch {
    return [json];
  }
  if (typeof detail !== 'object' || detail === null) return [json];
  return Object.entries(detail)
    .filter(([, value]) => !isNothing(value))
    .map(([name, value]) => `${name}: ${textOf(value)}`);
}

function isNothing(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function textOf(value: unknown): string {
  if (!Array.isArray(value)) return typeof value === 'string' ? value : JSON.stringify(value);
  const more = value.length > listedMax ? ', …' : '';
  return value.slice(0, listedMax).map(textOf).join(', ') + more;
}
