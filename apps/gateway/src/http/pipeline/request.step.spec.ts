import type { FastifyReply, FastifyRequest } from 'fastify';
import { JsonBody } from '../body/json-body.js';
import { TextField } from '../fields/fields.js';
import { RequestState } from './request-state.js';
import { validate, warnOfUnknown } from './request.step.js';
import type { PipelineServices } from './step.js';

class BookDto {
  @TextField({ max: 20, required: true, description: 'What the book is called.' })
  title!: string;

  warnings(): readonly string[] {
    return this.title === 'Ulysses' ? ['title: nobody reads it to the end'] : [];
  }
}

const NOTHING = {} as FastifyReply & PipelineServices;

/** The warnings of a request, and whether it is refused. */
function judged(members: object, query: object = {}): { readonly lines: readonly string[]; readonly isRefused: boolean } {
  const policy = { access: 'admin', body: BookDto, neverRepeated: false, filters: null };
  const state = new RequestState();
  const body = new JsonBody(JSON.stringify(members), members as Record<string, unknown>, null);
  const request = { body, query, state, headers: {}, routeOptions: { config: { policy } } } as unknown as FastifyRequest;
  let isRefused = false;
  try {
    for (const step of [warnOfUnknown, validate]) void step(request, NOTHING, NOTHING);
  } catch {
    isRefused = true;
  }
  return { lines: state.warnings.lines, isRefused };
}

describe('a request', () => {
  it('without anything odd has no warning', () => expect(judged({ title: 'Emma' })).toEqual({ lines: [], isRefused: false }));

  it('has the warnings of its valid body', () =>
    expect(judged({ title: 'Ulysses' }).lines).toEqual(['title: nobody reads it to the end']));

  it('is warned of unknown names before it is refused', () =>
    expect(judged({ titel: 'Emma' }, { page: '2' })).toEqual({
      lines: ["unknown parameter 'page'; no parameters are read here", "unknown member 'titel'; did you mean 'title'?"],
      isRefused: true,
    }));
});
