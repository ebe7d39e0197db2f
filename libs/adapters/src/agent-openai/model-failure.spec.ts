import { QuestionRefused, modelFailureIn, modelFailureOf } from './model-failure.js';

const none = new Headers();
const troubleOf = (status: number, body: unknown) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const failure = modelFailureOf(status, none, text, typeof body === 'string' ? undefined : body);
  return failure instanceof QuestionRefused ? failure.trouble : null;
};
const said = (message: string) => ({ error: { message } });

describe('a refusal of a model server', () => {
  it.each<[string, number, unknown]>([
    ['a code', 400, { error: { code: 'context_length_exceeded', message: '' } }],
    ['a status', 413, ''],
    ['OpenAI', 400, said("This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.")],
    ['OpenAI, of a field', 400, { error: { code: 'string_above_max_length', message: 'Invalid messages[1].content' } }],
    ['OpenAI, at once', 429, said('Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000')],
    [
      'vLLM',
      400,
      { object: 'error', message: 'The decoder prompt (length 5000) is longer than the maximum model length of 4096.' },
    ],
    [
      'SGLang',
      400,
      { object: 'error', message: "The input (5000 tokens) is longer than the model's context length (4096 tokens)." },
    ],
    [
      'llama.cpp',
      400,
      { error: { type: 'exceed_context_size_error', message: 'the request exceeds the available context size' } },
    ],
    ['llama.cpp, within', 500, said('Context size has been exceeded.')],
    ['Ollama', 400, said('the input length exceeds the context length')],
    ['LM Studio', 400, { error: 'The number of tokens to keep from the initial prompt is greater than the context length.' }],
    ['LiteLLM', 400, said('litellm.ContextWindowExceededError: prompt is too long')],
    ['Claude', 400, said('prompt is too long: 210000 tokens > 200000 maximum')],
    ['Gemini', 400, said('The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).')],
    ['Mistral', 400, { message: 'Prompt contains 40000 tokens, too large for model with 32768 maximum context length' }],
    ['Groq', 400, said('Please reduce the length of the messages or completion.')],
    ['Together', 422, said('Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193.')],
    [
      'TGI',
      422,
      { error: 'Input validation error: `inputs` must have less than 4096 tokens. Given: 5000', error_type: 'max_input_tokens' },
    ],
  ])('is about the size: %s', (_, status, body) => expect(troubleOf(status, body)).toBe('size'));

  it.each<[string, number, unknown]>([
    ['a code', 400, { error: { code: 'content_filter' } }],
    ['Azure', 400, said("The response was filtered due to the prompt triggering Azure OpenAI's content management policy.")],
    ['Azure, within', 400, { error: { code: null, innererror: { code: 'ResponsibleAIPolicyViolation' } } }],
    ['OpenAI', 400, { error: { code: 'content_policy_violation', message: 'Your request was rejected by our safety system.' } }],
    ['OpenRouter', 403, said('Your chosen model requires moderation and your input was flagged')],
    ['Qwen', 400, { code: 'data_inspection_failed', message: 'Input data may contain inappropriate content.' }],
    ['a guardrail', 400, said('Violated guardrail policy')],
    ['DeepSeek', 400, said('Content Exists Risk')],
    ['xAI', 403, { error: 'Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO' }],
  ])('is about the content: %s', (_, status, body) => expect(troubleOf(status, body)).toBe('content'));

  it.each<[string, number, unknown]>([
    ['Gemma', 400, said('System role not supported')],
    ['Gemma, by its API', 400, said('Developer instruction is not enabled for models/gemma-3-27b-it')],
    ['o1', 400, said("Unsupported value: 'messages[0].role' does not support 'system' with this model.")],
  ])('is about the system role: %s', (_, status, body) => expect(troubleOf(status, body)).toBe('system'));

  it.each<[string, number, unknown]>([
    ['Ollama', 400, said('registry.ollama.ai/library/gemma:2b does not support tools')],
    ['vLLM', 400, said('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set')],
    ['llama.cpp', 500, said('tools param requires --jinja flag')],
    ['OpenRouter', 404, said('No endpoints found that support tool use.')],
    ['a validator', 422, { detail: [{ loc: ['body', 'tools'], msg: 'extra fields not permitted' }] }],
    ['an old server', 400, said('Unrecognized request argument supplied: tools')],
    ['of functions', 501, said('function calling is not implemented')],
  ])('is about tools: %s', (_, status, body) => expect(troubleOf(status, body)).toBe('tools'));

  it.each<[string, number, unknown]>([
    [
      'Mistral',
      400,
      said('After the optional system message, conversation roles must alternate user/assistant/user/assistant/...'),
    ],
    ['Mistral, of the last one', 400, { message: 'Expected last role User or Tool for serving but got assistant' }],
    ['Mistral, of their order', 400, { message: "Unexpected role 'user' after role 'tool'" }],
    ['Gemini', 400, said('Please ensure that function call turn comes immediately after a user turn.')],
    ['a template', 500, said('Jinja Exception: Unexpected message')],
    ['of roles', 400, said('Only user and assistant roles are supported!')],
  ])('is about turns: %s', (_, status, body) => expect(troubleOf(status, body)).toBe('turns'));

  it.each<[string, number, unknown]>([
    ['Groq', 400, { error: { code: 'tool_use_failed', message: 'Failed to call a function.' } }],
    ['Groq, unread', 400, { error: { code: 'output_parse_failed', message: 'The output could not be parsed.' } }],
    ['Ollama', 500, said(`error parsing tool call: raw='{"reason":"prohibited' err=unexpected end of JSON input`)],
    ['llama.cpp', 500, said('Failed to parse input at pos 312: <|channel|>commentary to=functions.x')],
    ['vLLM', 400, said('unexpected tokens remaining in message header: Some("to=functions.x")')],
    ['vLLM, of a token', 500, said('Unexpected token 12606 while expecting start token 200006')],
  ])('is about its own answer: %s', (_, status, body) => expect(troubleOf(status, body)).toBe('generation'));

  it.each([400, 404, 422, 501])('may be about anything: HTTP %d', (status) => expect(troubleOf(status, '')).toBe('unknown'));

  it.each<[number, unknown]>([
    [401, said('You have no access to tools')],
    [404, said("model 'tiny' not found, try pulling it first")],
    [404, { error: { code: 'DeploymentNotFound', message: 'The API deployment for this resource does not exist.' } }],
    [400, said('API key not valid. Please pass a valid API key.')],
    [400, { error: 'No models loaded. Please load a model in the developer page.' }],
    [400, said('Your credit balance is too low to access this API.')],
    [403, said('No access')],
    [429, said('Rate limit reached: 40000 tokens exceeded the limit')],
    [500, said('out of memory')],
    [503, said('the template is being loaded')],
    [304, ''],
  ])('is none that another form would mend: HTTP %d', (status, body) => expect(troubleOf(status, body)).toBeNull());

  it('names its code where that is one, and nothing else that the server said', () => {
    const message = (error: object) => modelFailureOf(400, none, '', { error }).message;
    expect(message({ code: 'content_filter', message: 'PIN 4711' })).toBe(
      'The model server answered with HTTP 400 (content_filter).',
    );
    expect(message({ code: 'my PIN is 4711', type: 'invalid_request_error' })).toMatch(/\(invalid_request_error\)\.$/);
    expect(message({ code: 400, type: `x${'y'.repeat(64)}` })).toBe('The model server answered with HTTP 400.');
  });

  it('may come with a status of success', () => {
    expect(modelFailureIn({ error: { code: 400, message: 'maximum context length' } }, none)).toMatchObject({ trouble: 'size' });
    expect(modelFailureIn({ error: { message: 'm does not support tools' } }, none)).toMatchObject({ trouble: 'tools' });
    expect(modelFailureIn({ error: { code: 502, message: 'Bad gateway' } }, none)).toMatchObject({ why: 'http_error' });
    expect(modelFailureIn({ error: 'm does not support tools' }, none)).toMatchObject({ trouble: 'tools' });
    const refusal = { object: 'error', message: 'maximum context length', code: 400 };
    for (const body of [refusal, [{ error: refusal }]]) expect(modelFailureIn(body, none)).toMatchObject({ trouble: 'size' });
    for (const body of [{ error: { message: 'No.' } }, { error: null, choices: [] }, { error: {}, choices: [{}] }, []])
      expect(modelFailureIn(body, none)).toBeNull();
  });
});

