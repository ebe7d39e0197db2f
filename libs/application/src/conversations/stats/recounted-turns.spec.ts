import fc from 'fast-check';
import type { ConversationEvent } from '@domain/conversation/conversation.events';
import type { Recorded } from '@ports/event-store.port';
import { FakeClock } from '@testing/fake-clock';
import { FakeIds } from '@testing/fake-ids';
import { opened, posted, replied } from '@testing/conversation-events';
import { inWindow, plainPercentile, plainPercentiles } from '@testing/plain-count';
import { readersOf, sharedRowsAfter } from '@testing/shared-rows-after';
import type { ProjectDirectory } from '../../projects/project-directory.js';
import type { Projection } from '../../read-models/projection.js';
import { STATS_WINDOWS, type StatsWindow } from '../../read-models/stats-window.js';
import { conversationsProjection } from '../state/conversations.projection.js';
import { GetConversationStatsHandler } from './conversation-stats.handler.js';
import { GetConversationStats } from './conversation-stats.query.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 2, 1, 14, 31, 12);
const PROJECTS = ['prj_1', 'prj_2'] as const;
const ids = new FakeIds(new FakeClock(NOW));

interface Turn {
  readonly ageMs: number;
  readonly tookMs: number;
  readonly end: 'replied' | 'timeout' | 'conversation_closed' | 'open';
}

interface History {
  readonly projectId: (typeof PROJECTS)[number];
  readonly turns: readonly Turn[];
}

const turn: fc.Arbitrary<Turn> = fc.record({
  ageMs: fc.oneof(fc.nat(2 * HOUR), fc.nat(2 * DAY), fc.nat(40 * DAY)),
  tookMs: fc.oneof(fc.nat(2_000), fc.nat(700_000)),
  end: fc.constantFrom('replied', 'timeout', 'conversation_closed', 'open'),
});
const history: fc.Arbitrary<History> = fc.record({
  projectId: fc.constantFrom(...PROJECTS),
  turns: fc.array(turn, { maxLength: 5 }),
});

function turnEvents({ ageMs, tookMs, end }: Turn): readonly ConversationEvent[] {
  const at = NOW - ageMs;
  const messageId = ids.next('message', at);
  const question = posted(messageId, at);
  if (end === 'open') return [question];
  const endAt = at + tookMs;
  return [question, end === 'replied' ? replied(messageId, endAt) : { type: 'TurnFailed', at: endAt, messageId, reason: end }];
}

function eventsOf({ projectId, turns }: History): readonly ConversationEvent[] {
  const said = turns.toSorted((a, b) => b.ageMs - a.ageMs).flatMap(turnEvents);
  const first: ConversationEvent = { ...opened, at: NOW - 41 * DAY, projectId } as ConversationEvent;
  return [first, ...said.filter(({ at }) => at <= NOW)];
}

function logOf(streams: readonly (readonly ConversationEvent[])[]): readonly Recorded[] {
  const placed = streams.flatMap((events, stream) => {
    let storedAt = 0;
    return events.map((event, revision) => {
      storedAt = Math.max(storedAt, event.at);
      return { event, stream: `conversation-conv_${stream}`, revision, storedAt };
    });
  });
  return placed
    .toSorted((a, b) => a.storedAt - b.storedAt)
    .map(({ event, stream, revision }, index) => {
      return { id: `id ${index}`, stream, revision, position: String(index + 1).padStart(20, '0'), event };
    });
}

function countsOf(events: readonly ConversationEvent[]) {
  return {
    messages: events.filter(({ type }) => type === 'MessagePosted').length,
    replied: events.filter(({ type }) => type === 'AgentReplied').length,
    failed: events.filter((event) => event.type === 'TurnFailed' && event.reason !== 'conversation_closed').length,
  };
}

/** The same numbers, counted from all events. */
function recounted(streams: readonly (readonly ConversationEvent[])[], window: StatsWindow) {
  const all = streams.flat();
  const postedAt = new Map(all.flatMap((event) => (event.type === 'MessagePosted' ? [[event.messageId, event.at]] : [])));
  const durationsIn = (events: readonly ConversationEvent[]) =>
    events.flatMap((event) => (event.type === 'AgentReplied' ? [event.at - (postedAt.get(event.inReplyTo) ?? NaN)] : []));
  const counted = inWindow(window, NOW, all);
  const { messages, ...turns } = countsOf(counted.all);
  return {
    window,
    messages,
    turns,
    durationMs: plainPercentiles(durationsIn(counted.all)),
    series: counted.spans.map(({ at, events }) => {
      return { at, ...countsOf(events), p95Ms: plainPercentile(durationsIn(events), 0.95) };
    }),
  };
}

it('the statistics of conversations are what a plain count of all events gives, however often a process reads them again', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(history, { maxLength: 8 }),
      fc.array(fc.nat(), { maxLength: 3 }),
      fc.constantFrom(...STATS_WINDOWS),
      async (histories, cuts, window) => {
        const streams = histories.map((of) => ({ ...of, events: eventsOf(of) }));
        const log = logOf(streams.map(({ events }) => events));
        const { fresh, readModels } = readersOf(await sharedRowsAfter(conversationsProjection as Projection, log, cuts));
        const known = { load: () => Promise.resolve() } as unknown as ProjectDirectory;
        const handler = new GetConversationStatsHandler(known, fresh, readModels, new FakeClock(NOW));
        for (const projectId of PROJECTS) {
          const own = streams.filter((of) => of.projectId === projectId).map(({ events }) => events);
          expect(await handler.execute(new GetConversationStats(projectId, window))).toEqual(recounted(own, window));
        }
      },
    ),
    { numRuns: 50 },
  ));
