// The least the whole way can cost: node:http, the body parsed, one durable line, an answer, one signed POST to the receiver.
import { signedPosts } from '../programs/signed-posts.mjs';
import { RawLog } from './raw-log.mjs';
import { serve } from './serve.mjs';

const [logFile, receiver] = process.argv.slice(2);
const log = await RawLog.open(logFile);
const post = signedPosts(receiver, 64);
const padding = 'x'.repeat(850);
let made = 0;
let delivered = 0;

serve(async ({ url }, text) => {
  if (url === '/metrics') return `webhook_attempts_total{} ${delivered}\nwebhook_attempts_in_flight 0`;
  const id = /apt_\w+/.exec(url)?.[0] ?? `apt_${String((made += 1)).padStart(26, '0')}`;
  const event = JSON.stringify({ type: 'appointment.created', object: { id, ...JSON.parse(text) }, padding });
  await log.append(event);
  void post(event).then(() => (delivered += 1));
  return JSON.stringify({ id, padding });
});
