/** What an object store has to do for us, tried with a small object that is deleted again. */
import { hash, randomUUID } from 'node:crypto';
import type { EngineCheck } from '../../engine/engine-check.ts';
import { S3Client } from './s3-client.ts';
import type { S3Options } from './s3-requests.ts';

export async function checkS3(options: S3Options): Promise<readonly EngineCheck[]> {
  const check = `the object store answers (${options.endpoint}, bucket ${options.bucket})`;
  try {
    const found = await tryObject(new S3Client(options));
    return [{ check, state: 'ok', advice: '' }, ...found];
  } catch (error) {
    return [{ check, state: 'fail', advice: `${adviceOf(error)}: see store.s3` }];
  }
}

async function tryObject(s3: S3Client): Promise<readonly EngineCheck[]> {
  const key = `checks/${randomUUID()}`;
  await s3.putObject(key, payloadOf('first'));
  try {
    await s3.putObject(key, payloadOf('other'));
    const stored = (await s3.findBytes(key, 0, 100))?.toString();
    const part = (await s3.findBytes(key, 1, 3))?.toString();
    return [
      verdict('the object store reads back what it stored', stored === 'first' || stored === 'other'),
      verdict('the object store never replaces an object (If-None-Match: *)', stored === 'first'),
      verdict('the object store reads parts of objects (Range)', part === stored?.slice(1, 3)),
    ];
  } finally {
    await s3.deleteObject(key);
  }
}

function verdict(check: string, isRight: boolean): EngineCheck {
  return {
    check,
    state: isRight ? 'ok' : 'fail',
    advice: isRight ? '' : 'it does not: use another one, see docs/scaling.md',
  };
}

function payloadOf(text: string) {
  const bytes = Buffer.from(text);
  return { bytes, sha256: hash('sha256', bytes) };
}

function adviceOf(error: unknown): string {
  const { cause = error } = error as Error;
  const { cause: reason = cause } = cause as Error;
  return reason instanceof Error ? reason.message : String(reason);
}
