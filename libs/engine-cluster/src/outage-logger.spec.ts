import { FakeClock } from '@testing/fake-clock';
import { OutageLogger } from './outage-logger.js';

describe('an outage of a server', () => {
  it('is logged when it begins, once a minute, and at its end', async () => {
    const clock = new FakeClock();
    const lines: string[] = [];
    const outage = new OutageLogger('The server', { warn: (line: string) => void lines.push(line) }, clock);
    outage.well();
    for (let second = 0; second < 150; second += 1) {
      outage.away('does not answer: refused');
      await clock.advance(1_000);
    }
    outage.well();
    outage.well();
    outage.away('refuses');
    expect(lines).toEqual([
      'The server does not answer: refused',
      'The server has not answered for 60 s: it does not answer: refused',
      'The server has not answered for 120 s: it does not answer: refused',
      'The server answers again, after 150 s',
      'The server refuses',
    ]);
  });
});
