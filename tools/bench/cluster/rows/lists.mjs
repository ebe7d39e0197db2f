import { at } from '../../rows/whole-way.mjs';
import { own } from '../report.mjs';

const LOOKS = { usual: 100, quick: 20 };
const PATH = '/v1/conversations?limit=20';

/** How long a list takes at rest, behind a write that it has to show, and behind one that it has not. */
export async function lists({ cluster, quick }) {
  const project = await cluster.project();
  const looks = LOOKS[quick ? 'quick' : 'usual'];
  const took = { rest: [], own: [], unrelated: [] };
  let stale = 0;
  for (let number = 0; number < looks; number += 1) {
    took.rest.push((await listed(project)).ms);
    const { conversation_id: id } = await project.ask('POST', '/v1/messages', said(number));
    const behind = await listed(project);
    took.own.push(behind.ms);
    if (!behind.ids.includes(id)) stale += 1;
    await project.ask('POST', '/v1/appointments', booked(number));
    took.unrelated.push((await listed(project)).ms);
  }
  for (const times of Object.values(took)) times.sort((a, b) => a - b);
  const [p50, p99] = [0.5, 0.99].map((part) => (times) => at(times, part));
  return [
    own('list behind a write of its own, p50', p50(took.own), 'ms', { aim: '60 ms', measured: took }),
    own('the same, p99', p99(took.own), 'ms', { aim: '≤ 500 ms' }),
    own(`the same without what was written, of ${looks}`, stale, 'lists', { aim: '0' }),
    own('list at rest, p50', p50(took.rest), 'ms'),
    own('the same, p99', p99(took.rest), 'ms'),
    own('list behind an unrelated write, p50 beyond that at rest', p50(took.unrelated) - p50(took.rest), 'ms', {
      aim: '≤ 50 ms',
    }),
    own('the same, p99', p99(took.unrelated), 'ms'),
  ];
}

const said = (number) => ({ external_conversation_id: `list-${number}`, content: 'When are you open?' });

const booked = (number) => ({
  service: 'dental_cleaning',
  starts_at: new Date(Date.UTC(2031, 0, 1, number)).toISOString(),
});

async function listed(project) {
  const from = performance.now();
  const { data } = await project.ask('GET', PATH);
  return { ms: performance.now() - from, ids: data.map(({ id }) => id) };
}
