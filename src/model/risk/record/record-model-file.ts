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

/** The digits at the end are the version; it changes whenever facts are computed differently. */
const magic = 'NGRECS01';
const unpackedBytesMax = 16 * 1024 * 1024;
const factsMax = 100_000;
const knotsMax = 1000;
const stepsPerOne = 1000;
const stepsMax = 32_767;
const weightMax = 1000;

const Count = Type.Integer({ minimum: 0 });
const Share = Type.Number({ minimum: 0, maximum: 1 });
const Weight = Type.Number({ minimum: -weightMax, maximum: weightMax });
const day = Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' });
const Quality = Type.Object({
  bad: Count,
  good: Count,
  auc: Share,
  foundAt: Type.Object({ '0.1': Share, '0.35': Share, '1': Share }),
});
const ofThreats = <Kind extends Parameters<typeof Type.Array>[0]>(kind: Kind) =>
  Type.Object({ phishing: kind, malware: kind, spam: kind });

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
  threats: ofThreats(
    Type.Object({
      base: Weight,
      nameWeight: Weight,
      /** The calibration curve. */
      knots: Type.Array(Type.Object({ logOdds: Weight, share: Share }), { minItems: 1, maxItems: knotsMax }),
    }),
  ),
});
type Head = Static<typeof Head>;

export function encodeRecordModel(model: RecordModel): Uint8Array {
  const head: Head = {
    summary: model.summary,
    facts: [...model.facts],
    threats: byThreat((threat) => {
      const { base, nameWeight, curve } = model.threats[threat];
      return {
        base,
        nameWeight,
        knots: Array.from(curve.logOdds, (logOdds, at) => ({
          logOdds,
          share: curve.shares[at] as number,
        })),
      };
    }),
  };
  const json = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  const weights = threats.map((threat) => stepBytes(model.threats[threat].factWeights));
  const body = Buffer.concat([length, json, ...weights]);
  const packed = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
  return Buffer.concat([Buffer.from(magic, 'latin1'), packed]);
}

export function decodeRecordModel(file: Uint8Array): RecordModel {
  if (Buffer.from(file.subarray(0, magic.length)).toString('latin1') !== magic) throw notAModel();
  const body = unpacked(file.subarray(magic.length));
  if (body.length < 4) throw notAModel();
  const end = 4 + body.readUInt32LE();
  const { summary, facts, threats: kinds } = headOf(body.subarray(4, end));
  if (new Set(facts).size !== facts.length || body.length !== end + threats.length * facts.length * 2)
    throw notAModel();
  return {
    summary,
    facts,
    threats: byThreat((threat) => {
      const { base, nameWeight, knots } = kinds[threat];
      const from = end + threats.indexOf(threat) * facts.length * 2;
      const curve = {
        logOdds: Float32Array.from(knots, ({ logOdds }) => logOdds),
        shares: Float32Array.from(knots, ({ share }) => share),
      };
      if (!isAscending(curve.logOdds) || !isAscending(curve.shares)) throw notAModel();
      const factWeights = Float32Array.from(facts, (_, at) => body.readInt16LE(from + at * 2) / stepsPerOne);
      return { base, nameWeight, factWeights, curve };
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

function isAscending(values: Float32Array): boolean {
  return values.every((value, at) => at === 0 || value >= (values[at - 1] as number));
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
