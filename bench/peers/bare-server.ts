/**
 * The peer of the benchmarks over HTTP: bare Fastify routes, and nothing else. The argument names a file of recorded answers; with
 * `--stream` it names one that is the answer. With `--metrics` it reports its event loop as our servers do.
 */
import { createReadStream, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import Fastify, { type FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Registry } from 'prom-client';

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

function addMetrics(app: FastifyInstance): void {
  const register = new Registry();
  collectDefaultMetrics({ register, prefix: 'nameglass_' });
  app.get('/metrics', () => register.metrics());
}

const { values, positionals } = parseArgs({
  options: { stream: { type: 'boolean' }, metrics: { type: 'boolean' } },
  allowPositionals: true,
});
const [file = ''] = positionals;
const app = Fastify();
if (values.metrics) addMetrics(app);
if (values.stream)
  app.get('*', (_, reply) =>
    reply.header('content-type', 'application/x-ndjson').send(createReadStream(file)),
  );
else addAnswers(app, JSON.parse(readFileSync(file, 'utf8')) as Answers);
const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`ready at ${address}\n`);
