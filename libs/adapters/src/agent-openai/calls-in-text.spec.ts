import { callsInText } from './calls-in-text.js';

const TOOLS = ['find_appointments', 'book_appointment', 'cancel_appointment'];
const ARGS = { service: 'cut', starts_at: '2027-03-02T09:00:00Z' };
const JSON_ARGS = JSON.stringify(ARGS);
const CALL = JSON.stringify({ name: 'book_appointment', arguments: ARGS });
const read = (text: string) => callsInText(text, TOOLS);

describe('a text that is a call', () => {
  it.each([
    ['as JSON', CALL],
    ['as JSON over several lines', JSON.stringify(JSON.parse(CALL), null, 2)],
    ['with parameters', JSON.stringify({ name: 'book_appointment', parameters: ARGS })],
    ['with an input', JSON.stringify({ tool: 'book_appointment', input: ARGS })],
    ['as the wire has it', JSON.stringify({ type: 'function', function: { name: 'book_appointment', arguments: JSON_ARGS } })],
    ['as a message', JSON.stringify({ tool_calls: [{ function: { name: 'book_appointment', arguments: JSON_ARGS } }] })],
    ['under the name of the tool', JSON.stringify({ book_appointment: ARGS })],
    ['in a list', `[${CALL}]`],
    ['in a fence', `\`\`\`json\n${CALL}\n\`\`\``],
    ['in a fence of its own', `\`\`\`tool_call\n${CALL}\n\`\`\``],
    ['in tags', `<tool_call>${CALL}</tool_call>`],
    ['in tags over several lines', `\n<tool_call>\n${CALL}\n</tool_call>\n`],
    ['in a tag that is not closed', `<tool_call>${CALL}`],
    ['in other tags', `<function_call>${CALL}</function_call>`],
    ['in a list in tags', `<tool_calls>[${CALL}]</tool_calls>`],
    ['in a fence in tags', `<tool_call>\n\`\`\`json\n${CALL}\n\`\`\`\n</tool_call>`],
    ['behind a mark', `[TOOL_CALLS][${CALL}]`],
    ['behind a mark, by name', `[TOOL_CALLS]book_appointment[ARGS]${JSON_ARGS}`],
    ['behind a mark, by name and id', `[TOOL_CALLS]book_appointment[CALL_ID]a1B2c3D4e[ARGS]${JSON_ARGS}`],
    ['between marks', `[TOOL_REQUEST]${CALL}[END_TOOL_REQUEST]`],
    ['behind a token', `<|python_tag|>${CALL}`],
    ['behind a token, and closed by one', `<|tool_call|>[${CALL}]<|/tool_call|>`],
    ['in a tag with its name', `<function=book_appointment>${JSON_ARGS}</function>`],
    ['in a tag with its name, not closed', `<function=book_appointment>${JSON_ARGS}`],
    [
      'in a tag for each argument',
      `<tool_call>\n<function=book_appointment>\n<parameter=service>\ncut\n</parameter>\n<parameter=starts_at>\n${ARGS.starts_at}\n</parameter>\n</function>\n</tool_call>`,
    ],
    [
      'as an invocation',
      `<function_calls><invoke name="book_appointment"><parameter name="service">cut</parameter><parameter name="starts_at">${ARGS.starts_at}</parameter></invoke></function_calls>`,
    ],
    [
      'with keys and values in tags',
      `<tool_call>book_appointment\n<arg_key>service</arg_key>\n<arg_value>cut</arg_value>\n<arg_key>starts_at</arg_key>\n<arg_value>${ARGS.starts_at}</arg_value>\n</tool_call>`,
    ],
    [
      'between the tokens of DeepSeek',
      `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>book_appointment\n\`\`\`json\n${JSON_ARGS}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    ],
    [
      'between the tokens of Kimi',
      `<|tool_calls_section_begin|><|tool_call_begin|>functions.book_appointment:0<|tool_call_argument_begin|>${JSON_ARGS}<|tool_call_end|><|tool_calls_section_end|>`,
    ],
    ['to a recipient', `to=functions.book_appointment json ${JSON_ARGS}`],
    ['with its name before it', `book_appointment ${JSON_ARGS}`],
    ['as a function of an object', `book_appointment(${JSON_ARGS})`],
    ['as a function', `book_appointment(service="cut", starts_at='${ARGS.starts_at}')`],
    ['as a function in a list', `[book_appointment(service="cut", starts_at="${ARGS.starts_at}")]`],
    [
      'as a function in a fence',
      `\`\`\`tool_code\nprint(default_api.book_appointment(service="cut", starts_at="${ARGS.starts_at}"))\n\`\`\``,
    ],
    ['with a prefix to its name', CALL.replace('book', 'functions.book')],
    ['with a line break in its JSON', `{"name":"book_appointment","arguments":${JSON_ARGS},\n}`],
  ])('is run: %s', (_, text) => {
    expect(read(text)).toEqual({ content: '', calls: [{ id: '', name: 'book_appointment', args: ARGS }], isBroken: false });
  });

  it.each([
    ['in tags', `<tool_call>${CALL}</tool_call>\n<tool_call>{"name":"find_appointments","arguments":{}}</tool_call>`],
    ['in a list', `[${CALL},{"name":"find_appointments"}]`],
    ['with a semicolon between them', `<|python_tag|>${CALL}; {"name":"find_appointments","parameters":{}}`],
    ['in tags with their names', `<function=book_appointment>${JSON_ARGS}</function><function=find_appointments></function>`],
  ])('may be several %s', (_, text) => {
    expect(read(text).calls.map(({ name }) => name)).toEqual(['book_appointment', 'find_appointments']);
  });

  it('may be of a tool without arguments', () => {
    for (const text of ['find_appointments()', '[TOOL_CALLS]find_appointments', '{"name":"find_appointments"}'])
      expect(read(text).calls).toEqual([{ id: '', name: 'find_appointments', args: {} }]);
  });

  it('may be of a tool that there is not, so that the model is told', () => {
    expect(read('{"name":"search_web","arguments":{}}').calls).toEqual([{ id: '', name: 'search_web', args: {} }]);
  });
});

describe('a text with a call that is not the whole of it', () => {
  it.each([
    ['words before it', `I book that. <tool_call>${CALL}</tool_call>`],
    ['words behind it', `${CALL}\nDone!`],
    ['a fence in words', `For example:\n\`\`\`json\n${CALL}\n\`\`\``],
    ['a function in words', 'I call book_appointment(service="cut") now.'],
    ['half a call', '<tool_call>{"name":"book_appointment","arguments":{"service":'],
    ['a tag without JSON', '<tool_call>book it</tool_call>'],
    ['no name of one tool', `<tool_call>{"name":"book_appointment or cancel_appointment"`],
  ])('is neither run nor told: %s', (_, text) => {
    expect(read(text)).toEqual({ content: '', calls: [], isBroken: true });
  });
});

describe('a text', () => {
  it.each([
    'Hello!',
    'We open at 9 (or 10).',
    '[Our page](https://example.com)',
    '```json\n{"name":"Anna"}\n```',
    '{"name":"Anna","age":5}',
    '{"opens":"9:00"}',
    '[1, 2]',
    '<b>Hello</b>',
    '- `book_appointment` is a word',
    '{',
    '',
  ])('without a call is told: %s', (text) => expect(read(text)).toEqual({ content: text, calls: [], isBroken: false }));

  it.each(['[', '{"', '<', '(', '[TOOL_CALLS] '])('of nothing but %s is read at once', (part) => {
    const text = part.repeat(90_000 / part.length);
    expect(read(text).calls).toEqual([]);
  });
});
