// Serves the chat page chat.html, and passes its requests on to the service with an API key that the page never sees. Node alone, no
// packages:
//
//   BASE_URL='https://…' KEY='sk_…' PORT=4100 node docs/examples/chat.mjs
//
// For a machine of your own: whoever reaches it may talk. A backend for customers first asks who they are, and chooses their
// `external_conversation_id` itself, so that nobody reads or goes on with the conversation of somebody else.
import { readFile } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream';

const { BASE_URL, KEY, PORT = '4100' } = process.env;
if (!BASE_URL || !KEY) throw new Error('BASE_URL and KEY are required.');

const page = new URL('chat.html', import.meta.url);
/** All that the page needs, and nothing else that the key may do. */
const PASSED_ON = /^(POST \/v1\/messages|GET \/v1\/conversations\/\w+\/messages(\/\w+\/stream|\?starting_after=\w+))$/;
const GIVEN = ['accept', 'content-type', 'content-length', 'idempotency-key', 'last-event-id'];
const ANSWERED = ['content-type', 'cache-control', 'retry-after', 'service-should-retry', 'request-id', 'x-accel-buffering'];

const only = (names, headers) => Object.fromEntries(names.flatMap((name) => (name in headers ? [[name, headers[name]]] : [])));

/** Passes a request and its answer on as they come: nothing waits for the end of a stream. */
function passOn(asked, response) {
  const request = BASE_URL.startsWith('https:') ? httpsRequest : httpRequest;
  const headers = { ...only(GIVEN, asked.headers), authorization: `Bearer ${KEY}` };
  const sent = request(new URL(asked.url, BASE_URL), { method: asked.method, headers });
  // A page that is closed reads no more: the service need not go on to send.
  response.once('close', () => sent.destroy());
  sent.once('response', (answer) => {
    response.writeHead(answer.statusCode, only(ANSWERED, answer.headers));
    // An answer that breaks off breaks off here too, and the page goes on where it was.
    pipeline(answer, response, () => undefined);
  });
  sent.on('error', () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  });
  asked.pipe(sent);
}

const server = createServer(async (asked, response) => {
  const what = `${asked.method} ${asked.url}`;
  if (PASSED_ON.test(what)) return passOn(asked, response);
  if (what !== 'GET /') return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(await readFile(page));
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`Listening on http://127.0.0.1:${server.address().port}`));
