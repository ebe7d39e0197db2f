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
