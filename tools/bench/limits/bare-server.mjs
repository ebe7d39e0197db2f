// The least a message post can cost: node:http, the body parsed, one durable line, one call to a model if one is named,
// an answer of the same size as ours.
import { modelCall } from './model-call.mjs';
import { RawLog } from './raw-log.mjs';
import { serve } from './serve.mjs';

const [logFile, modelUrl] = process.argv.slice(2);
const log = await RawLog.open(logFile);
const ask = modelUrl ? modelCall(modelUrl) : (content) => content;
const padding = 'x'.repeat(900);

serve(async ({ method }, text) => {
  if (method === 'GET') return JSON.stringify({ padding });
  const { content } = JSON.parse(text);
  await log.append(JSON.stringify({ type: 'MessagePosted', at: Date.now(), content, padding: padding.slice(0, 300) }));
  return JSON.stringify({ content: await ask(content), padding });
});
