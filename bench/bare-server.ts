/** The peer of the http benchmark: a bare Fastify route that answers with a given body, and nothing else. */
import Fastify from 'fastify';

const body: unknown = JSON.parse(process.argv[2] ?? '{}');
const app = Fastify();
app.get('/v1/account/', async () => body);
const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`ready at ${address}\n`);
