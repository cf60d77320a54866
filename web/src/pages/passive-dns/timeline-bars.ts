/** Where the bars of a timeline begin and how long they are, in percent of the time between the first and the last sighting of all. */

interface Sighted {
  readonly first: string;
  readonly last: string;
}

export interface TimelineBar<Record> {
  readonly record: Record;
  readonly left: number;
  readonly width: number;
}

export function barsOf<Record extends Sighted>(records: readonly Record[]) {
  const times = records.flatMap(({ first, last }) => [Date.parse(first), Date.parse(last)]);
  const start = Math.min(...times);
  const end = Math.max(...times);
  const percent = (ms: number): number => (end === start ? 0 : (ms / (end - start)) * 100);
  const bars: TimelineBar<Record>[] = records.map((record) => ({
    record,
    left: percent(Date.parse(record.first) - start),
    width: end === start ? 100 : percent(Date.parse(record.last) - Date.parse(record.first)),
  }));
  const time = (ms: number): string => new Date(ms).toISOString();
  return { bars, first: time(start), last: time(end) };
}
