import type { Type } from '@nestjs/common';
import { UpdateProjectDto } from '../../admin/projects.dto.js';
import { CreateConversationDto } from '../../v1/conversations.dto.js';
import { CONVERSATION_FILTERS } from '../../v1/conversation-filters.js';
import { EVENT_FILTERS } from '../../v1/event-filters.js';
import { SendMessageDto } from '../../v1/messages.dto.js';
import { WINDOW_FILTERS } from '../../v1/window-filters.js';
import type { Filters } from '../paging/list-filters.js';
import { parseQuery } from '../pipeline/url.js';
import { RequestWarnings } from './request-warnings.js';
import { warnOfMembers, warnOfParameters } from './warn-of-members.js';

function ofBody(members: object, type: Type<object> | null): string[] {
  const warnings = new RequestWarnings();
  warnOfMembers(members, type, warnings);
  return warnings.lines;
}

function ofQuery(query: string, filters: Filters | null, pages = true): string[] {
  const warnings = new RequestWarnings();
  warnOfParameters(parseQuery(query), { filters, pages }, warnings);
  return warnings.lines;
}

describe('a body', () => {
  it('is taken without a warning when its class has all of its members', () =>
    expect(
      ofBody({ external_id: 'a', customer: { phone: '+4912345', name: null }, metadata: { any: 1 } }, CreateConversationDto),
    ).toEqual([]));

  it('is warned of each unknown member, with the one that was meant', () =>
    expect(ofBody({ externalId: 'a', metaData: {} }, CreateConversationDto)).toEqual([
      "unknown member 'externalId'; did you mean 'external_id'?",
      "unknown member 'metaData'; did you mean 'metadata'?",
    ]));

  it('is told which members there are when none is like the unknown one', () =>
    expect(ofBody({ zz: 1 }, CreateConversationDto)).toEqual([
      "unknown member 'zz'; known here: external_id, customer, metadata, time_zone",
    ]));

  it('is warned of members of nested bodies by their path', () => {
    expect(ofBody({ content: 'Hi', customer: { mail: 'a@b.co' } }, SendMessageDto)).toEqual([
      "unknown member 'customer.mail'; did you mean 'email'?",
    ]);
    expect(ofBody({ rate_limits: { reads: 1 }, agent: { instruction: '' } }, UpdateProjectDto)).toHaveLength(2);
  });

  it('of which nothing is read is told so', () =>
    expect(ofBody({ reason: 'x' }, null)).toEqual(["unknown member 'reason'; no members are read here"]));

  it.each(['__proto__', 'constructor', 'toString', 'toCommand'])('is warned of the member %s like of any other', (name) =>
    expect(ofBody(JSON.parse(`{"${name}":{"a":1}}`) as object, CreateConversationDto)).toHaveLength(1),
  );
});

describe('a query', () => {
  it('is taken without a warning when its list has all of its parameters', () => {
    expect(ofQuery('limit=3&order=asc&status=active&created_at[gte]=2026-01-01&starting_after=x', CONVERSATION_FILTERS)).toEqual(
      [],
    );
    expect(ofQuery('type=appointment.*&types[]=appointment.created&types[]=*&types=appointment.failed', EVENT_FILTERS)).toEqual(
      [],
    );
  });

  it('is warned of an unknown parameter, with the one that was meant', () =>
    expect(ofQuery('external_conversation_id=t1', CONVERSATION_FILTERS)).toEqual([
      "unknown parameter 'external_conversation_id'; did you mean 'external_id'?",
    ]));

  it('is warned of a status of events, which they do not have', () =>
    expect(ofQuery('status=failed', EVENT_FILTERS)).toEqual([
      "unknown parameter 'status'; known here: limit, starting_after, ending_before, order, type, types[], object_id, created_at",
    ]));

  it('is warned of the parameters of lists where the answer is none', () =>
    expect(ofQuery('limit=3&window=1h', WINDOW_FILTERS, false)).toEqual(["unknown parameter 'limit'; known here: window"]));

  it('of a route that reads none is told so', () =>
    expect(ofQuery('expand=reply', null)).toEqual(["unknown parameter 'expand'; no parameters are read here"]));

  it.each(['type=appointment', 'types[]=appointment.moved&types[]=appointment.created'])(
    'is warned of a filter that matches no type of event: %s',
    (query) =>
      expect(ofQuery(query, EVENT_FILTERS)).toEqual([
        expect.stringMatching(/^types?(\[\])?: 'appointment(\.moved)?' matches no type/),
      ]),
  );
});
