// The least a message post can cost: node:http, the body parsed, one durable line, one call to a model where one is named,
// an answer of the same size as ours.
import { createServer } from 'node:http';
import { modelCall } from './model-call.mjs';
import { RawLog } from './raw-log.mjs';

const [logFile, answerBytes = '900', modelUrl, promptBytes] = process.argv.slice(2);
const log = await RawLog.open(logFile);
const ask = modelUrl ? modelCall(modelUrl, promptBytes) : (content) => content;
const padding = 'x'.repeat(Number(answerBytes));

async function replyTo(text) {
  const { content } = JSON.parse(text);
  await log.append(JSON.stringify({ type: 'MessagePosted', at: Date.now(), content, padding: padding.slice(0, 300) }));
  return ask(content);
}

async function answer(request, response, text) {
  const content = request.method === 'POST' ? await replyTo(text) : '';
  const body = JSON.stringify({ content, padding });
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => void answer(request, response, Buffer.concat(chunks).toString()));
});
server.listen(0, '127.0.0.1', () => console.log(`Listening on http://127.0.0.1:${server.address().port}`));
process.on('SIGTERM', () => process.exit(0));
