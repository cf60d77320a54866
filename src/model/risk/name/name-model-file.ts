/**
 * The file format of risk models: eight magic bytes, then, compressed with Brotli, the length of a JSON header, the header, and the
 * arrays that it describes, little-endian. A file is validated completely before use: trees that refer to unknown features, or a
 * calibration curve that is not monotonic, are rejected.
 */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { Problem } from '../../problem.ts';
import { decodeRecordModel, encodeRecordModel } from '../record/record-model-file.ts';
import { byThreat, type Threat, threats } from '../threat.ts';
import { binsMax } from './feature-bins.ts';
import { modelSlotBits } from './hashed-weights.ts';
import { letterSymbols } from './letter-model.ts';
import { featureCount } from './name-features.ts';
import type { ModelSummary, RiskModel } from './name-model.ts';
import { capCount, stemBits } from './single-words.ts';
import { allNodes, innerNodes } from './tree-ensemble.ts';

/** The digits at the end are the version; it changes whenever features are computed differently. */
const magic = 'NGRISK04';
const anyVersion = /^NGRISK\d\d$/;
const unpackedBytesMax = 64 * 1024 * 1024;
const headBytesMax = 262_144;
const treesMax = 2000;
const knotsMax = 4096;
const bucketsMax = 2 ** 23;
const suffixesMax = 10_000;
const recordBytesMax = 4 * 1024 * 1024;

interface ThreatHead {
  readonly trees: number;
  readonly knots: number;
}

interface Head {
  readonly summary: ModelSummary;
  readonly suffixes: readonly string[];
  readonly buckets: number;
  readonly step: number;
  readonly edges: readonly number[];
  readonly threats: Readonly<Record<Threat, ThreatHead>>;
  /** Bytes of the record model, which comes last; absent if there is none. */
  readonly records?: number;
}

export function encodeModel(model: RiskModel): Buffer {
  const records = model.records ? encodeRecordModel(model.records) : undefined;
  const head: Head = {
    summary: model.summary,
    suffixes: model.suffixes.suffixes,
    buckets: model.cells.values.length >> model.cells.slotBits,
    step: model.cells.step,
    edges: model.edges.map(({ length }) => length),
    threats: byThreat((threat) => ({
      trees: model.trees[threat].trees,
      knots: model.curves[threat].logOdds.length,
    })),
    ...(records ? { records: records.length } : {}),
  };
  const json = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  const arrays = threats.flatMap((threat) => {
    const { features, bins, values } = model.trees[threat];
    const { logOdds, evidence } = model.curves[threat];
    return [
      columnOf(model.cells, threats.indexOf(threat)),
      features,
      bins,
      floatBytes(values),
      floatBytes(logOdds),
      floatBytes(evidence),
    ];
  });
  const body = Buffer.concat([
    length,
    json,
    model.letters,
    model.singleWords.stems,
    floatBytes(model.singleWords.caps),
    floatBytes(model.suffixes.weights),
    ...model.edges.map(floatBytes),
    ...arrays,
    ...(records ? [records] : []),
  ]);
  const packed = brotliCompressSync(body, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
  });
  return Buffer.concat([Buffer.from(magic, 'latin1'), packed]);
}

export function decodeModel(file: Uint8Array): RiskModel {
  const begins = Buffer.from(file.subarray(0, magic.length)).toString('latin1');
  if (begins !== magic) throw anyVersion.test(begins) ? otherVersion() : notAModel();
  const reader = new Reader(unpacked(file.subarray(magic.length)));
  const head = readHead(reader);
  const letters = reader.bytes(letterSymbols ** 3);
  const singleWords = { stems: reader.bytes(2 ** stemBits), caps: reader.floats(capCount) };
  const suffixes = { suffixes: head.suffixes, weights: reader.floats(head.suffixes.length * threats.length) };
  const edges = head.edges.map((length) => reader.floats(bounded(length, binsMax - 1)));
  if (!edges.every(isAscending)) throw notAModel();
  const values = new Int8Array(head.buckets << modelSlotBits);
  const read = threats.map((threat, slot) => {
    fillColumn(values, slot, reader.bytes(head.buckets));
    return readThreat(reader, head.threats[threat]);
  });
  const records =
    head.records === undefined
      ? undefined
      : decodeRecordModel(reader.bytes(bounded(head.records, recordBytesMax)));
  if (!reader.isAtEnd) throw notAModel();
  const of = <Key extends keyof (typeof read)[number]>(key: Key) =>
    byThreat((threat) => (read[threats.indexOf(threat)] as (typeof read)[number])[key]);
  const { summary, step } = head;
  const cells = { values, slotBits: modelSlotBits, step };
  return {
    summary,
    suffixes,
    letters,
    singleWords,
    edges,
    cells,
    trees: of('trees'),
    curves: of('curve'),
    ...(records ? { records } : {}),
  };
}

