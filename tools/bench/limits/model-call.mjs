import { Pool } from 'undici';

/** One call to the model's server with a prompt of so many bytes; resolves to the text of its answer. */
export function modelCall(url, promptBytes) {
  const pool = new Pool(url, { connections: 64 });
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const system = { role: 'system', content: 'x'.repeat(Number(promptBytes)) };
  return async (content) => {
    const prompt = JSON.stringify({ model: 'bench', messages: [system, { role: 'user', content }] });
    const { body } = await pool.request({ method: 'POST', path: '/v1/chat/completions', headers, body: prompt });
    return (await body.json()).choices[0].message.content;
  };
}
