import type { OpenAI } from 'openai';
import { AgentFailed, type ToolDescription } from '@ports/agent.port';
import { nameOf } from '@ports/failure';
import { type ModelHeaders, boundedFetch } from './bounded-fetch.js';
import { type ModelAnswer, readAnswer } from './model-answer.js';

export interface ModelOptions {
  /** The URL that `/chat/completions` is appended to. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly model: string;
  /** Added to every request; a header replaces one of the client's. */
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: ModelHeaders;
  /** Deadline of one request, body included. */
  readonly timeoutMs: number;
}

export type Message = OpenAI.Chat.Completions.ChatCompletionMessageParam;

export interface Question {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDescription[];
  /** The tools are shown, and may not be called. */
  readonly mustSpeak: boolean;
  /** The names that the answer's calls may have. */
  readonly callable: readonly string[];
}

type Library = typeof import('openai');

/** Headers in which the library describes this machine to the server; they are removed. */
const TELEMETRY_HEADERS = ['Lang', 'Package-Version', 'OS', 'Arch', 'Runtime', 'Runtime-Version', 'Retry-Count', 'Timeout'];

function clientOf({ OpenAI }: Library, { baseUrl, apiKey, timeoutMs, query = {}, headers = {} }: ModelOptions): OpenAI {
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
    fetch: boundedFetch(headers),
    defaultQuery: query,
    defaultHeaders: {
      ...Object.fromEntries(removed),
      Accept: 'application/json',
      'User-Agent': null,
      Authorization: apiKey === null ? null : `Bearer ${apiKey}`,
    },
  });
}

/** Passes on only the kind of an error: messages of the library quote requests. */
function failureOf(error: unknown, library: Library): AgentFailed {
  if (error instanceof AgentFailed) return error;
  if (error instanceof library.APIConnectionTimeoutError)
    return new AgentFailed('timeout', 'The model server did not answer in time.');
  if (error instanceof library.APIConnectionError && error.cause instanceof AgentFailed) return error.cause;
  return new AgentFailed('internal', `The model server could not be asked: ${nameOf(error)}.`);
}

function wireOf({ name, description, parameters }: ToolDescription) {
  return { type: 'function', function: { name, description, parameters: { ...parameters } } } as const;
}

/** One model of an OpenAI-compatible server. The client library is loaded with the first request. */
export class ModelClient {
  private loaded: Promise<{ library: Library; client: OpenAI }> | undefined;

  constructor(private readonly options: ModelOptions) {}

  async answer({ messages, tools, mustSpeak, callable }: Question, signal: AbortSignal): Promise<ModelAnswer> {
    const { library, client } = await (this.loaded ??= this.load());
    try {
      const completion: unknown = await client.chat.completions.create(
        {
          model: this.options.model,
          messages: [...messages],
          ...(tools.length > 0 && { tools: tools.map(wireOf) }),
          ...(mustSpeak && { tool_choice: 'none' }),
        },
        { signal },
      );
      return readAnswer(completion, callable);
    } catch (error) {
      throw failureOf(error, library);
    }
  }

  private async load() {
    const library = await import('openai');
    return { library, client: clientOf(library, this.options) };
  }
}
