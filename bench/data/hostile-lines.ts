/** Observations as COF lines that make flexible search as costly as possible: TXT records of 16 strings of 250 random letters a and b. */
import { appendFileSync } from 'node:fs';

const strings = 16;
const stringLength = 250;
const linesPerWrite = 100;

export function appendHostileLines(file: string, count: number): void {
  let state = 88_172_645;
  const letter = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state & 1) === 0 ? 'a' : 'b';
  };
  const string = () => `"${Array.from({ length: stringLength }, letter).join('')}"`;
  for (let at = 0; at < count; at += linesPerWrite) {
    const lines = Array.from({ length: Math.min(linesPerWrite, count - at) }, (_, index) => {
      const rdata = [Array.from({ length: strings }, string).join(' ')];
      const times = { time_first: 1_700_000_000, time_last: 1_700_000_000, count: 1 };
      return `${JSON.stringify({ rrname: `t${at + index}.hostile.example.`, rrtype: 'TXT', rdata, ...times })}\n`;
    });
    appendFileSync(file, lines.join(''));
  }
}

/** A name to look up meanwhile. */
export const probedName = 'probe.example';

export function appendProbedLine(file: string): void {
  const times = { time_first: 1_700_000_000, time_last: 1_700_000_000, count: 1 };
  const line = { rrname: `${probedName}.`, rrtype: 'A', rdata: ['192.0.2.1'], ...times };
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}
