import type { OpenAI } from 'openai';
import { AgentFailed, type ToolDescription } from '@ports/agent.port';
import { boundedFetch } from './bounded-fetch.js';
import { type ModelAnswer, readAnswer } from './model-answer.js';

export interface ModelOptions {
  /** Where `/chat/completions` lives. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly model: string;
  /** For one request, body included. */
  readonly timeoutMs: number;
}

export type Message = OpenAI.Chat.Completions.ChatCompletionMessageParam;

export interface Question {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDescription[];
  readonly mayCallTools: boolean;
}

const REFUSALS = [400, 422, 500];

/** What was asked is nothing for this server, or for its model: a template that cannot be filled in is a 500 to some. */
export class QuestionRefused extends AgentFailed {
  constructor(status: number) {
    super('http_error', answeredWith(status));
  }
}

function answeredWith(status: number): string {
  return `The model server answered with HTTP ${status}.`;
}

type Library = typeof import('openai');

/** The library tells every server about this machine unless these are taken away. */
const UNSAID = ['Lang', 'Package-Version', 'OS', 'Arch', 'Runtime', 'Runtime-Version', 'Retry-Count', 'Timeout'];

function clientOf({ OpenAI }: Library, { baseUrl, apiKey, timeoutMs }: ModelOptions): OpenAI {
  const unsaid = UNSAID.map((name) => [`X-Stainless-${name}`, null] as const);
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
    defaultHeaders: { ...Object.fromEntries(unsaid), ...(apiKey === null ? { Authorization: null } : {}) },
  });
}

/** Errors of the library and of servers quote requests: only their kind is passed on. */
function failureOf(error: unknown, library: Library): AgentFailed {
  if (error instanceof AgentFailed) return error;
  if (error instanceof library.APIConnectionTimeoutError)
    return new AgentFailed('timeout', 'The model server did not answer in time.');
  if (error instanceof library.APIConnectionError && error.cause instanceof AgentFailed) return error.cause;
  if (error instanceof library.APIError && typeof error.status === 'number') {
    if (REFUSALS.includes(error.status)) return new QuestionRefused(error.status);
    return new AgentFailed('http_error', answeredWith(error.status));
  }
  return new AgentFailed('internal', 'The model server could not be asked.');
}

/** One model behind an OpenAI-compatible server. The client library is loaded with the first question. */
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
