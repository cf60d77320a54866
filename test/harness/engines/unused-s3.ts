import type { S3Options } from '../../../src/store/distributed/s3/s3-requests.ts';

/** For tests that need no object: nothing answers there. */
export const unusedS3: S3Options = {
  endpoint: 'http://127.0.0.1:9',
  bucket: 'nameglass',
  region: 'us-east-1',
  pathStyle: true,
  accessKey: 'unused',
  secretKey: 'unused',
  prefix: '',
};
