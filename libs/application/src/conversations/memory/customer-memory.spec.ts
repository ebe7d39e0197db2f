import { Logger } from '@nestjs/common';
import type { ConversationCard } from '@domain/conversation/conversation';
import { StoreUnavailable } from '@ports/event-store.port';
import { FakeClock, settle } from '@testing/fake-clock';
import { CustomerMemories } from './customer-memory.js';
import type { EarlierConversations } from './earlier-conversations.js';
import type { RememberedAppointments } from './remembered-appointments.js';

const HERE = { id: 'conv_here', projectId: 'prj_1' } as ConversationCard;
const HAIRCUT = { service: 'haircut' };
const YESTERDAY = { endReason: 'idle' };

let clock: FakeClock;
let appointmentsOf: jest.Mock<Promise<unknown>, [string, string, string, AbortSignal]>;
let earlierConversationsOf: jest.Mock<Promise<unknown>, []>;
let memories: CustomerMemories;
let told: unknown[];

beforeEach(() => {
  clock = new FakeClock();
  appointmentsOf = jest.fn().mockResolvedValue([HAIRCUT]);
  earlierConversationsOf = jest.fn().mockResolvedValue([YESTERDAY]);
  const earlier = { earlierConversationsOf } as unknown as EarlierConversations;
  memories = new CustomerMemories({ appointmentsOf } as unknown as RememberedAppointments, earlier, clock);
  told = [];
  jest.spyOn(Logger.prototype, 'warn').mockImplementation((line: unknown) => void told.push(line));
});
afterEach(() => jest.restoreAllMocks());

const remembered = () => memories.inTime(HERE, 'cus_1', 'msg_1');

describe('the memory of a customer', () => {
  it('is given up after half a second, and whoever looks it up is told so', async () => {
    const leaves = new Promise<void>((resolve) => {
      appointmentsOf.mockImplementation(
        (...[, , , leaving]) =>
          new Promise((_, reject) => {
            leaving.addEventListener('abort', () => (reject(leaving.reason as Error), resolve()));
          }),
      );
    });
    const memory = remembered();
    await clock.advance(500);
    await leaves;
    expect(await memory).toEqual({ appointments: [], conversations: [] });
    await settle();
    expect(told).toEqual([]);
  });

  it('has what else is remembered where a part of it cannot be looked at', async () => {
    appointmentsOf.mockRejectedValueOnce(new StoreUnavailable('no'));
    expect(await remembered()).toEqual({ appointments: [], conversations: [YESTERDAY] });
    earlierConversationsOf.mockRejectedValueOnce(new TypeError('no'));
    expect(await remembered()).toEqual({ appointments: [HAIRCUT], conversations: [] });
  });

  it('fails without a word about the customer, once a minute for each cause, until it is whole again', async () => {
    const failure = () => new TypeError('Anna is not iterable');
    appointmentsOf.mockImplementation(() => Promise.reject(failure()));
    await remembered();
    await remembered();
    expect(told).toEqual(['something is missing from the memory in conv_here: TypeError']);
    await clock.advance(60_000);
    await remembered();
    expect(told).toHaveLength(2);
    appointmentsOf.mockResolvedValue([HAIRCUT]);
    await remembered();
    await remembered();
    expect(told.slice(2)).toEqual(['memories are whole again']);
  });
});
