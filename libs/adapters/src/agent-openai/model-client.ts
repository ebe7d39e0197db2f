import type { OpenAI } from 'openai';
import { AgentFailed, type ToolDescription } from '@ports/agent.port';
import { nameOf } from '@ports/failure';
import { boundedFetch } from './bounded-fetch.js';
import { type ModelAnswer, readAnswer } from './model-answer.js';

export interface ModelOptions {
  /** The URL that `/chat/completions` is appended to. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly model: string;
  /** Deadline of one request, body included. */
  readonly timeoutMs: number;
}

export type Message = OpenAI.Chat.Completions.ChatCompletionMessageParam;

export interface Question {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDescription[];
  readonly mayCallTools: boolean;
}

const REFUSALS = [400, 422];
/** Some servers, llama.cpp among them, answer 500 where the chat template does not accept the messages. */
const ABOUT_THE_TEMPLATE = /template|jinja|\broles?\b/i;

/** The server or its chat template does not accept the request. */
export class QuestionRefused extends AgentFailed {
  constructor(status: number) {
    super('http_error', answeredWith(status));
  }
}

function answeredWith(status: number): string {
  return `The model server answered with HTTP ${status}.`;
}

type Library = typeof import('openai');

/** Headers in which the library describes this machine to the server; they are removed. */
const TELEMETRY_HEADERS = ['Lang', 'Package-Version', 'OS', 'Arch', 'Runtime', 'Runtime-Version', 'Retry-Count', 'Timeout'];

function clientOf({ OpenAI }: Library, { baseUrl, apiKey, timeoutMs }: ModelOptions): OpenAI {
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
    fetch: boundedFetch,
    defaultHeaders: {
      ...Object.fromEntries(removed),
      Accept: 'application/json',
      'User-Agent': null,
      Authorization: apiKey === null ? null : `Bearer ${apiKey}`,
    },
  });
}

/** Passes on only the kind of an error: messages of the library and of servers quote requests. */
function failureOf(error: unknown, library: Library): AgentFailed {
  if (error instanceof AgentFailed) return error;
  if (error instanceof library.APIConnectionTimeoutError)
    return new AgentFailed('timeout', 'The model server did not answer in time.');
  if (error instanceof library.APIConnectionError && error.cause instanceof AgentFailed) return error.cause;
  if (error instanceof library.APIError && typeof error.status === 'number') {
    const { status, message } = error;
    if (REFUSALS.includes(status) || (status === 500 && ABOUT_THE_TEMPLATE.test(message))) return new QuestionRefused(status);
    return new AgentFailed('http_error', answeredWith(status));
  }
  return new AgentFailed('internal', `The model server could not be asked: ${nameOf(error)}.`);
}

/** One model of an OpenAI-compatible server. The client library is loaded with the first request. */
export class ModelClient {
  private loaded: Promise<{ library: Library; client: OpenAI }> | undefined;

  constructor(private readonly options: ModelOptions) {}

  async answer({ messages, tools, mayCallTools }: Question, signal: AbortSignal): Promise<ModelAnswer> {
    const { library, client } = await (this.loaded ??= this.load());
    try {
      const completion: unknown = await client.chat.completions.create(
        {
          model: this.options.model,
          messages: [...messages],
          tools: tools.map(({ name, description, parameters }) => ({
            type: 'function',
            function: { name, description, parameters: { ...parameters } },
          })),
          ...(mayCallTools ? {} : { tool_choice: 'none' }),
        },
        { signal },
      );
      return readAnswer(completion);
    } catch (error) {
      throw failureOf(error, library);
    }
  }

  private async load() {
    const library = await import('openai');
    return { library, client: clientOf(library, this.options) };
  }
}
