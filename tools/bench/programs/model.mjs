// A model's server that answers every chat completion at once with the same text.
import { createServer } from 'node:http';

const [content] = process.argv.slice(2);
const message = { role: 'assistant', content };
const completion = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 0,
  model: 'bench',
  choices: [{ index: 0, message, finish_reason: 'stop' }],
});
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(completion) };

const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200, headers).end(completion));
});
server.listen(0, '127.0.0.1', () => console.log(`Listening on http://127.0.0.1:${server.address().port}`));
process.on('SIGTERM', () => process.exit(0));
