import { acknowledged, groupBy, same } from '../truth.mjs';

function lastTold(asked) {
  const told = acknowledged(asked, 'session').map(({ told: session }) => session);
  return [...groupBy(told, ({ id }) => id).values()].map((versions) => versions.at(-1));
}

function occurrences(items) {
  return new Map([...groupBy(items, ({ id }) => id)].map(([id, group]) => [id, group.length]));
}

export const sessions = {
  'every acknowledged call is listed once, as it was last acknowledged': ({ asked, sessions: listed }) => {
    const count = occurrences(listed);
    const byId = new Map(listed.map((session) => [session.id, session]));
    return lastTold(asked)
      .filter((told) => count.get(told.id) !== 1 || !same(byId.get(told.id), told))
      .map((told) => `${told.id}: ${JSON.stringify(told)} then ${JSON.stringify(byId.get(told.id))}`);
  },

  'what was said on a call is in its transcript, all of it, once and in order': ({ asked, turns }) => {
    const said = groupBy(acknowledged(asked, 'turn'), ({ session }) => session);
    return [...turns].flatMap(([id, transcript]) => {
      const told = (said.get(id) ?? []).map(({ told: turn }) => turn);
      const isWhole = same(byId(transcript), byId(told));
      const inOrder = transcript.every(({ created_at: at }, index) => index === 0 || transcript[index - 1].created_at <= at);
      return isWhole && inOrder ? [] : [`${id}: ${told.length} said, ${transcript.length} written: ${textsOf(transcript)}`];
    });
  },

  'every customer that was told of is listed once': ({ asked, conversations, customers }) => {
    const count = occurrences(customers);
    const told = [...lastTold(asked), ...conversations].flatMap(({ customer_id: id }) => id ?? []);
    return [...new Set(told)].filter((id) => count.get(id) !== 1).map((id) => `${id}: listed ${count.get(id) ?? 0} times`);
  },

  'a phone number leads to one customer': ({ customers }) =>
    [...groupBy(customers, ({ phone }) => phone)]
      .filter(([phone, group]) => phone !== null && group.length > 1)
      .map(([phone, group]) => `${phone}: ${group.map(({ id }) => id)}`),
};

const byId = (turns) => turns.toSorted((one, other) => (one.id < other.id ? -1 : 1));
const textsOf = (turns) => turns.map(({ content }) => content).join(' | ');
