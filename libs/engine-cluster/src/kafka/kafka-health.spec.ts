import { FakeClock, settle } from '@testing/fake-clock';
import { type HealthParts, KafkaHealth } from './kafka-health.js';

function health(topics: HealthParts['topics']) {
  const pace = new FakeClock();
  const parts = {
    admin: {},
    topics,
    pace,
    log: { served: () => undefined, failed: () => undefined },
    stalledAfterMs: 60_000,
    onStalled: () => undefined,
  };
  return { pace, health: new KafkaHealth(parts as unknown as HealthParts) };
}

describe('Kafka', () => {
  it('does not serve from when its topics are missing until they are made again', async () => {
    let areThere = true;
    let isMade = () => undefined;
    const under = health({
      areThere: () => Promise.resolve(areThere),
      makeAgain: () => new Promise((resolve) => (isMade = () => void resolve())),
    });
    await settle();
    const answers = [under.health.status.isAnswering];
    areThere = false;
    await under.pace.advance(5_000);
    answers.push(under.health.status.isAnswering);
    isMade();
    await settle();
    answers.push(under.health.status.isAnswering);
    expect(answers).toEqual([true, false, true]);
    under.health.close();
  });

  it('does not serve while its topics cannot be made', async () => {
    const under = health({ areThere: () => Promise.resolve(false), makeAgain: () => Promise.reject(new Error('refused')) });
    await under.pace.advance(20_000);
    expect(under.health.status.isAnswering).toBe(false);
    under.health.close();
  });
});
