import { specFor } from '@testing/decider-spec';
import { durationSeconds, sessionDecider, staleAt, type SessionCommand } from './session.decider.js';
import type { SessionDetails, SessionEvent } from './session.events.js';

const { given } = specFor(sessionDecider);

const details: SessionDetails = {
  sessionId: 'sess_1',
  projectId: 'prj_1',
  externalId: 'CA9f',
  direction: 'inbound',
  from: '+4915112345678',
  to: '+4930123456',
  customerId: null,
  conversationId: null,
  metadata: '{}',
};
const opened: SessionEvent = { type: 'SessionOpened', at: 1_000, ...details };
const said: SessionEvent = {
  type: 'SessionTurnAdded',
  at: 2_000,
  turnId: 'turn_1',
  role: 'user',
  content: 'Hello',
  spokenAt: 2_000,
};
const closed: SessionEvent = {
  type: 'SessionClosed',
  at: 144_000,
  outcome: 'appointment_booked',
  endReason: 'customer_hangup',
  summary: null,
  endedAt: 144_000,
};
const open: SessionCommand = { type: 'OpenSession', at: 1_000, ...details };
const say: SessionCommand = {
  type: 'AddSessionTurn',
  at: 2_000,
  turnId: 'turn_1',
  role: 'user',
  content: 'Hello',
  spokenAt: null,
};
const close = {
  type: 'CloseSession',
  at: 144_000,
  outcome: 'appointment_booked',
  endReason: 'customer_hangup',
  summary: null,
  endedAt: null,
} as const;

describe('a call', () => {
  it('opens once', () => {
    given().when(open).then(opened);
    given(opened).when(open).thenNothing();
    given(opened).thenState({ status: 'open', id: 'sess_1', startedAt: 1_000, endedAt: null });
  });
  it('takes turns while it is open', () => given(opened).when(say).then(said));
  it('keeps the time at which something was said', () =>
    given(opened)
      .when({ ...say, spokenAt: 1_500 })
      .then({ ...said, spokenAt: 1_500 } as SessionEvent));
  it('never goes back in time', () =>
    given(opened, said)
      .when({ ...say, turnId: 'turn_2', at: 1_500 })
      .then({ ...said, turnId: 'turn_2' } as SessionEvent));
  it('takes a turn once, also when it was closed in between', () => {
    given(opened, said).when(say).thenNothing();
    given(opened, said, closed).when(say).thenNothing();
  });
  it('takes a turn once, also when others came in between', () =>
    given(opened, said, { ...said, turnId: 'turn_2' } as SessionEvent)
      .when(say)
      .thenNothing());
  it('takes no turn when it is closed', () => given(opened, closed).when(say).thenRejects('session_closed'));
  it('closes once', () => {
    given(opened).when(close).then(closed);
    given(opened, closed)
      .when({ ...close, outcome: 'failed' })
      .thenNothing();
    given(opened, closed).thenState({ status: 'closed', outcome: 'appointment_booked', endedAt: 144_000 });
  });
  it('ends when the caller says, but never before it began', () => {
    given(opened)
      .when({ ...close, endedAt: 100_000 })
      .then({ ...closed, endedAt: 100_000 } as SessionEvent);
    given(opened)
      .when({ ...close, endedAt: 5 })
      .then({ ...closed, endedAt: 1_000 } as SessionEvent);
  });
  it('is missing until it is opened', () => {
    given().when(say).thenRejects('resource_missing');
    given().when(close).thenRejects('resource_missing');
  });
  it('lasts whole seconds', () => {
    expect(durationSeconds({ startedAt: 1_000, endedAt: 144_000 })).toBe(143);
    expect(durationSeconds({ startedAt: 1_000, endedAt: 2_500 })).toBe(2);
    expect(durationSeconds({ startedAt: 1_000, endedAt: null })).toBeNull();
  });
});

describe('a forgotten call', () => {
  const FOUR_HOURS = 14_400_000;
  const stale: SessionEvent = {
    type: 'SessionClosed',
    at: 2_000 + FOUR_HOURS,
    outcome: null,
    endReason: 'stale',
    summary: null,
    endedAt: 2_000,
  };
  const close = { type: 'CloseStaleSession', lastBookedAt: null } as const;
  it('is closed four hours after it was last heard of', () => {
    given(opened, said)
      .when({ ...close, at: 2_000 + FOUR_HOURS })
      .then(stale);
    given(opened, said)
      .when({ ...close, at: 1_999 + FOUR_HOURS })
      .thenNothing();
    given(opened, closed)
      .when({ ...close, at: 9e12 })
      .thenNothing();
  });
  it('ended when it was last heard of, or when the last appointment was made on it', () => {
    for (const [lastBookedAt, endedAt] of [
      [1_500, 2_000],
      [3_000, 3_000],
      [9e12, 2_000 + FOUR_HOURS],
    ] as const) {
      given(opened, said)
        .when({ ...close, at: 2_000 + FOUR_HOURS, lastBookedAt })
        .then({ ...stale, endedAt });
    }
  });
  it('is only ever an open one', () => {
    expect(staleAt({ status: 'open', lastEventAt: 7 })).toBe(7 + FOUR_HOURS);
    expect(staleAt({ status: 'closed', lastEventAt: 7 })).toBeNull();
  });
});
