import { fileURLToPath } from 'node:url';

/** The steps of each language's program, which prints `ok <name>` or `FAILED <name>: <why>`. */
const CALLS = [
  'posts a message and reads the reply',
  'books an appointment and passes on its version',
  'finds the appointment by a range of times',
  'reads the code of an error',
  'reads a call, an event and a delivery',
];

export const callsOf = (file) => fileURLToPath(new URL(`calls/${file}`, import.meta.url));

export const callEnvironment = ({ url, apiKey }) => ({ ...process.env, BASE_URL: url, API_KEY: apiKey });

function outcomesOf(output) {
  const lines = output.matchAll(/^(ok|FAILED) ([^:\n]*)(?:: (.*))?$/gm);
  return new Map([...lines].map(([, verdict, name, why]) => [name, verdict === 'ok' ? null : (why ?? '')]));
}

export async function checkCalls(check, language, program, calls = CALLS) {
  let ending = 'the program did not get there';
  const outcomes = await program().then(outcomesOf, (error) => {
    ending = error.message;
    return new Map();
  });
  for (const name of calls) {
    await check(`${language}: ${name}`, () => {
      const why = outcomes.has(name) ? outcomes.get(name) : ending;
      if (why !== null) throw new Error(why);
    });
  }
}
