/** Labelled records from a file: a line is a record, with `labels`, and where it is known with `observed`, when it was looked at. */
import { readLines } from '../../collect/rrset-formats/lines.ts';
import { plainBytes } from '../../collect/rrset-formats/plain-bytes.ts';
import { isBlank } from '../../model/channel-line.ts';
import { normalise } from '../../model/record/normalise.ts';
import { type Threat, threats } from '../../model/risk/threat.ts';
import type { LabelledRecord, RecordLabels } from '../../model/risk/train/record-rows.ts';
import { openInput } from '../import/input-file.ts';

export interface LabelledLine {
  readonly place: string;
  /** Or why it is none. */
  readonly outcome: LabelledRecord | string;
}

/** Some at a time. */
export async function* scanLabelledRecords(
  file: string,
  nowMs: number,
): AsyncGenerator<readonly LabelledLine[]> {
  for await (const { firstNumber, lines } of readLines(plainBytes(openInput(file).bytes()))) {
    yield lines.flatMap((line, index) =>
      line !== undefined && isBlank(line)
        ? []
        : [{ place: `line ${firstNumber + index}`, outcome: labelledRecord(line, nowMs) }],
    );
  }
}

function labelledRecord(line: string | undefined, nowMs: number): LabelledRecord | string {
  if (line === undefined) return 'is too long';
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'is not valid JSON';
  }
  if (typeof value !== 'object' || value === null) return 'is not a JSON object';
  const { labels, observed, weight = 1, identities = true, ...members } = value as Record<string, unknown>;
  const found = findLabels(labels);
  if (!found) return 'labels: say ["good"], or some of ["phishing", "malware", "spam"]';
  const observedMs = observed === undefined ? nowMs : Date.parse(String(observed));
  if (Number.isNaN(observedMs)) return 'observed: say a time, as 2027-01-31T12:00:00Z';
  if (typeof weight !== 'number' || !(weight >= 0 && weight <= weightMax)) return 'weight: say a number';
  const made = normalise(members);
  if ('faults' in made) return made.faults.join('; ');
  return {
    record: made.record,
    nowMs: observedMs,
    labels: found,
    weight,
    hasIdentities: identities !== false,
  };
}

const weightMax = 1_000_000;

function findLabels(labels: unknown): RecordLabels | undefined {
  if (!Array.isArray(labels) || labels.length === 0) return undefined;
  if (labels.length === 1 && labels[0] === 'good') return 'good';
  const isThreat = (label: unknown): label is Threat => (threats as readonly unknown[]).includes(label);
  return labels.every(isThreat) ? labels : undefined;
}
