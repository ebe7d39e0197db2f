import { createServer } from 'node:http';

/**
 * A bare server on a free port, which it prints.
 * @param answer makes the text of an answer of a request's head, its text, the time at which it came, and the response
 */
export function serve(answer) {
  const respond = async (request, response, text, at) => {
    const body = await answer(request, text, at, response);
    response.writeHead(response.statusCode, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    response.end(body);
  };
  const server = createServer((request, response) => {
    const at = Number(process.hrtime.bigint()) / 1e6;
    if (request.method === 'GET') return void respond(request, response, '', at);
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => void respond(request, response, Buffer.concat(chunks).toString(), at));
  });
  server.listen(0, '127.0.0.1', () => console.log(`Listening on http://127.0.0.1:${server.address().port}`));
  process.on('SIGTERM', () => process.exit(0));
}
