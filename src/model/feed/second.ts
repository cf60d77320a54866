/** Timestamps of feed records: whole seconds, `YYYY-MM-DDThh:mm:ssZ`. As texts they sort chronologically. */

const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

export function secondText(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** Undefined for any other text, and for days that do not exist. */
export function findSecond(text: string): number | undefined {
  if (!form.test(text)) return undefined;
  const instantMs = Date.parse(text);
  if (Number.isNaN(instantMs)) return undefined;
  const seconds = instantMs / 1000;
  return secondText(seconds) === text ? seconds : undefined;
}
