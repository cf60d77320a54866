/** What an error of ClickHouse means for the one who asked. */

export class ClickHouseError extends Error {
  override readonly name = 'ClickHouseError';
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}

/** Numbers of https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp */
export const errorCodes = {
  cannotReadAllData: 33,
  checksumDoesntMatch: 40,
  logicalError: 49,
  tooManyQueries: 202,
  networkError: 210,
  memoryLimit: 241,
  tooManyParts: 252,
  cannotDecompress: 271,
  corruptedData: 246,
  allConnectionsFailed: 279,
  noKeeper: 225,
  tableIsReadOnly: 242,
  tooFewReplicas: 285,
  quorumIsBusy: 286,
  replicaIsNotInQuorum: 289,
  unknownStatusOfInsert: 319,
  cannotKill: 380,
  queryWasCancelled: 394,
  keeperError: 999,
} as const;

/** The server is busy, or a server behind it, another replica or ClickHouse Keeper is away. */
const away: ReadonlySet<number> = new Set([
  errorCodes.tooManyQueries,
  errorCodes.networkError,
  errorCodes.memoryLimit,
  errorCodes.tooManyParts,
  errorCodes.allConnectionsFailed,
  errorCodes.noKeeper,
  errorCodes.tableIsReadOnly,
  errorCodes.tooFewReplicas,
  errorCodes.quorumIsBusy,
  errorCodes.replicaIsNotInQuorum,
  errorCodes.unknownStatusOfInsert,
  errorCodes.keeperError,
]);

/** Stored data is not what was written. */
const damage: ReadonlySet<number> = new Set([
  errorCodes.cannotReadAllData,
  errorCodes.checksumDoesntMatch,
  errorCodes.cannotDecompress,
  errorCodes.corruptedData,
]);

export function isAwayCode(code: number): boolean {
  return away.has(code);
}

export function isDamageCode(code: number): boolean {
  return damage.has(code);
}

/** The error in the body of an answer: `Code: 60. DB::Exception: …`, with a comma in old versions. */
export function errorIn(body: Buffer): ClickHouseError {
  const text = body.subarray(0, 2000).toString();
  const code = Number(/^Code: (\d+)/.exec(text)?.[1] ?? 0);
  return new ClickHouseError(`ClickHouse answered: ${text.trim().slice(0, 500)}`, code);
}
