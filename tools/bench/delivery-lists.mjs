import { textOf } from './client.mjs';
import { QUERIES } from './deliveries.mjs';
import { contest, percentiles, typical } from './rounds.mjs';

const PAGE = '/v1/deliveries?limit=20';
const UNFILTERED = '';

/** The p99 of pages of a service by each query, all asked in turn, and each page from anywhere in the list. */
async function pagesOf({ url, key }, counts) {
  const page = async (query) => JSON.parse(await textOf(`${url}${PAGE}${query}`, 'GET', { key }));
  const ends = [(await page('&order=asc')).data[0], (await page(UNFILTERED)).data[0]];
  // A newer version of the rows is made from the log, which has none of them.
  if (!ends[0]) throw new Error('There are no deliveries: remove the directory of deliveries that was kept under .bench/data.');
  const [from, to] = ends.map(({ created_at }) => Date.parse(created_at));
  const anywhere = () => `&created_at[lte]=${new Date(from + Math.random() * (to - from)).toISOString()}`;
  const taken = {};
  const take = async (query) => {
    const before = performance.now();
    await page(`${anywhere()}&${query}`);
    (taken[query] ??= []).push(performance.now() - before);
  };
  const inTurn = async (queries, count) => {
    for (let number = 0; number < count; number += 1) for (const query of queries) await take(query);
  };
  await inTurn([UNFILTERED, ...QUERIES.alone], counts.alone);
  await inTurn(QUERIES.pairs, counts.pairs);
  return Object.fromEntries(Object.entries(taken).map(([query, latencies]) => [query, percentiles(latencies).p99]));
}

/**
 * The p99 of a page of deliveries by the worst filter, and by the worst two, beside that of a page of all.
 * @param services by the keys of the builds: each a URL and an API key
 */
export async function deliveryLists(plan, services) {
  const counts = plan.quick ? { alone: 200, pairs: 30 } : { alone: 300, pairs: 100 };
  for (const service of Object.values(services)) await pagesOf(service, { alone: 20, pairs: 5 });
  const rounds = await contest(plan, ({ key }) => pagesOf(services[key], counts));
  const p99 = (key) => (query) => typical(rounds[key], query);
  const worstOf = (key, queries) => queries.toSorted((one, other) => p99(key)(other) - p99(key)(one))[0];
  const worst = (key) => Object.fromEntries(Object.entries(QUERIES).map(([name, queries]) => [name, worstOf(key, queries)]));
  const figures = (key, queries) => [Object.fromEntries(Object.entries(queries).map(([name, query]) => [name, p99(key)(query)]))];
  const unfiltered = { alone: UNFILTERED, pairs: UNFILTERED };
  const found = Object.fromEntries(Object.keys(rounds).map((key) => [key, figures(key, worst(key))]));
  return { ...found, limit: figures('ours', unfiltered), worst: worst('ours') };
}
