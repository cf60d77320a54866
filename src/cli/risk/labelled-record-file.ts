/** Labelled records from a file: a line is a record with `labels`, and optionally `observed`, the time of observation. */

import type { LabelledRecord, RecordLabels } from '../../../tools/risk-model/record-rows.ts';
import { decompress } from '../../collect/input/decompress.ts';
import { readLines } from '../../collect/input/lines.ts';
import { isBlank } from '../../model/channel-line.ts';
import { normaliseRecord } from '../../model/record/normalise.ts';
import { type Threat, threats } from '../../model/risk/threat.ts';
import { openInput } from '../import/input-file.ts';

export interface LabelledLine {
  /** Such as `line 12`. */
  readonly position: string;
  /** The record, or why the line is malformed. */
  readonly outcome: LabelledRecord | string;
}

/** In batches. */
export async function* scanLabelledRecords(
  file: string,
  nowMs: number,
): AsyncGenerator<readonly LabelledLine[]> {
  for await (const { firstNumber, lines } of readLines(decompress(openInput(file).bytes()))) {
    yield lines.flatMap((line, index) =>
      line !== undefined && isBlank(line)
        ? []
        : [{ position: `line ${firstNumber + index}`, outcome: labelledRecord(line, nowMs) }],
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
  if (!found) return 'labels: expected ["good"], or one or more of ["phishing", "malware", "spam"]';
  const observedMs = observed === undefined ? nowMs : Date.parse(String(observed));
  if (Number.isNaN(observedMs)) return 'observed: expected a time such as 2027-01-31T12:00:00Z';
  if (typeof weight !== 'number' || !(weight >= 0 && weight <= weightMax)) return 'weight: expected a number';
  const made = normaliseRecord(members);
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
