import type { OpenAI } from 'openai';
import type { Pool } from 'undici';
import { AgentFailed, type ToolDescription } from '@ports/agent.port';
import { nameOf } from '@ports/failure';
import { type ModelHeaders, boundedFetch } from './bounded-fetch.js';
import { type ModelAnswer, readAnswer } from './model-answer.js';
import type { Wire } from './wire.js';

export interface ModelOptions {
  /** `/chat/completions` is appended to it. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly model: string;
  /** Added to every request. */
  readonly query?: Readonly<Record<string, string>>;
  /** Added to every request; a header overrides ours of the same name. */
  readonly headers?: ModelHeaders;
  readonly timeoutMs: number;
}

export type Message = OpenAI.Chat.Completions.ChatCompletionMessageParam;

export interface Question {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDescription[];
  /** Shows the tools but forbids calls. */
  readonly mustSpeak: boolean;
  readonly isStreamed: boolean;
  readonly callable: readonly string[];
}

type Library = typeof import('openai');

/** The library's headers that describe this machine; removed. */
const TELEMETRY_HEADERS = ['Lang', 'Package-Version', 'OS', 'Arch', 'Runtime', 'Runtime-Version', 'Retry-Count', 'Timeout'];

function clientOf({ OpenAI }: Library, options: ModelOptions, fetch: ReturnType<typeof boundedFetch>): OpenAI {
  const { baseUrl, apiKey, timeoutMs, query = {} } = options;
  const removed = TELEMETRY_HEADERS.map((name) => [`X-Stainless-${name}`, null] as const);
  return new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: timeoutMs,
    logLevel: 'off',
    fetch,
    defaultQuery: query,
    defaultHeaders: {
      ...Object.fromEntries(removed),
      Accept: 'application/json',
      'User-Agent': null,
      Authorization: apiKey === null ? null : `Bearer ${apiKey}`,
    },
  });
}

/** Keeps only the error's type: the library's messages may contain the request. */
function failureOf(error: unknown, library: Library): AgentFailed {
  if (error instanceof AgentFailed) return error;
  if (error instanceof library.APIConnectionTimeoutError)
    return new AgentFailed('timeout', 'The model server did not answer in time.');
  if (error instanceof library.APIConnectionError && error.cause instanceof AgentFailed) return error.cause;
  return new AgentFailed('internal', `The request to the model server failed: ${nameOf(error)}.`);
}

function wireOf({ name, description, parameters }: ToolDescription) {
  return { type: 'function', function: { name, description, parameters: { ...parameters } } } as const;
}

/** One model of an OpenAI-compatible server. Its client is loaded with the first request. */
export class ModelClient {
  private loaded: Promise<{ library: Library; pool: Pool }> | undefined;

  constructor(private readonly options: ModelOptions) {}

  /** `arrived` gets the message of a streamed answer as far as it has come, after each piece. */
  async answer(question: Question, signal: AbortSignal, arrived: (message: Wire) => void): Promise<ModelAnswer> {
    const { library, pool } = await (this.loaded ??= this.load());
    const { headers = {} } = this.options;
    try {
      const client = clientOf(library, this.options, boundedFetch(pool, { headers, arrived }));
      // The library's method for completions would leave the body of a stream to its caller; this one awaits the fetch, which reads it.
      const completion: unknown = await client.post('/chat/completions', { body: this.bodyOf(question), signal });
      return readAnswer(completion, question.callable);
    } catch (error) {
      throw failureOf(error, library);
    }
  }

  private bodyOf({ messages, tools, mustSpeak, isStreamed }: Question): OpenAI.Chat.Completions.ChatCompletionCreateParams {
    return {
      model: this.options.model,
      messages: [...messages],
      ...(tools.length > 0 && { tools: tools.map(wireOf) }),
      ...(mustSpeak && { tool_choice: 'none' }),
      ...(isStreamed && { stream: true }),
    };
  }

  private async load() {
    const [library, { Pool }] = await Promise.all([import('openai'), import('undici')]);
    return { library, pool: new Pool(new URL(this.options.baseUrl).origin) };
  }
}
