/** Nothing that is measured reads or writes objects: feeds move to S3 minutes later, by workers. Nobody listens at this address. */
import type { S3Options } from '../../src/store/distributed/s3/s3-requests.ts';

export const unusedS3: S3Options = {
  endpoint: 'http://127.0.0.1:9',
  bucket: 'nameglass',
  region: 'us-east-1',
  pathStyle: true,
  accessKey: 'none',
  secretKey: 'none',
  prefix: '',
};
