// A model's server that answers every chat completion at once with the same text, or, with `never`, not at all.
import { serve } from '../limits/serve.mjs';

const message = { role: 'assistant', content: process.argv[2] };
const choices = [{ index: 0, message, finish_reason: 'stop' }];
const completion = JSON.stringify({ id: 'bench', object: 'chat.completion', created: 0, model: 'bench', choices });
serve(() => (process.argv[3] === 'never' ? new Promise(() => undefined) : completion));
