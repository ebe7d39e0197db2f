import { FakeClock } from '@testing/fake-clock';
import { TroubleLogger } from './trouble-logger.js';

it('tells a trouble that goes on once a minute, and every other one at once', async () => {
  const [clock, lines]: [FakeClock, string[]] = [new FakeClock(), []];
  const log = new TroubleLogger({ warn: (line: string) => void lines.push(line) }, clock);
  for (let second = 0; second < 90; second += 1) {
    log.tell('no broker');
    if (second % 45 === 0) log.tell(`no leader since second ${second}`);
    await clock.advance(1000);
  }
  expect(lines).toEqual(['no broker', 'no leader since second 0', 'no leader since second 45', 'no broker']);
});
