import { Metrics } from './metrics.js';

const linesOf = async (metrics: Metrics, name: string) =>
  (await metrics.render()).split('\n').filter((line) => line.startsWith(name));

describe('the metrics of the process', () => {
  it('tell what is true when they are asked', async () => {
    const metrics = new Metrics();
    let waiting = 3;
    metrics.gauge('letters_waiting', 'Letters.', () => Promise.resolve(waiting));
    metrics.gauges('letters_of', 'Letters of each.', 'clerk', () => ({ ann: waiting, bob: 0 }));
    expect(await linesOf(metrics, 'letters')).toEqual([
      'letters_waiting 3',
      'letters_of{clerk="ann"} 3',
      'letters_of{clerk="bob"} 0',
    ]);
    waiting = 5;
    expect(await linesOf(metrics, 'letters')).toEqual([
      'letters_waiting 5',
      'letters_of{clerk="ann"} 5',
      'letters_of{clerk="bob"} 0',
    ]);
  });

  it('are facts in labels, and durations in buckets', async () => {
    const metrics = new Metrics();
    metrics.facts('clerk_info', 'The clerk.', { name: 'ann', office: 'a "b"' });
    const observe = metrics.durations('letter_seconds', 'Letters.', [1, 5]);
    for (const seconds of [0.5, 3, 9]) observe(seconds);
    expect(await linesOf(metrics, 'clerk')).toEqual(['clerk_info{name="ann",office="a \\"b\\""} 1']);
    expect(await linesOf(metrics, 'letter')).toEqual([
      'letter_seconds_bucket{le="1"} 1',
      'letter_seconds_bucket{le="5"} 2',
      'letter_seconds_bucket{le="+Inf"} 3',
      'letter_seconds_sum 12.5',
      'letter_seconds_count 3',
    ]);
  });

  it('are counts, by name and type, where they only grow', async () => {
    const metrics = new Metrics();
    const delivered = { ann: 0, bob: 2 };
    metrics.counter('letters_lost_total', 'Letters.', () => delivered.ann);
    metrics.counters('letters_delivered_total', 'Letters by clerk.', 'clerk', () => Promise.resolve(delivered));
    const expected = (ann: number) => [
      `letters_lost_total ${ann}`,
      `letters_delivered_total{clerk="ann"} ${ann}`,
      'letters_delivered_total{clerk="bob"} 2',
    ];
    const types = await linesOf(metrics, '# TYPE letters');
    expect(types).toEqual(['# TYPE letters_lost_total counter', '# TYPE letters_delivered_total counter']);
    expect(await linesOf(metrics, 'letters')).toEqual(expected(0));
    delivered.ann = 7;
    for (const _scrape of ['first', 'second']) expect(await linesOf(metrics, 'letters')).toEqual(expected(7));
  });

  it('lack a value that cannot be read now, and have the others', async () => {
    const metrics = new Metrics();
    let isAway = false;
    const read = async <Value>(value: Value) => (isAway ? Promise.reject(new Error('out of reach')) : Promise.resolve(value));
    metrics.gauge('letters_waiting', 'Letters.', () => read(3));
    metrics.gauges('letters_of', 'Letters of each.', 'clerk', () => read({ ann: 1 }));
    metrics.counters('letters_delivered_total', 'Letters by clerk.', 'clerk', () => read({ ann: 2 }));
    metrics.counter('letters_lost_total', 'Letters.', () => 4);
    const all = await linesOf(metrics, 'letters');
    expect(all).toHaveLength(4);
    isAway = true;
    expect(await linesOf(metrics, 'letters')).toEqual(['letters_lost_total 4']);
    isAway = false;
    expect(await linesOf(metrics, 'letters')).toEqual(all);
  });

  it('are made once for all who ask at the same time', async () => {
    const metrics = new Metrics();
    let counts = 0;
    metrics.gauge('letters_waiting', 'Letters.', () => ++counts);
    await Promise.all([1, 2, 3].map(() => metrics.render()));
    expect(await linesOf(metrics, 'letters')).toEqual(['letters_waiting 2']);
  });

  it('keep requests apart by method, route and status', async () => {
    const metrics = new Metrics();
    metrics.requestEnded('GET', '/v1/events', 200, 0.004);
    metrics.requestEnded('GET', '/v1/events', 200, 0.2);
    metrics.requestEnded('GET', '/v1/events', 404, 0.001);
    metrics.requestEnded('GET', '/v1/events/:id', 200, 0.001);
    metrics.requestEnded('POST', '/v1/events', 200, 0.001);
    const counts = await linesOf(metrics, 'http_request_duration_seconds_count');
    expect(counts.map((line) => line.split('count')[1])).toEqual([
      '{method="GET",route="/v1/events",status="200"} 2',
      '{method="GET",route="/v1/events",status="404"} 1',
      '{method="GET",route="/v1/events/:id",status="200"} 1',
      '{method="POST",route="/v1/events",status="200"} 1',
    ]);
  });
});
