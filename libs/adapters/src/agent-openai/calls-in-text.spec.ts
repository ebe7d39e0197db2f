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
    [
      'as a function between tokens',
      `<|tool_call_start|>[book_appointment(service="cut", starts_at="${ARGS.starts_at}")]<|tool_call_end|>`,
    ],
    ['as an action', `Action: book_appointment\nAction Input: ${JSON_ARGS}`],
    [
      'as an action behind a thought',
      `Thought: They want a cut.\nI book it.\nAction: book_appointment\nAction Input: ${JSON_ARGS}`,
    ],
    [
      'as an action with an observation made up',
      `Action: book_appointment\nAction Input: ${JSON_ARGS}\nObservation: Booked.\nThought: Done.\nFinal Answer: It is booked.`,
    ],
    ['as an action that is a function', `Action: book_appointment(service="cut", starts_at="${ARGS.starts_at}")`],
    [
      'as an action in JSON',
      `Action:\n\`\`\`json\n${JSON.stringify({ action: 'book_appointment', action_input: ARGS })}\n\`\`\``,
    ],
    [
      'as an action in JSON, with a thought',
      JSON.stringify({ thought: 'A cut.', action: 'book_appointment', action_input: ARGS }),
    ],
    ['with the input of a tool', JSON.stringify({ tool_name: 'book_appointment', tool_input: ARGS })],
    ['as the use of a tool', JSON.stringify({ tool_uses: [{ recipient_name: 'functions.book_appointment', parameters: ARGS }] })],
    ['as a message in the legacy form', JSON.stringify({ function_call: { name: 'book_appointment', arguments: JSON_ARGS } })],
    [
      'in a tag with the name of the tool, and one for each argument',
      `<book_appointment>\n<service>cut</service>\n<starts_at>${ARGS.starts_at}</starts_at>\n</book_appointment>`,
    ],
    ['as JSON in a tag with the name of the tool', `<book_appointment>${JSON_ARGS}</book_appointment>`],
    [
      'with its name in a tag',
      `<invoke><tool_name>book_appointment</tool_name><parameters><service>cut</service><starts_at>${ARGS.starts_at}</starts_at></parameters></invoke>`,
    ],
    [
      'as an invocation in a namespace',
      `<｜DSML｜function_calls><｜DSML｜invoke name="book_appointment"><｜DSML｜parameter name="service" string="true">cut</｜DSML｜parameter><｜DSML｜parameter name="starts_at" string="true">${ARGS.starts_at}</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜function_calls>`,
    ],
    [
      'in the writing of Python',
      `{'name': 'book_appointment', 'arguments': {'service': 'cut', 'starts_at': '${ARGS.starts_at}'}}`,
    ],
    [
      'between the tokens of Gemma',
      `<start_function_call>call:book_appointment{service:<escape>cut<escape>,starts_at:<escape>${ARGS.starts_at}<escape>}<end_function_call>`,
    ],
    [
      'between the later tokens of Gemma',
      `<|tool_call>call:book_appointment{service:<|"|>cut<|"|>,starts_at:<|"|>${ARGS.starts_at}<|"|>}<tool_call|>`,
    ],
    ['with keys without quotes', `{name: "book_appointment", arguments: {service: "cut", starts_at: "${ARGS.starts_at}"}}`],
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
    ['as functions', `[book_appointment(service="cut"), find_appointments()]`],
    ['as functions on lines of their own', '```python\nprint(book_appointment(service="cut"))\nprint(find_appointments())\n```'],
    ['in tags with the names of the tools', '<book_appointment><service>cut</service></book_appointment><find_appointments/>'],
  ])('may be several %s', (_, text) => {
    expect(read(text).calls.map(({ name }) => name)).toEqual(['book_appointment', 'find_appointments']);
  });

  it('may be of a tool without arguments', () => {
    for (const text of [
      'find_appointments()',
      'find_appointments',
      '[TOOL_CALLS]find_appointments',
      '{"name":"find_appointments"}',
      '<find_appointments></find_appointments>',
      '<tool_call>find_appointments</tool_call>',
      'Action: find_appointments',
    ])
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
    ['a function in words, without names of its arguments', 'I call book_appointment("cut", "tomorrow") now.'],
    ['a function in words, without arguments', 'One moment: find_appointments()'],
    ['a function without names of its arguments', 'book_appointment("cut")'],
    ['a function with one argument behind a word', 'call cancel_appointment(appointment_id="a b")!'],
    ['an action in words', `I book that.\n\nAction: book_appointment\nAction Input: ${JSON_ARGS}`],
    ['an action of a tool that there is not, in words', 'I look.\nAction: search_web\nAction Input: opening hours'],
    ['a tag with the name of the tool in words', 'I book that. <book_appointment><service>cut</service></book_appointment>'],
    ['a tag with the name of the tool that is cut off', '<book_appointment><service>cu'],
    ['another key for its name in words', `I book that: ${CALL.replace('name', 'function_name')}`],
    ['the use of a tool in words', `I book that: {"tool_uses":[{"recipient_name":"functions.book_appointment"}]}`],
    ['the writing of Python in words', "I book that: {'name': 'book_appointment', 'arguments': {'service': 'cut'}}"],
    ['a key that nobody has seen, in words', `I book that: {"run":"book_appointment","with":${JSON_ARGS}}`],
    ['a tool that there is not, in words', 'I look: {"name": "search_web", "arguments": {"query": "hours"}}'],
    ['an action with its result made up', 'Action: search_web hours\nObservation: 9 to 5\nFinal Answer: We open at nine.'],
    [
      'a call in the writing of Gemma in words',
      'I book that. <start_function_call>call:book_appointment{service:<escape>cut<escape>}<end_function_call>',
    ],
    ['tokens of a call alone', 'One moment. <|tool_calls_section_begin|>'],
    ['YAML', 'name: book_appointment\narguments:\n  service: cut'],
    ['words and values', 'book_appointment service=cut starts_at=tomorrow'],
    ['options', 'book_appointment --service cut'],
    ['JSON in JSON, in words', `I book that: ${JSON.stringify(CALL)}`],
    ['its arguments before its name', `I book that: {"with":${JSON_ARGS},"run":"book_appointment"}`],
    ['a list of its name and its arguments', `I book that: ["book_appointment", ${JSON_ARGS}]`],
    ['its arguments under its name, in words', `I book that: {"book_appointment": ${JSON_ARGS}}`],
    ['its arguments behind it, in words', `I call book_appointment with\n${JSON_ARGS}`],
    ['a name in capitals', 'I call Book_Appointment(service="cut") now.'],
    ['much before it', `${'We open at nine. '.repeat(7_000)}${CALL}`],
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
    'I have **book_appointment** (for new ones) and "cancel_appointment".',
    'Please book appointment and action: call us.',
    'Action: none needed.',
    'Call: 030 123',
    '{"name":"Anna","tool":"scissors"}',
    'Use `{name}` (or <name>) = yours.',
    'The tool said: {"error":{"code":"unknown_tool","message":"There are: find_appointments, book_appointment."}}',
    '{"ok":false,"message":"Ask find_appointments first, then book_appointment."}',
    '{',
    '',
  ])('without a call is told: %s', (text) => expect(read(text)).toEqual({ content: text, calls: [], isBroken: false }));

  it.each([
    '[',
    '{"',
    '<',
    '(',
    '[TOOL_CALLS] ',
    '\n',
    '<a>',
    '<a ',
    'a(',
    '<escape>',
    '{a:<|"|>',
    'Action:\n',
    'name: ',
    'book_appointment(a=',
    '<tool',
  ])('of nothing but %s is read at once', (part) => {
    const text = part.repeat(31_000 / part.length);
    expect(read(text).calls).toEqual([]);
  });
});
