import fc from 'fast-check';
import { NodeCryptoSecrets } from '@adapters/secrets.node-crypto';
import { CONTACT_KEYS, type CustomerChanges } from '@domain/customer/customer';
import { customerDecider } from '@domain/customer/customer.decider';
import type { CustomerEvent } from '@domain/customer/customer.events';
import { fold } from '@domain/kernel/decider';
import { StreamMovedOn, type Recorded } from '@ports/event-store.port';
import { originOf } from '@testing/envelopes';
import { FakeClock } from '@testing/fake-clock';
import { FakeIds } from '@testing/fake-ids';
import { carryOut, ShuffledEventStore } from '@testing/shuffled';
import { Claims } from '../claims/claims.js';
import { StreamCache } from '../streams/stream-cache.js';
import { StreamRunner } from '../streams/stream-runner.js';
import { UpdateCustomer } from './customer.commands.js';
import { CustomerDirectory } from './customer-directory.js';
import { UpdateCustomerHandler } from './customer.handlers.js';

const PROJECT = 'prj_01J9Z3K8Q4T6V8X0A2C4E6G8J0';
const NUMBERS = ['+491511111111', '+491512222222'];
/** Numbers that no customer has at the start. */
const NEW_NUMBERS = ['+491513333333', '+491514444444'];
const MAILBOXES = ['ada@example.org', 'eve@example.org'];
/** Longer than a claim counts without its change. */
const SOME_TIME_MS = 60_000;

type Step =
  | { readonly do: 'move'; readonly customer: number; readonly to: number }
  | { readonly do: 'write'; readonly customer: number; readonly to: number }
  | { readonly do: 'link'; readonly to: number }
  | { readonly do: 'join'; readonly number: number; readonly to: number }
  | { readonly do: 'dawdle' };

/** Two replicas over one log, each with a cache of its own. */
class Race {
  readonly clock = new FakeClock();
  readonly store: ShuffledEventStore;
  /** Numbers whose look-up returned a customer with another number. */
  readonly misled: string[] = [];
  private readonly replicas: readonly { directory: CustomerDirectory; updating: UpdateCustomerHandler }[];
  private readonly ids = new FakeIds(this.clock, 1);
  private count = 0;

  constructor(private readonly scheduler: fc.Scheduler) {
    this.store = new ShuffledEventStore(scheduler);
    this.replicas = [this.replica(), this.replica()];
  }

  async link(phone: string, replica = 0, email?: string) {
    const { directory } = this.replicas[replica]!;
    const input = email === undefined ? { phone } : { phone, email };
    return (await directory.link(PROJECT, input, this.ids.next('customer'), originOf(`request ${++this.count}`))).customer;
  }

  async take(step: Step, customers: readonly string[], replica: number): Promise<void> {
    if (step.do === 'dawdle') return this.clock.advance(SOME_TIME_MS);
    await this.carryOut(step, customers, replica).catch((error: { code?: string }) => {
      const gaveUp = error instanceof StreamMovedOn;
      if (error.code !== 'customer_exists' && !gaveUp) throw error;
    });
  }

  over<T>(work: Promise<T>): Promise<T> {
    return carryOut(this.scheduler, this.clock, work);
  }

  private carryOut(step: Exclude<Step, { do: 'dawdle' }>, customers: readonly string[], replica: number): Promise<unknown> {
    const [phone = '', email = ''] = [NUMBERS[step.to], MAILBOXES[step.to]];
    switch (step.do) {
      case 'link':
        return this.look(phone, replica);
      case 'join':
        return this.link(NEW_NUMBERS[step.number] ?? '', replica, email);
      case 'move':
        return this.move(customers[step.customer] ?? '', { phone }, replica);
      case 'write':
        return this.move(customers[step.customer] ?? '', { email }, replica);
    }
  }

  private async look(phone: string, replica: number): Promise<void> {
    const found = await this.link(phone, replica);
    if (found.phone !== phone) this.misled.push(`${phone}: ${found.phone}`);
  }

  private move(customerId: string, changes: CustomerChanges, replica: number) {
    const commandId = `request ${++this.count}`;
    const context = { projectId: PROJECT, commandId } as UpdateCustomer['context'];
    return this.replicas[replica]!.updating.execute(new UpdateCustomer(context, customerId, changes));
  }

  private replica() {
    const { store, clock, ids } = this;
    const streams = new StreamRunner(store, new StreamCache(store), clock, ids);
    const claims = new Claims(streams, store, new NodeCryptoSecrets(Buffer.alloc(32, 7)), clock);
    const directory = new CustomerDirectory(streams, claims, clock);
    return { directory, updating: new UpdateCustomerHandler(directory, streams, clock) };
  }
}

/** The numbers and addresses that were duplicated after some event. */
function shared(log: readonly Recorded[]): string[] {
  const events = new Map<string, CustomerEvent[]>();
  return log.flatMap(({ stream, event, position }) => {
    if (!stream.startsWith('customer-')) return [];
    events.set(stream, [...(events.get(stream) ?? []), event as CustomerEvent]);
    const all = [...events.values()].map((past) => fold(customerDecider, past));
    return CONTACT_KEYS.flatMap((by) => {
      const values = all.flatMap((customer) => customer[by] ?? []);
      return new Set(values).size === values.length ? [] : [`${position}: ${values.join(' ')}`];
    });
  });
}

describe('customers that move from number to number while others claim them', () => {
  const to = fc.nat(NUMBERS.length - 1);
  const move = fc.record({ do: fc.constant('move' as const), customer: fc.nat(1), to });
  const dawdle = fc.constant({ do: 'dawdle' as const });
  const link = fc.record({ do: fc.constant('link' as const), to });
  const write = fc.record({ do: fc.constant('write' as const), customer: fc.nat(1), to });
  const join = fc.record({ do: fc.constant('join' as const), number: fc.nat(NEW_NUMBERS.length - 1), to });
  const doing = (...steps: fc.Arbitrary<Step>[]) =>
    fc.array(fc.array(fc.oneof(...steps), { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 4 });
  const actors = fc.oneof(doing(move, move, link, dawdle), doing(write, join, dawdle), doing(move, link, write, join, dawdle));

  it('never share one, however long a change is on its way, and keep none that they left', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), actors, async (scheduler, scripts) => {
        const race = new Race(scheduler);
        const first = await race.over(race.link(NUMBERS[0]!));
        const second = await race.over(race.link('+491519999999'));
        const customers = [first.id, second.id];
        const acting = scripts.map(async (script, actor) => {
          for (const each of script) await race.take(each, customers, actor % 2);
        });
        await race.over(Promise.all(acting));
        await race.clock.advance(SOME_TIME_MS);
        for (const number of NUMBERS) expect((await race.over(race.link(number))).phone).toBe(number);
        expect(shared(race.store.log)).toEqual([]);
        expect(race.misled).toEqual([]);
      }),
      { numRuns: 300 },
    );
  }, 60_000);
});
