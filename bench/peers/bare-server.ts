/**
 * The peer of the benchmarks over HTTP: bare Fastify routes, and nothing else. The argument names a file of recorded answers; after
 * `--stream` it names one that is the answer.
 */
import { createReadStream, readFileSync } from 'node:fs';
import Fastify, { type FastifyInstance } from 'fastify';

interface Answers {
  readonly kind: 'values' | 'bytes';
  readonly contentType: string;
  readonly bodies: Readonly<Record<string, string>>;
}

function addAnswers(app: FastifyInstance, { kind, contentType, bodies }: Answers): void {
  const answers = new Map<string, unknown>(
    Object.entries(bodies).map(([path, body]) => [
      path,
      kind === 'values' ? JSON.parse(body) : Buffer.from(body),
    ]),
  );
  if (kind === 'values') app.get('*', async ({ url }) => answers.get(url));
  else app.get('*', ({ url }, reply) => reply.header('content-type', contentType).send(answers.get(url)));
}

const [first = '', file = ''] = process.argv.slice(2);
const app = Fastify();
if (first === '--stream')
  app.get('*', (_, reply) =>
    reply.header('content-type', 'application/x-ndjson').send(createReadStream(file)),
  );
else addAnswers(app, JSON.parse(readFileSync(first, 'utf8')) as Answers);
const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`ready at ${address}\n`);
