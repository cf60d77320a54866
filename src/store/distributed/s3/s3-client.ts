/** The few operations of an S3 object store that we need. Nothing here holds more in memory than the part that a caller gives or asks for. */
import { hash } from 'node:crypto';
import { codeOf, elementOf, type Payload, type S3Options, S3Requests } from './s3-requests.ts';

/** The largest object that is written in one request, and the size of the parts of a larger one. */
export const partBytes = 8 << 20;

export class S3Client {
  readonly #requests: S3Requests;

  constructor(options: S3Options) {
    this.#requests = new S3Requests(options);
  }

  /** For messages. */
  nameOf(key: string): string {
    return this.#requests.nameOf(key);
  }

  /** Never replaces an object. The key must be new: where it exists, an earlier attempt of this call has written it. */
  async putObject(key: string, payload: Payload): Promise<void> {
    const headers = { 'if-none-match': '*' };
    await this.#requests.send({ method: 'PUT', key, headers, payload, expected: [412] });
  }

  /** Undefined where there is no such object; shorter where it ends before. */
  async findBytes(key: string, from: number, to: number): Promise<Buffer | undefined> {
    if (to <= from) return (await this.findSize(key)) === undefined ? undefined : Buffer.alloc(0);
    const headers = { range: `bytes=${from}-${to - 1}` };
    const answer = await this.#requests.send({ method: 'GET', key, headers, expected: [404, 416] });
    if (answer.status === 404) return undefined;
    if (answer.status === 416) return Buffer.alloc(0);
    return answer.status === 206 ? answer.body : answer.body.subarray(from, to);
  }

  async findSize(key: string): Promise<number | undefined> {
    const { status, headers } = await this.#requests.send({ method: 'HEAD', key, expected: [404] });
    return status === 404 ? undefined : Number(headers.get('content-length'));
  }

  async deleteObject(key: string): Promise<void> {
    await this.#requests.send({ method: 'DELETE', key, expected: [404] });
  }

  /** Returns the id of the upload. */
  async beginUpload(key: string): Promise<string> {
    const { body } = await this.#requests.send({ method: 'POST', key, query: { uploads: '' } });
    return elementOf(body.toString(), 'UploadId');
  }

  /** Parts count from 1. Returns what `completeUpload` needs of it. */
  async putPart(key: string, uploadId: string, part: number, payload: Payload): Promise<string> {
    const query = { partNumber: String(part), uploadId };
    const { headers } = await this.#requests.send({ method: 'PUT', key, query, payload });
    return headers.get('etag') ?? '';
  }

  async completeUpload(key: string, uploadId: string, tags: readonly string[]): Promise<void> {
    const parts = tags.map(
      (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
    );
    const bytes = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
    const payload = { bytes, sha256: hash('sha256', bytes) };
    // Where the upload is gone, an earlier attempt of this call has completed it: then the object is there.
    const { status, body } = await this.#requests.send({
      method: 'POST',
      key,
      query: { uploadId },
      payload,
      expected: [404],
    });
    const isRefused = status === 200 && body.includes('<Error>');
    if (isRefused || (status === 404 && (await this.findSize(key)) === undefined))
      throw new Error(`the object store did not complete ${this.nameOf(key)}: ${codeOf(body)}`);
  }

  async abortUpload(key: string, uploadId: string): Promise<void> {
    await this.#requests.send({ method: 'DELETE', key, query: { uploadId }, expected: [404] });
  }
}
