import { readAnswer } from './model-answer.js';

const calling = (...tool_calls: unknown[]) => readAnswer({ choices: [{ message: { content: null, tool_calls } }] }).calls;
const calledWith = (args: unknown) => calling({ id: 'c', function: { name: 'f', arguments: args } })[0]?.args;

describe('the tool calls of a model', () => {
  it.each([
    ['an object', { a: 1 }, { a: 1 }],
    ['the text of an object', '{"a":1}', { a: 1 }],
    ['nothing', undefined, {}],
    ['null', null, {}],
    ['no text', '', {}],
    ['a list', [1], null],
    ['a list of one object', [{ a: 1 }], { a: 1 }],
    ['an object behind an empty one', '{}{"a":1}', { a: 1 }],
    ['the whole call', '{"name":"f","arguments":{"a":1}}', { a: 1 }],
    ['an object in another', { parameters: { a: 1 } }, { a: 1 }],
    ['an object with one of such a name', { input: { a: 1 }, b: 2 }, { input: { a: 1 }, b: 2 }],
    ['the text of a list', '[1]', null],
    ['a number', 5, null],
    ['half a text', '{"a":', null],
    ['the text of what is too deep to be told again', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, null],
  ])('may have %s for arguments', (_, args, expected) => expect(calledWith(args)).toEqual(expected));

  it('have no id where the server gives none', () => {
    expect(calling({}, { id: '' }, { id: 7 }, { id: 'own' }).map(({ id }) => id)).toEqual(['', '', '', 'own']);
  });

  it('may come with something that the server wants back with them', () => {
    const details = [{ type: 'reasoning.encrypted', data: 'c2VhbGVk' }];
    const detailsOf = (message: object) => readAnswer({ choices: [{ message: { content: 'x', ...message } }] }).details;
    expect(detailsOf({ reasoning_details: details })).toEqual(details);
    for (const reasoning_details of [null, 'x', {}]) expect(detailsOf({ reasoning_details })).toBeUndefined();
  });

  it('may have something that the server wants back', () => {
    expect(calling({ extra_content: { signed: 1 } }, { extra_content: null }).map(({ extra }) => extra)).toEqual([
      { signed: 1 },
      undefined,
    ]);
  });

  it('are none of a tool where the server sent something else', () => {
    expect(calling('x', null, { function: 5 }).map(({ name }) => name)).toEqual(['', '', '']);
  });

  it('are 32 at most', () => expect(calling(...Array.from({ length: 100 }, () => ({})))).toHaveLength(32));
});

describe('an answer that ended before its end', () => {
  const faultOf = (finish_reason: unknown) => readAnswer({ choices: [{ finish_reason, message: { content: 'Half' } }] });

  it.each([
    ['length', ['length', 'MAX_TOKENS', 'max_output', 'model_context_window_exceeded', 'ERROR_LIMIT', 'network_error']],
    ['length', ['insufficient_system_resource', 'cancelled', 'abort', 'repetition', 'error']],
    ['content_filter', ['content_filter', 'SAFETY', 'content_filter: SAFETY', 'ERROR_TOXIC', 'sensitive', 'SPII']],
    ['content_filter', ['guardrail_intervened', 'refusal', 'RECITATION']],
    ['unreadable_call', ['MALFORMED_FUNCTION_CALL', 'function_call_filter: MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL']],
  ])('is half a one, and not told: %s, %j', (fault, reasons) => {
    for (const reason of reasons) expect(faultOf(reason)).toMatchObject({ content: '', fault });
  });

  it.each(['stop', 'STOP', 'eos', 'eos_token', 'end_turn', 'stop_sequence', 'COMPLETE', 'tool_calls', 'unknown', '', null, 1])(
    'is none where it ended by %j',
    (reason) => expect(faultOf(reason)).toMatchObject({ content: 'Half', fault: null }),
  );
});

describe('the words of a model', () => {
  it('are told without its thoughts', () => {
    const said = (content: unknown) => readAnswer({ choices: [{ message: { content } }] }).content;
    expect(said('<think>A rude one.</think>Hello!')).toBe('Hello!');
    expect(said([{ type: 'text', text: '<think>A rude one.' }])).toBe('');
  });

  it('may be a refusal, unless it said something else', () => {
    const said = (content: unknown) => readAnswer({ choices: [{ message: { content, refusal: 'I cannot.' } }] }).content;
    expect([said(null), said(' '), said('Yes.')]).toEqual(['I cannot.', 'I cannot.', 'Yes.']);
  });
});
