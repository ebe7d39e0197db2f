import { specFor } from '@testing/decider-spec';
import { fold } from '../kernel/decider.js';
import { ContactChanged, CustomerMovedOn, customerDecider } from './customer.decider.js';
import type { CustomerEvent } from './customer.events.js';

const { given } = specFor(customerDecider);
const details = { phone: '+4915112345678', email: null, name: null, externalId: null, metadata: '{}' };
const created: CustomerEvent = { type: 'CustomerCreated', at: 1, customerId: 'cust_1', projectId: 'prj_1', ...details };
const unmade = { phone: 0, email: 0 };
const create = { type: 'CreateCustomer', at: 1, customerId: 'cust_1', projectId: 'prj_1', seen: unmade, ...details } as const;
const emailGivenUp: CustomerEvent = { type: 'CustomerChangeGivenUp', at: 1, ways: ['email'] };
const seen = { phone: 1, email: 1 };
const foundBy = { by: 'phone', value: details.phone } as const;
const deleted: CustomerEvent = { type: 'CustomerDeleted', at: 5 };
const completion = {
  ...({ type: 'CompleteCustomer', commandId: 'cmd', at: 4, foundBy, seen } as const),
  details: { email: 'a@b.co', name: 'Ada' },
};

describe('a customer', () => {
  test('is created once', () => {
    given().when(create).then(created);
    given(created).when(create).thenNothing();
  });
  test('is not created by whoever has not seen that its e-mail address was given up', () => {
    const state = fold(customerDecider, [emailGivenUp]);
    expect(() => customerDecider.decide(create, state)).toThrow(new CustomerMovedOn());
    given(emailGivenUp)
      .when({ ...create, seen: { ...unmade, email: 1 } })
      .then(created);
    given(emailGivenUp, created).thenState({ contactVersions: { phone: 1, email: 2 } });
  });
  test('is completed by what was missing, and nothing is overwritten', () =>
    given(created)
      .when({
        type: 'CompleteCustomer',
        commandId: 'cmd',
        at: 2,
        foundBy,
        seen,
        details: { phone: '+1', email: 'a@b.co', name: 'Ada', metadata: '{"a":1}' },
      })
      .then({
        type: 'CustomerUpdated',
        commandId: 'cmd',
        at: 2,
        changes: { email: 'a@b.co', name: 'Ada', metadata: '{"a":1}' },
      }));
  test('is not completed again by a command that comes again', () => {
    const complete = { type: 'CompleteCustomer', commandId: 'first', at: 4, foundBy, seen, details: { name: 'Ada' } } as const;
    const completed: CustomerEvent = { type: 'CustomerUpdated', commandId: 'first', at: 2, changes: { name: 'Ada' } };
    const cleared: CustomerEvent = { type: 'CustomerUpdated', commandId: 'second', at: 3, changes: { name: null } };
    given(created, completed, cleared).when(complete).thenNothing();
  });
  test('keeps its own metadata when it is completed', () =>
    given({ ...created, metadata: '{"vip":true}' } as CustomerEvent)
      .when({ type: 'CompleteCustomer', commandId: 'cmd', at: 2, foundBy, seen, details: { metadata: '{"a":1}' } })
      .thenNothing());
  test('never changes before it was changed last', () =>
    given({ ...created, at: 9 } as CustomerEvent)
      .when({ type: 'UpdateCustomer', commandId: 'cmd', at: 2, seen, changes: { name: 'Ada' } })
      .then({ type: 'CustomerUpdated', commandId: 'cmd', at: 9, changes: { name: 'Ada' } }));
  test('drops a change that comes again after another one', () => {
    const change = { type: 'UpdateCustomer', commandId: 'first', at: 4, seen, changes: { name: 'Ada' } } as const;
    const changed = (commandId: string, name: string): CustomerEvent => ({
      type: 'CustomerUpdated',
      commandId,
      at: 2,
      changes: { name },
    });
    given(created, changed('first', 'Ada'), changed('second', 'Eve')).when(change).thenNothing();
    given(created, changed('second', 'Eve'))
      .when(change)
      .then({ ...changed('first', 'Ada'), at: 4 });
  });
  test('counts how often each way to reach it was set', () =>
    given(created, { type: 'CustomerUpdated', at: 2, changes: { email: 'a@b.co' } }).thenState({
      contactVersions: { phone: 1, email: 2 },
    }));
  test('changes only by what differs', () => {
    given(created)
      .when({ type: 'UpdateCustomer', commandId: 'cmd', at: 2, seen, changes: { phone: details.phone } })
      .thenNothing();
    given(created)
      .when({ type: 'UpdateCustomer', commandId: 'cmd', at: 2, seen, changes: { phone: null, name: 'Ada' } })
      .thenState({ phone: null, name: 'Ada', updatedAt: 2 });
  });
  test('is not reached otherwise by whoever has not seen its newest phone', () => {
    const moved: CustomerEvent = { type: 'CustomerUpdated', at: 2, changes: { phone: null } };
    const update = { type: 'UpdateCustomer', commandId: 'cmd', at: 3, seen, changes: { phone: '+1' } } as const;
    const state = fold(customerDecider, [created, moved]);
    expect(() => customerDecider.decide(update, state)).toThrow(new CustomerMovedOn());
    given(created, moved)
      .when({ ...update, changes: { name: 'Ada' } })
      .then({ type: 'CustomerUpdated', commandId: 'cmd', at: 3, changes: { name: 'Ada' } });
  });
  test('is completed by whoever reaches it, but for a contact key that was set meanwhile', () => {
    const moved: CustomerEvent = { type: 'CustomerUpdated', at: 2, changes: { email: 'c@d.co' } };
    given(created, moved)
      .when(completion)
      .then({ type: 'CustomerUpdated', commandId: 'cmd', at: 4, changes: { name: 'Ada' } });
  });
  test('is not completed by whoever has not seen that a contact key that it lacks was taken away or given up', () => {
    const moved: CustomerEvent = { type: 'CustomerUpdated', at: 2, changes: { email: 'c@d.co' } };
    const removed: CustomerEvent = { type: 'CustomerUpdated', at: 3, changes: { email: null } };
    for (const past of [
      [created, moved, removed],
      [created, emailGivenUp],
    ]) {
      expect(() => customerDecider.decide(completion, fold(customerDecider, past))).toThrow(new CustomerMovedOn());
    }
  });
  test('is not completed by whoever looks for it where it is not, or no longer', () => {
    const moved: CustomerEvent = { type: 'CustomerUpdated', at: 2, changes: { phone: '+1' } };
    const complete = { type: 'CompleteCustomer', commandId: 'cmd', at: 3, foundBy, seen, details: { name: 'Ada' } } as const;
    for (const past of [
      [created, moved],
      [created, deleted],
    ]) {
      expect(() => customerDecider.decide(complete, fold(customerDecider, past))).toThrow(new ContactChanged());
    }
  });
  test('is as it was after a change was given up, but for what was claimed for it', () => {
    const giveUp = { type: 'GiveUpChange', at: 9, ways: ['phone'], seen } as const;
    const givenUp: CustomerEvent = { type: 'CustomerChangeGivenUp', at: 9, ways: ['phone'] };
    given(created).when(giveUp).then(givenUp);
    given(created, givenUp).when(giveUp).thenNothing();
    given(created)
      .when(giveUp)
      .thenState({ phone: details.phone, updatedAt: 1, contactVersions: { phone: 2, email: 1 } });
  });
  test('is deleted once', () => {
    given(created).when({ type: 'DeleteCustomer', at: 5 }).then(deleted);
    given(created, deleted).when({ type: 'DeleteCustomer', at: 6 }).thenNothing();
  });
  test('changes no more once deleted', () =>
    given(created, deleted)
      .when({ type: 'UpdateCustomer', commandId: 'cmd', at: 6, seen, changes: { name: 'x' } })
      .thenRejects('resource_missing'));
  test('is not there to be completed once deleted', () => {
    const complete = { type: 'CompleteCustomer', commandId: 'cmd', at: 6, foundBy, seen, details: { name: 'x' } } as const;
    const state = fold(customerDecider, [created, deleted]);
    expect(() => customerDecider.decide(complete, state)).toThrow(new ContactChanged());
  });
  test('cannot be deleted before it exists', () =>
    given().when({ type: 'DeleteCustomer', at: 6 }).thenRejects('resource_missing'));
});
