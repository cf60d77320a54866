/** The peer of the benchmarks over HTTP: a bare Fastify route that answers with a given body, and nothing else. */
import Fastify from 'fastify';

const [body = '{}', path = '/v1/account/'] = process.argv.slice(2);
const app = Fastify();
if (path === '/v1/account/') {
  const value: unknown = JSON.parse(body);
  app.get(path, async () => value);
} else {
  app.get(path, (_request, reply) => reply.header('content-type', 'application/x-ndjson').send(body));
}
const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`ready at ${address}\n`);
