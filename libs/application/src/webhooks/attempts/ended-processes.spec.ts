import { DeliveryWorld } from '@testing/delivery-world';
import type { Processes } from '@testing/fake-engine';
import { answered } from '@testing/fake-sender';
import { HALF_HOUR, LedgerWorld, NINE_ON_MONDAY } from '@testing/ledger-world';

const S = 1_000;
/** As many attempts as an endpoint gets at a time, and some more. */
const EVENTS = 7;
const AT_A_TIME = 4;

let world: DeliveryWorld;
let other: DeliveryWorld;
let hungUp: () => void;
afterEach(() => world.close());

/** A process, one of as many as that, whose first attempts get no answer until `hungUp`. */
async function busy(processes: Processes): Promise<void> {
  world = await DeliveryWorld.create({}, undefined, await LedgerWorld.create({ processes }));
  const hanging = new Promise<void>((resolve) => (hungUp = resolve));
  world.sender.answer = async (_request, count) => {
    if (count <= AT_A_TIME) await hanging;
    return answered(200);
  };
  await world.register();
  for (let count = 0; count < EVENTS; count++) await world.emit(NINE_ON_MONDAY + count * HALF_HOUR);
  await world.quiet();
  other = world.beside();
}

/** Ends the process while another consumes. Resolves once its open attempts are over. */
async function ended(): Promise<void> {
  world.ledger.shutdown.begin();
  const left = world.leave();
  const over = world.consumer.beforeApplicationShutdown();
  await other.consuming();
  await Promise.all([over, left]);
}

const sent = () => new Set(world.sender.sent.map(({ headers }) => headers['Service-Delivery-Id'])).size;

describe('a delivery process that ends', () => {
  it('leaves what waits here for its endpoint to another process at once: no sweep is needed', async () => {
    await busy('several');
    expect([sent(), world.scheduler.waiting.receiver]).toEqual([AT_A_TIME, EVENTS - AT_A_TIME]);
    const over = ended();
    await world.quiet();
    expect(sent()).toBe(EVENTS);
    hungUp();
    await over;
    expect(world.sender.sent).toHaveLength(EVENTS);
  });

  it('leaves to it retries that are held until they are due', async () => {
    world = await DeliveryWorld.create({}, undefined, await LedgerWorld.create({ processes: 'several' }));
    world.sender.answer = (_request, count) => answered(count === 1 ? 503 : 200);
    await world.register();
    await world.emit();
    await world.quiet();
    other = world.beside();
    await ended();
    await world.elapse(4 * S);
    expect(world.sender.sent).toHaveLength(1);
    await world.elapse(1 * S);
    expect(world.sender.sent).toHaveLength(2);
  });

  it('waits for the outcomes of its open attempts', async () => {
    await busy('several');
    let isOver = false;
    const over = ended().then(() => (isOver = true));
    await world.quiet();
    expect(isOver).toBe(false);
    hungUp();
    await over;
    expect(world.scheduler.inFlight).toBe(0);
  });

  it('waits until what it leaves is published', async () => {
    await busy('several');
    let [isOver, published] = [false, () => undefined as void];
    const publish = world.ledger.ports.bus.publish.bind(world.ledger.ports.bus);
    const waiting = new Promise<void>((resolve) => (published = resolve));
    world.ledger.ports.bus.publish = async (topic, messages) => {
      await waiting;
      await publish(topic, messages);
    };
    hungUp();
    const over = ended().then(() => (isOver = true));
    await world.quiet();
    expect(isOver).toBe(false);
    published();
    await over;
    await world.quiet();
    expect(sent()).toBe(EVENTS);
  });

  it('publishes nothing where it was the only one: its next start finds everything', async () => {
    await busy('one');
    const over = ended();
    await world.quiet();
    expect(sent()).toBe(AT_A_TIME);
    hungUp();
    await over;
  });

  it('ends though the topics cannot be written', async () => {
    await busy('several');
    world.topics.forward = () => Promise.reject(new Error('no broker'));
    hungUp();
    await ended();
    expect(world.scheduler.inFlight).toBe(0);
  });
});
