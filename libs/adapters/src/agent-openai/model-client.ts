import type { OpenAI } from 'openai';
import { AgentFailed, type ToolDescription } from '@ports/agent.port';
import { nameOf } from '@ports/failure';
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

const REFUSALS = [400, 422];
/** A template that cannot be filled in is an error of the server's own to some, llama.cpp among them. */
const ABOUT_THE_TEMPLATE = /template|jinja|\broles?\b/i;

/** What was asked is nothing for this server, or for its model. */
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
    defaultHeaders: {
      ...Object.fromEntries(unsaid),
      Accept: 'application/json',
      'User-Agent': null,
      Authorization: apiKey === null ? null : `Bearer ${apiKey}`,
    },
  });
}

/** Errors of the library and of servers quote requests: only their kind is passed on. */
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
