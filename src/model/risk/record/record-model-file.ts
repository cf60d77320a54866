/**
 * The file format of record models: eight magic bytes, then, compressed with Brotli, the length of a JSON header, the header with the
 * facts, and for each threat a weight for each fact, in thousandths, as little-endian 16-bit integers. A file is validated completely
 * before use.
 */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { Problem } from '../../problem.ts';
import { byThreat, threats } from '../threat.ts';
import type { RecordModel } from './record-model.ts';

/** The digits at the end are the version. */
const magic = 'NGRECS02';
/** Had a base, a weight of the name and a calibration curve for each threat in its header, which are not used any more. */
const earlierMagic = 'NGRECS01';
const unpackedBytesMax = 16 * 1024 * 1024;
const factsMax = 100_000;
const stepsPerOne = 1000;
const stepsMax = 32_767;

const Count = Type.Integer({ minimum: 0 });
const Share = Type.Number({ minimum: 0, maximum: 1 });
const day = Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' });
const Quality = Type.Object({
  bad: Count,
  good: Count,
  auc: Share,
  foundAt: Type.Object({ '0.1': Share, '0.35': Share, '1': Share }),
});
const Head = Type.Object({
  summary: Type.Object({
    seed: Type.Integer(),
    trainedOn: Type.Object({ good: Count, phishing: Count, malware: Count, spam: Count }),
    datesFrom: day,
    datesTo: day,
    quality: Type.Object({
      phishing: Type.Optional(Quality),
      malware: Type.Optional(Quality),
      spam: Type.Optional(Quality),
    }),
  }),
  facts: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: factsMax }),
});
type Head = Static<typeof Head>;

export function encodeRecordModel(model: RecordModel): Uint8Array {
  const head: Head = {
    summary: model.summary,
    facts: [...model.facts],
  };
  const json = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  const weights = threats.map((threat) => stepBytes(model.weights[threat]));
  const body = Buffer.concat([length, json, ...weights]);
  const packed = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
  return Buffer.concat([Buffer.from(magic, 'latin1'), packed]);
}

export function decodeRecordModel(file: Uint8Array): RecordModel {
  const version = Buffer.from(file.subarray(0, magic.length)).toString('latin1');
  if (version !== magic && version !== earlierMagic) throw notAModel();
  const body = unpacked(file.subarray(magic.length));
  if (body.length < 4) throw notAModel();
  const end = 4 + body.readUInt32LE();
  const { summary, facts } = headOf(body.subarray(4, end));
  if (new Set(facts).size !== facts.length || body.length !== end + threats.length * facts.length * 2)
    throw notAModel();
  return {
    summary,
    facts,
    weights: byThreat((threat) => {
      const from = end + threats.indexOf(threat) * facts.length * 2;
      return Float32Array.from(facts, (_, at) => body.readInt16LE(from + at * 2) / stepsPerOne);
    }),
  };
}

function headOf(bytes: Buffer): Head {
  let head: unknown;
  try {
    head = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw notAModel(error);
  }
  if (!Value.Check(Head, head)) throw notAModel();
  return head;
}

function unpacked(packed: Uint8Array): Buffer {
  try {
    return brotliDecompressSync(packed, { maxOutputLength: unpackedBytesMax });
  } catch (error) {
    throw notAModel(error);
  }
}

function stepBytes(weights: Float32Array): Buffer {
  const bytes = Buffer.alloc(weights.length * 2);
  for (const [at, weight] of weights.entries())
    bytes.writeInt16LE(Math.max(-stepsMax, Math.min(stepsMax, Math.round(weight * stepsPerOne))), at * 2);
  return bytes;
}

function notAModel(cause?: unknown): Problem {
  return new Problem(
    'invalid-parameters',
    'the file is not a record model of this version, or it is damaged',
    {
      cause,
    },
  );
}
