// Receives webhooks: every path answers 200 at once unless it was told otherwise; the first arrivals since the last question are kept.
// PUT /answers {"<path>": {status, afterMs}} · PUT /arrivals
import { setTimeout as pause } from 'node:timers/promises';
import { serve } from '../limits/serve.mjs';

const MAX_KEPT = 20_000;
const answers = new Map();
const arrivals = [];

/** The appointment that a webhook is about: the first id in its body. */
const appointmentIn = (body) => body.slice(body.indexOf('"apt_') + 1).slice(0, 30);

serve(async ({ url, method }, text, at, response) => {
  if (method === 'PUT' && url === '/answers') {
    for (const [path, told] of Object.entries(JSON.parse(text))) answers.set(path, told);
    return '{}';
  }
  if (method === 'PUT') return JSON.stringify(arrivals.splice(0));
  if (arrivals.length < MAX_KEPT) arrivals.push([url, appointmentIn(text), at]);
  const { status = 200, afterMs = 0 } = answers.get(url) ?? {};
  if (afterMs > 0) await pause(afterMs);
  response.statusCode = status;
  return 'ok';
});