function readThreat(reader: Reader, head: ThreatHead) {
  const trees = bounded(head.trees, treesMax);
  const features = reader.bytes(trees * innerNodes);
  const bins = reader.bytes(trees * innerNodes);
  if (features.some((feature) => feature >= featureCount)) throw notAModel();
  const values = reader.floats(trees * allNodes);
  const knots = bounded(head.knots, knotsMax);
  const curve = { logOdds: reader.floats(knots), evidence: reader.floats(knots) };
  if (!isAscending(curve.logOdds) || !isAscending(curve.evidence)) throw notAModel();
  return { trees: { trees, features, bins, values }, curve };
}

function readHead(reader: Reader): Head {
  const length = bounded(reader.length(), headBytesMax);
  let head: Partial<Head>;
  try {
    head = JSON.parse(Buffer.from(reader.bytes(length)).toString('utf8')) as Partial<Head>;
  } catch (error) {
    throw notAModel(error);
  }
  const { summary, suffixes, edges, buckets = 0, step, threats: kinds } = head ?? {};
  const isWhole =
    typeof summary?.trainedOn === 'object' &&
    typeof summary.quality === 'object' &&
    Array.isArray(suffixes) &&
    suffixes.length <= suffixesMax &&
    suffixes.every((suffix) => typeof suffix === 'string') &&
    Number.isInteger(Math.log2(buckets)) &&
    buckets <= bucketsMax &&
    Number.isFinite(step) &&
    Array.isArray(edges) &&
    edges.length === featureCount &&
    threats.every((threat) => typeof kinds?.[threat] === 'object' && kinds[threat] !== null);
  if (!isWhole) throw notAModel();
  return head as Head;
}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  length(): number {
    return Buffer.from(this.bytes(4)).readUInt32LE();
  }

  bytes(count: number): Uint8Array {
    const end = this.#at + count;
    if (end > this.#bytes.length) throw notAModel();
    const bytes = new Uint8Array(this.#bytes.subarray(this.#at, end));
    this.#at = end;
    return bytes;
  }

  floats(count: number): Float32Array {
    const bytes = Buffer.from(this.bytes(count * 4));
    const floats = Float32Array.from({ length: count }, (_, at) => bytes.readFloatLE(at * 4));
    if (!floats.every(Number.isFinite)) throw notAModel();
    return floats;
  }
}

function unpacked(packed: Uint8Array): Buffer {
  try {
    return brotliDecompressSync(packed, { maxOutputLength: unpackedBytesMax });
  } catch (error) {
    throw notAModel(error);
  }
}

/** The weights of one threat as a column, which compresses better. */
function columnOf({ values, slotBits }: RiskModel['cells'], slot: number): Uint8Array {
  return Uint8Array.from(
    { length: values.length >> slotBits },
    (_, bucket) => values[(bucket << slotBits) + slot] as number,
  );
}

function fillColumn(values: Int8Array, slot: number, weights: Uint8Array): void {
  for (let bucket = 0; bucket < weights.length; bucket += 1)
    values[(bucket << modelSlotBits) + slot] = weights[bucket] as number;
}

function floatBytes(floats: Float32Array): Buffer {
  const bytes = Buffer.alloc(floats.length * 4);
  for (const [at, value] of floats.entries()) bytes.writeFloatLE(value, at * 4);
  return bytes;
}

function isAscending(values: Float32Array): boolean {
  return values.every((value, at) => at === 0 || value >= (values[at - 1] as number));
}

function bounded(count: number, max: number): number {
  if (!Number.isInteger(count) || count < 0 || count > max) throw notAModel();
  return count;
}

function otherVersion(): Problem {
  return new Problem(
    'invalid-parameters',
    'the file is a risk model of another version of Nameglass: write a new one with risk train',
  );
}

function notAModel(cause?: unknown): Problem {
  return new Problem('invalid-parameters', 'the file is not a risk model of this version, or it is damaged', {
    cause,
  });
}
