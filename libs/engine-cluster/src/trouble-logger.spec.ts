import { FakeClock } from '@testing/fake-clock';
import { TroubleLogger } from './trouble-logger.js';

function logger() {
  const [clock, lines]: [FakeClock, string[]] = [new FakeClock(), []];
  const log = new TroubleLogger('Kafka', { warn: (line: string) => void lines.push(line) }, clock);
  const each = async (seconds: number, look: () => void, told?: (second: number) => string) => {
    for (let second = 0; second < seconds; second += 1) {
      if (told) log.tell(told(second));
      look();
      await clock.advance(1000);
    }
  };
  return { log, lines, each, serves: () => log.served(), fails: () => log.failed('does not answer') };
}

describe('troubles with a server', () => {
  it('are told once a minute each, after a look that finds that it serves', async () => {
    const { log, lines, each, serves } = logger();
    log.tell('a consumer ended');
    expect(lines).toEqual([]);
    await each(90, serves, (second) => (second === 45 ? 'another one ended' : 'a consumer ended'));
    expect(lines).toEqual(['a consumer ended', 'another one ended', 'a consumer ended']);
  });

  it('are an outage where it does not, which is told when it begins, once a minute and at its end, and nothing else of it', async () => {
    const { lines, each, serves, fails } = logger();
    await each(5, serves);
    await each(150, fails, (second) => `Connection: refused ${second}`);
    await each(14, serves, (second) => `the consumer of topic ${second} ended`);
    expect(lines).toEqual([
      'Kafka does not answer',
      'Kafka has not served for 60 s: it does not answer',
      'Kafka has not served for 120 s: it does not answer',
      'Kafka serves again, after 150 s',
    ]);
  });

  it('are told again once an outage is overcome', async () => {
    const { lines, each, serves, fails } = logger();
    await each(1, fails);
    await each(17, serves, () => 'a consumer ended');
    expect(lines.at(-1)).toBe('a consumer ended');
  });
});
