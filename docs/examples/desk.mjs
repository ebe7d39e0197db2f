// A desk for the humans who take over: tells of every conversation that is handed over, shows what is said in it, and writes in the
// place of the agent. Node alone, no packages:
//
//   BASE_URL='https://…' KEY='sk_…' NAME='Kim' node docs/examples/desk.mjs
//
// Then type lines:  conv_… Hello, I am Kim.        writes to the customer
//                   conv_… /back It was refunded.  gives the conversation back to the agent, with a note for it
//
// Started again, it tells of those that still wait.
import { createInterface } from 'node:readline';

const { BASE_URL, KEY, NAME } = process.env;
if (!BASE_URL || !KEY || !NAME) throw new Error('BASE_URL, KEY and NAME are required.');

const SOON_MS = 2_000;
/** Where the desk stands with each conversation: when it was handed over, and the last message that was shown. */
const desk = new Map();
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function ask(path, body) {
  const response = await fetch(`${BASE_URL}/v1/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${KEY}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`);
  return answer;
}

/** The items of a list from its first page on. */
async function allOf(path, first) {
  const items = [...first.data];
  for (let page = first; page.has_more; items.push(...page.data)) page = await ask(`${path}&starting_after=${page.next_cursor}`);
  return items;
}

/** Tells of each hand-off once. Where a page is not the last, those on later pages come again with the next request. */
async function watchHandOffs() {
  for (let last = null; ;) {
    const path = `conversations?status=handed_off&limit=100${last === null ? '' : `&handed_off_at[gt]=${last}`}`;
    const first = await ask(`${path}&wait=30`);
    for (const { id, handoff } of await allOf(path, first)) {
      const { by, reason, summary, at } = handoff;
      const place = desk.get(id) ?? {};
      if (place.at === at) continue;
      console.log([`${id} handed over by ${by}`, reason, summary].filter(Boolean).join(': '));
      desk.set(id, Object.assign(place, { at }));
    }
    // The newest of the first page, which has every hand-off until then.
    for (const { handed_off_at: at } of first.data) if (last === null || at > last) last = at;
  }
}

/** Shows what is said in the conversations, and forgets those that nobody has to look after any more. */
async function watchMessages() {
  for (;;) {
    const known = [...desk];
    const path = 'conversations?status=handed_off&limit=100';
    const open = new Set((await allOf(path, await ask(path))).map(({ id }) => id));
    for (const [id, place] of known) {
      if (open.has(id)) await showNews(id, place);
      else desk.delete(id);
    }
    await pause(SOON_MS);
  }
}

async function showNews(id, place) {
  const path = `conversations/${id}/messages?limit=100`;
  const first = await ask(place.last === undefined ? path : `${path}&starting_after=${place.last}`);
  for (const { id: message, author, content } of await allOf(path, first)) {
    console.log(`${id} ${author.name ?? author.type}: ${content}`);
    place.last = message;
  }
}

async function obey(line) {
  const [id, ...words] = line.split(' ');
  const text = words.join(' ');
  if (!text.startsWith('/back')) {
    const author = { type: 'human', name: NAME };
    return ask(`conversations/${id}/messages`, { role: 'assistant', author, content: text });
  }
  const note = text.slice('/back'.length).trim();
  await ask(`conversations/${id}/resume`, note === '' ? {} : { note });
  console.log(`${id} given back`);
}

/** Goes on after a failure, such as while the service restarts. */
async function keepUp(watch) {
  for (;;) {
    await watch().catch((error) => console.error(error.message));
    await pause(SOON_MS);
  }
}

createInterface({ input: process.stdin }).on('line', (line) => obey(line).catch((error) => console.error(error.message)));
await Promise.all([keepUp(watchHandOffs), keepUp(watchMessages)]);