describe('a model server that is busy', () => {
  const waitOf = (status: number, headers: Record<string, string>) =>
    modelFailureOf(status, new Headers(headers), '', undefined).retryAfterMs;

  it.each([
    [429, { 'retry-after': '1' }, 1_000],
    [503, { 'retry-after': '0.5' }, 500],
    [429, { 'retry-after': '9', 'retry-after-ms': '250' }, 250],
    [429, { 'retry-after': '9', 'retry-after-ms': '' }, 9_000],
    [429, { 'retry-after': 'Thu, 01 Jan 2026 00:00:07 GMT', date: 'Thu, 01 Jan 2026 00:00:00 GMT' }, 7_000],
    [429, { 'retry-after': 'Thu, 01 Jan 2026 00:00:00 GMT', date: 'Thu, 01 Jan 2026 00:00:07 GMT' }, 0],
    [429, { 'retry-after': 'Thu, 01 Jan 2026 00:00:07 GMT' }, null],
    [429, { 'retry-after': '99999999' }, 86_400_000],
    [429, { 'retry-after': 'soon' }, null],
    [429, {}, null],
    [500, { 'retry-after': '1' }, null],
  ])('says how long: HTTP %d, %j', (status, headers, ms) => expect(waitOf(status, headers as never)).toBe(ms));
});
